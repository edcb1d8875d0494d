// The board for a second screen: score, verdicts with their evidence, heights, and the structure.
import { begin, bars, cm, el, house, listen, question, say, svg, swatch, t } from "./common.js";
import { dieFace, heights, structure } from "./drawing.js";

const main = document.getElementById("main");
const lost = el("p", { class: "lost", role: "status", hidden: true });
let state = null, standing = null, parts = null;

function build() {
  const head = el("header", {}), score = el("section", { class: "score" }), drawn = el("section", { class: "structure" }), evidence = el("section", { class: "evidence" });
  const chart = el("section", { class: "heights" }), story = el("section", { class: "story" }), room = el("section", { class: "room" });
  const picture = svg("svg", { role: "img", "aria-label": t("structure"), preserveAspectRatio: "xMidYMax meet" });
  const lines = svg("svg", { role: "img", "aria-label": t("heights") });
  drawn.append(el("h2", {}, t("structure")), picture);
  chart.append(el("h2", {}, t("heights")), lines);
  main.replaceChildren(head, score, drawn, evidence, chart, story, room);
  parts = { head, score, picture, evidence, chart, lines, story, room };
}

function paint() {
  if (!state || !standing) { main.replaceChildren(el("header", {}, el("h1", {}, "armoon"), el("span", {}, t("no_game")))); parts = null; return; }
  if (!parts) build();
  const { began } = state;
  parts.head.replaceChildren(el("h1", {}, say(began.title)), el("span", {}, t("turn", { count: standing.turn })), el("span", { class: "gold" }, standing.paused ? t("paused") : say(standing.hint)));
  parts.score.replaceChildren(el("h2", {}, `${t("score")} · ${say(began.counts)}`), el("table", {}, el("tbody", {}, ...standing.seats.map((seat, number) =>
    el("tr", { class: `${number === standing.on_turn ? "turn" : ""} ${seat.out ? "out" : ""}` }, el("td", {}, swatch(seat.colour), " ", seat.name, " ", el("span", { class: "soft" }, say(seat.note))), el("td", { class: "count" }, String(seat.score)))))),
    standing.tears_left === null ? "" : el("p", { class: "soft" }, t("left", { count: standing.tears_left })));
  structure(parts.picture, began, standing);
  const last = state.told.at(-1);
  const rows = [];
  if (last) {
    rows.push(el("p", { class: `said ${last.ok === null ? "" : last.ok ? "good" : "bad"}` }, `${began.seats[last.seat]?.name}: ${say(last.words)}`));
    if (last.die) rows.push(el("p", {}, dieFace(last.die), ` ${last.ruling}`));
    if (last.touched.length) rows.push(el("p", {}, t("touched", { names: last.touched.join(", ") })));
    if (last.height_m !== null) rows.push(el("p", {}, `${last.piece} ${cm(last.height_m)}${last.rival ? ` · ${last.rival} ${cm(last.rival_m)}` : ""}`));
  }
  parts.evidence.replaceChildren(el("h2", {}, t("last")), ...rows);
  heights(parts.lines, state);
  parts.story.replaceChildren(el("h2", {}, t("story")), el("ol", {}, ...state.told.slice().reverse().map((one) =>
    el("li", {}, el("span", { class: "soft" }, `${one.turn} `), swatch(began.seats[one.seat]?.colour), " ", el("span", { class: one.ok === null ? "" : one.ok ? "good" : "bad" }, say(one.words)),
      ...state.figures.filter((figure) => figure.turn === one.turn && figure.piece === one.piece && one.piece).map((figure) => el("span", { class: "gold" }, ` · ${figure.figures.map(say).join(", ")}`))))));
}

// Draw the guests' part; a vote replaces the heights and the best guessers.
function room(now) {
  if (!parts) return;
  const inside = [el("h2", {}, t("guests", { count: now.guests }))];
  if (now.ballot) inside.push(el("b", {}, question(now)), ...bars(now.ballot, now.chat));
  else if (now.best.length) inside.push(el("h2", {}, t("guessers")), ...now.best.slice(0, 5).map(([name, points]) => el("p", {}, `${name} · ${points}`)));
  if (now.reachable) inside.push(el("div", { class: "join" }, el("div", {}, el("p", {}, t("join")), ...house(now)), el("img", { src: "qr", alt: t("join") })));
  parts.chart.hidden = Boolean(now.ballot) || !state?.heights.length;
  parts.room.replaceChildren(...inside);
}

await begin();
lost.textContent = t("lost");
document.body.append(lost);
let known = null;
paint();
listen("feed", {
  feed: (line) => {
    if ("state" in line) { state = line.state; standing = state?.standing ?? null; paint(); }
    else if ("live" in line && state) { standing = line.live; paint(); }
    if (known) room(known);
  },
  room: (now) => { known = now; room(now); },
  // Say that the board is out of date.
  lost: () => { lost.hidden = false; },
  back: () => { lost.hidden = true; },
});
