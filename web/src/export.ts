// Pictures of a board for slides: one position as SVG, or a whole game as an animated SVG.
import { effect } from "@preact/signals";
import type { Connection } from "./connection";

/** What of a style matters for an element: a whole game has thousands of them. */
function wanted(element: SVGElement, style: CSSStyleDeclaration): string[] {
  const names: string[] = [];
  if (style.transform !== "none") names.push("transform");
  if (style.opacity !== "1") names.push("opacity");
  if (element instanceof SVGGElement) return names;
  names.push("fill");
  if (style.stroke !== "none") names.push("stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray");
  if (element instanceof SVGTextElement) names.push("font-size", "font-family", "font-weight", "text-anchor", "paint-order");
  return names;
}

/** The board on show with its styles written into it, so that it stands alone. */
function standAlone(stage: HTMLElement): SVGSVGElement | null {
  const board = stage.querySelector<SVGSVGElement>("svg.board");
  if (!board) return null;
  const copy = board.cloneNode(true) as SVGSVGElement;
  const [shown, copied] = [board.querySelectorAll<SVGElement>("*"), copy.querySelectorAll<SVGElement>("*")];
  shown.forEach((element, i) => {
    const style = getComputedStyle(element);
    // As attributes, which every program that reads SVG understands; the page itself allows no inline styles.
    for (const name of ["style", "class", "tabindex"]) copied[i]!.removeAttribute(name);
    for (const name of wanted(element, style)) copied[i]!.setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const background = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const box = board.viewBox.baseVal;
  for (const [name, value] of [["x", box.x], ["y", box.y], ["width", box.width], ["height", box.height]] as const) background.setAttribute(name, String(value));
  background.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  copy.prepend(background);
  return copy;
}

function save(text: string, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function exportPicture(stage: HTMLElement, name: string) {
  const board = standAlone(stage);
  if (board) save(board.outerHTML, `${name}.svg`);
}

/** Waits until a position is on the screen. */
const arrival = (connection: Connection, ply: number) =>
  new Promise<void>((resolve) => {
    const stop = effect(() => {
      if (connection.update.value?.ply === ply)
        setTimeout(() => {
          stop();
          resolve();
        });
    });
  });

/** Steps through the game on show and puts every position into one SVG that plays by itself. */
export async function exportAnimation(connection: Connection, stage: HTMLElement, name: string) {
  const start = connection.update.value;
  if (!start) return;
  document.documentElement.dataset.still = "yes";
  const frames: string[] = [];
  let box = "";
  for (let ply = 0; ply <= start.plies; ply++) {
    connection.look(ply, start.eyes);
    await arrival(connection, ply);
    const board = standAlone(stage);
    if (!board) break;
    box = board.getAttribute("viewBox") ?? "";
    frames.push(board.innerHTML);
  }
  connection.look(start.ply, start.eyes);
  delete document.documentElement.dataset.still;
  const seconds = frames.length * 0.8;
  const shown = frames.map((frame, i) => {
    const times = [i / frames.length, (i + 1) / frames.length].map((time) => time.toFixed(5));
    const key = i === 0 ? `0;${times[1]};1` : `0;${times[0]};${times[1]};1`;
    const values = i === 0 ? "inline;none;none" : "none;inline;none;none";
    return `<g display="${i === 0 ? "inline" : "none"}"><animate attributeName="display" calcMode="discrete" dur="${seconds}s" repeatCount="indefinite" keyTimes="${key}" values="${values}"/>${frame}</g>`;
  });
  save(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${shown.join("")}</svg>`, `${name}.svg`);
}
