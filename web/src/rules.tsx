// The rules of a game, with a picture.
import { lookOf } from "./boards";
import { catalog } from "./catalog";
import { hasGuide } from "./guides";
import { at } from "./router";
import { phrase, say } from "./words";

export function RulesPage({ game }: { game: string }) {
  const outline = catalog.value.find((one) => one.name === game);
  if (!outline) return <p class="page" role="status">{say(catalog.value.length ? "notFound" : "connecting")}</p>;
  const { Figure } = lookOf(game);
  const { title, tagline, rules } = outline.text;
  return (
    <article class="page rules">
      <h1>{phrase(title)}</h1>
      <p class="intro quiet">{phrase(tagline)}</p>
      {Figure && <Figure />}
      {rules.length ? <ol>{rules.map((line) => <li key={line.en}>{phrase(line)}</li>)}</ol> : <p>{say("noRules")}</p>}
      <p class="quiet">{say("keys")}</p>
      <div class="row">
        <a class="button primary" href={at(`/?game=${game}`)}>{say("play")}</a>
        {hasGuide(game) && <a class="button" href={at(`/learn/${game}`)}>{say("learn")}</a>}
      </div>
    </article>
  );
}
