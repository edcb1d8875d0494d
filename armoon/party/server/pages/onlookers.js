// The page for onlookers: the structure in 3D, which each can turn, the current player, the last verdict and the score.
import { become, begin, cm, el, listen, say, swatch, t } from "./common.js";
import { dieFace, turned } from "./drawing.js";

const main = document.getElementById("main");
const handling = () => [["left", "←", t("watch_left")], ["right", "→", t("watch_right")], ["up", "↑", t("watch_up")], ["down", "↓", t("watch_down")], ["nearer", "+", t("watch_nearer")], ["farther", "−", t("watch_farther")], ["home", "⌂", t("watch_home")]];
const canvas = el("canvas", { tabindex: 0, role: "img" }), head = el("header", {}), said = el("section", { class: "said", "aria-live": "polite" });
const score = el("section", {}), words = el("div", {}), lost = el("p", { class: "lost", role: "status", hidden: true });
let state = null, standing = null, scene = null;

const drawsIn3D = () => { try { return Boolean(document.createElement("canvas").getContext("webgl2")); } catch { return false; } };

async function view() {
  const plain = el("p", { class: "gold", role: "status" }, t("watch_plain"));
  const list = (open) => el("details", { open }, el("summary", {}, t("watch_words")), words);
  if (!drawsIn3D()) return [el("section", { class: "plain" }, plain, list(true))];
  try {
    const { ACTS, Scene, steer } = await import("./scene.js");
    scene = new Scene(canvas, matchMedia("(prefers-reduced-motion: reduce)").matches);
    steer(canvas, scene);
    canvas.setAttribute("aria-label", `${t("structure")}. ${t("watch_keys")}`);
    const handles = el("div", { class: "handles", role: "group", "aria-label": t("watch_turn") }, ...handling().map(([act, glyph, called]) =>
      el("button", { type: "button", "aria-label": called, title: called, on: { click: () => ACTS[act](scene) } }, glyph)));
    canvas.addEventListener("webglcontextlost", (event) => { event.preventDefault(); plain.hidden = false; });
    canvas.addEventListener("webglcontextrestored", () => { plain.hidden = true; scene.draw(); });
    plain.hidden = true;
    return [el("section", { class: "view" }, el("div", { class: "drawn" }, canvas), handles, plain), el("section", { class: "plain" }, list(false))];
  } catch {
    return [el("section", { class: "plain" }, plain, list(true))];
  }
}

// Group pieces that stand one above the other, the lowest first.
function stacks(pieces) {
  const found = new Map();
  for (const piece of pieces) {
    const place = piece.pose.slice(0, 2).map((one) => Math.round(200 * one)).join(" ");
    found.set(place, [...(found.get(place) ?? []), piece].sort((a, b) => a.pose[2] - b.pose[2]));
  }
  return [...found.values()].sort((a, b) => b.length - a.length);
}

// Describe the structure, the highest first: ladders by name and height, stacks by their size and the owner of the top.
function describePieces() {
  const shapes = new Map(state.began.shapes.map((shape) => [shape.name, shape]));
  const pieces = standing.pieces.filter((piece) => piece.name !== "base" && piece.look !== "offered");
  if (state.began.seen_from === "above") {
    const whose = (piece) => standing.seats.find((seat) => seat.colour === shapes.get(piece.shape)?.colour)?.name ?? t("watch_nobody");
    const found = stacks(pieces), alone = new Map();
    for (const [piece] of found.filter((stack) => stack.length === 1)) alone.set(whose(piece), (alone.get(whose(piece)) ?? 0) + 1);
    return [...found.filter((stack) => stack.length > 1).map((stack) => t("watch_stack", { count: stack.length, name: whose(stack.at(-1)) })),
      ...[...alone].map(([name, count]) => t("watch_alone", { count, name }))];
  }
  const top = (piece) => Math.max(0, ...(shapes.get(piece.shape)?.lines ?? []).flat().map((point) => turned(point, piece.pose)[2]));
  const lines = pieces.map((piece) => ({ piece, top: top(piece) })).sort((a, b) => b.top - a.top);
  return lines.map((one) => [{ name: one.piece.name, height: cm(one.top) }, one.piece.look]).map(([said, look]) => (look === "held" ? t("watch_held", said) : t("watch_piece", said)));
}

function paint() {
  if (!state || !standing) { become(head, el("h1", {}, "armoon"), el("p", {}, t("no_game"))); become(said); become(score); become(words); return; }
  const { began } = state, seat = standing.seats[standing.on_turn], last = state.told.at(-1);
  become(head, el("h1", {}, say(began.title)), el("p", { class: "turn" }, seat ? swatch(seat.colour) : null, seat ? t("watch_on_turn", { player: seat.name }) : "", standing.die ? " " : null, standing.die ? dieFace(standing.die) : null),
    el("p", { class: "soft" }, standing.paused ? t("paused") : say(standing.hint)));
  become(said, el("h2", {}, state.result ? say(state.result.words) : t("last")), last && !state.result ? el("p", { class: last.ok === null ? "" : last.ok ? "good" : "bad" }, `${began.seats[last.seat]?.name}: ${say(last.words)}`) : null,
    standing.top_m > 0 ? el("p", { class: "soft" }, `${t("height")}: ${cm(standing.top_m)}`) : null);
  become(score, el("h2", {}, `${t("score")} · ${say(began.counts)}`), el("table", {}, el("tbody", {}, ...standing.seats.map((one, number) =>
    el("tr", { class: `${number === standing.on_turn ? "turn" : ""} ${one.out ? "out" : ""}` }, el("th", { scope: "row" }, swatch(one.colour), " ", one.name, " ", el("span", { class: "soft" }, say(one.note))), el("td", {}, String(one.score)))))));
  if (!scene || words.parentElement.open) become(words, el("ul", {}, ...describePieces().map((one) => el("li", {}, one))));
  scene?.show(began, standing);
}

await begin(true);
lost.textContent = t("lost");
const [first, ...more] = await view();
const joining = new URLSearchParams(location.search).has("tables") ? el("section", {}, el("h2", {}, t("tables")), el("p", {}, t("tables_how"))) : null;
main.append(head, first, el("div", { class: "side" }, said, score, joining ?? "", ...more), lost);
words.parentElement.addEventListener("toggle", () => paint());
paint();
listen("feed", {
  feed: (line) => {
    if ("state" in line) { state = line.state; standing = state?.standing ?? null; paint(); }
    else if ("live" in line && state) { standing = line.live; paint(); }
    document.body.dataset.number = line.number;
  },
  lost: () => { lost.hidden = false; },
  back: () => { lost.hidden = true; },
});
