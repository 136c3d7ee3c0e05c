// Short rules of each game, with a picture.
import { Figure } from "./figures";
import { at } from "./router";
import { gameName, language, say } from "./words";

const rules: Record<string, { en: string[]; ja: string[] }> = {
  geister: {
    en: [
      "Each player has eight ghosts: four blue (good) and four red (evil). Only their owner sees the colours. Before the game you choose which of your ghosts are red.",
      "In turn, move one ghost one square forward, back, left or right, onto an empty square or onto an enemy ghost, which is taken and shows its colour.",
      "The two far corners are your exits. A blue ghost that stands on one may leave the board in a later turn.",
      "You win by leaving the board with a blue ghost, by taking all four blue ghosts of the enemy, or if the enemy has taken all four of your red ones. After 300 moves it is a draw.",
    ],
    ja: [
      "それぞれ8つのおばけを持ちます。4つは青（良い）、4つは赤（悪い）。色は持ち主だけに見えます。対局の前に、どれを赤にするかを決めます。",
      "交互に、おばけを1つ前後左右に1マス動かします。空いているマスか、相手のおばけのマスへ。取ったおばけは色を見せます。",
      "相手側の2つの角が自分の出口です。青いおばけが出口にいれば、次の番以降に盤の外へ脱出できます。",
      "青いおばけが脱出する、相手の青を4つとも取る、自分の赤を4つとも取らせる、のいずれかで勝ち。300手で引き分けです。",
    ],
  },
  labyrinth: {
    en: [
      "Every turn has two parts: push the extra tile into the maze from one of the twelve arrows, then walk with your pawn as far as the ways allow, or stay.",
      "The tile may be turned before it is pushed. The push that would undo the last one is not allowed. Pawns on the pushed row travel with it; one that falls off comes back on the other side.",
      "You see only the top card of your own pile: end your turn on that treasure to find it. Whoever has found all and gets back to the own corner first wins.",
    ],
    ja: [
      "手番は2段階です。余ったタイルを12の矢印のどこかから迷路に押し込み、そのあと自分のコマを通路に沿って好きなだけ進めます（動かなくてもよい）。",
      "タイルは押し込む前に回せます。直前の押し込みを元に戻す押し込みはできません。押された列のコマは一緒に動き、盤から落ちたコマは反対側に戻ります。",
      "自分の山札の一番上のカードだけが見えます。手番の終わりにその宝の上にいれば発見です。すべて見つけて最初に自分の角へ帰った人の勝ちです。",
    ],
  },
  saboteur: {
    en: [
      "Diggers want a way from the start to the gold under one of the three goal cards; saboteurs want to prevent it. Nobody knows the roles of the others.",
      "In turn, play one card and draw one: lay a path card that fits and is joined to the start; break or mend somebody's tool; let rocks fall on a path card; look at a goal with a map; or put a card away face down.",
      "Whoever has a broken tool lays no path cards. If the gold is reached, the diggers share gold cards; if the cards run out first, the saboteurs do.",
    ],
    ja: [
      "金鉱掘りはスタートから3枚のゴールカードのどれかにある金塊まで道をつなぎます。お邪魔者はそれを防ぎます。他の人の役割は分かりません。",
      "手番では1枚使って1枚引きます。つながる通路カードを置く、誰かの道具を壊す・直す、落石で通路を取り除く、地図でゴールを見る、または裏向きに捨てる。",
      "道具が壊れている人は通路を置けません。金塊に届けば金鉱掘りが、その前に手札が尽きればお邪魔者が金を得ます。",
    ],
  },
  sevens: {
    en: [
      "All cards are dealt and the sevens laid on the table. In turn, lay one card next to those of its suit, upwards or downwards from the seven, or pass.",
      "You may pass three times. A further pass retires you: your cards go to the table, and you take the worst rank left.",
      "Whoever lays all cards first is first. Hold back the cards that the others wait for, for as long as your passes last.",
    ],
    ja: [
      "すべての札を配り、7を場に出します。手番では、同じマークの並びの隣に（7から上へも下へも）1枚置くか、パスをします。",
      "パスは3回まで。さらにパスをすると脱落し、手札はすべて場に出され、残った中で最下位になります。",
      "先に手札をなくした人から上位です。パスの続く限り、他の人が待っている札を止めましょう。",
    ],
  },
};

export function RulesPage({ game }: { game: string }) {
  const text = rules[game];
  if (!text) return <p class="page">{say("error")}</p>;
  return (
    <article class="page rules">
      <h1>{gameName(game)}</h1>
      <Figure game={game} />
      <ol>{text[language.value].map((line) => <li key={line}>{line}</li>)}</ol>
      <p class="quiet">{say("keys")}</p>
      <a class="button primary" href={at(`/?game=${game}`)}>{say("play")}</a>
    </article>
  );
}
