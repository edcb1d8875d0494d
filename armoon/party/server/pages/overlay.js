// The overlay for a stream: the address chooses parts and theme; the rest of the picture is transparent.
import { asked, begin, bars, cm, el, listen, question, say, sign, svg, swatch, t } from "./common.js";
import { dieFace } from "./drawing.js";
import { put, shapeOf } from "./arranging.js";

const PARTS = ["score", "die", "height", "verdict", "ticker", "vote", "signs", "result"];
const wanted = new Set((asked.get("parts") || PARTS.join(",")).split(","));
// Panels that stand below each other at the right, whatever their heights.
const COLUMN = ["die", "vote", "qr", "ticker"];
const VERDICT_MS = 7000;
const main = document.getElementById("main");
const column = main.appendChild(el("div", { class: "column" }));
const parts = {};
let state = null, standing = null, hides = 0, places = {};
const set = (name) => put(parts[name], places[`${shapeOf(window)}.${name}`]);
const setAll = () => Object.keys(parts).filter((name) => name !== "signs").forEach(set);

function part(name) {
  if (!wanted.has(name)) return null;
  if (!parts[name]) {
    parts[name] = el(name === "signs" ? "div" : "section", { class: name === "signs" ? "signs" : `panel ${name}`, hidden: true, "data-part": name === "signs" ? null : name });
    if (name !== "signs") set(name);
    const below = COLUMN.slice(COLUMN.indexOf(name) + 1).map((one) => parts[one]).find(Boolean);
    (COLUMN.includes(name) ? column : main).insertBefore(parts[name], COLUMN.includes(name) ? below ?? null : null);
  }
  return parts[name];
}
function show(name, ...inside) {
  const panel = part(name);
  if (panel) { panel.replaceChildren(...inside); panel.hidden = false; }
}
function hide(name) { if (parts[name]) parts[name].hidden = true; }

function paint() {
  if (!state || !standing) { for (const name of PARTS) if (name !== "signs") hide(name); return; }
  show("score", el("ul", {}, ...standing.seats.map((seat, number) =>
    el("li", { class: `${number === standing.on_turn ? "turn" : ""} ${seat.out ? "out" : ""}` }, swatch(seat.colour), el("span", {}, seat.name),
      el("span", { class: "note" }, say(seat.note)), el("span", { class: "count" }, `${seat.score}`)))),
    el("div", { class: "soft" }, say(state.began.counts) + (standing.tears_left === null ? "" : ` · ${t("left", { count: standing.tears_left })}`)));
  const touching = standing.wanted && (standing.held || standing.would_honour !== null)
    ? el("div", { class: standing.would_honour ? "good" : "soft" }, t("touching", { count: standing.touching.length, wanted: standing.wanted[0] === standing.wanted[1] ? standing.wanted[0] : standing.wanted.join("–") })) : null;
  const doing = standing.paused ? t("paused") : say(standing.hint);
  if (standing.die || doing) show("die", ...(standing.die ? [dieFace(standing.die)] : []), el("div", {}, el("div", {}, doing), ...(touching ? [touching] : [])));
  else hide("die");
  if (standing.top_m) show("height", el("span", { class: "soft" }, t("height")), el("br"), el("b", {}, cm(standing.top_m)));
  else hide("height");
  const told = state.told.slice(-3);
  if (told.length) show("ticker", ...told.map((one) => el("p", { class: one.ok === null ? "" : one.ok ? "good" : "bad" }, `${state.began.seats[one.seat]?.name ?? ""}: ${say(one.words)}`)));
  else hide("ticker");
  if (state.result) show("result", el("h2", { class: "gold" }, say(state.result.words)), el("p", {}, say(state.result.more)));
  else hide("result");
}

function verdict(one) {
  show("verdict", el("span", { class: one.ok === null ? "" : one.ok ? "good" : "bad" }, `${one.ok === null ? "" : one.ok ? "✓ " : "✗ "}${say(one.words)}`));
  clearTimeout(hides);
  hides = setTimeout(() => hide("verdict"), VERDICT_MS);
}

function room(now) {
  if (now.ballot && (now.ballot.open || now.ballot.right !== null || now.ballot.question === "own" || now.hidden)) {
    show("vote", el("b", {}, question(now)), ...bars(now.ballot, now.chat));
    // Smaller text leaves room for the QR code below.
    parts.vote?.classList.toggle("many", now.ballot.choices.length > 3 || [question(now), ...now.ballot.choices.map(say)].some((one) => one.length > 30));
  } else hide("vote");
  if (wanted.has("qr")) { // a code that only this machine could open would lead nowhere
    if (now.reachable) show("qr", el("img", { src: "qr", alt: t("join") }), el("div", {}, t("join")), el("b", {}, t("at_code", now)));
    else hide("qr");
  }
  if (state?.result && now.best.length && parts.result)
    parts.result.append(el("div", { class: "best" }, el("b", {}, t("guessers")), ...now.best.slice(0, 5).map(([name, points]) => el("p", {}, `${name} · ${points}`))));
}

function signs(counts) {
  const panel = part("signs");
  if (!panel) return;
  if (!panel.firstChild) panel.append(svg("svg", { class: "moon", viewBox: "0 0 40 40" }, svg("circle", { cx: 20, cy: 20, r: 16, fill: "#f6e7b8" }), svg("circle", { cx: 15, cy: 16, r: 3, fill: "#e0cf98" }), svg("circle", { cx: 25, cy: 24, r: 4, fill: "#e0cf98" })));
  panel.hidden = false;
  for (const [name, count] of Object.entries(counts))
    for (let n = 0; n < Math.min(count, 8); n += 1) {
      const drifting = el("span", { class: "sign" }, sign(name));
      drifting.style.setProperty("left", `${36 + 14 * Math.random()}%`);
      drifting.style.setProperty("--aside", `${Math.round(8 * Math.random() - 4)}rem`);
      drifting.style.setProperty("animation-delay", `${(0.6 * Math.random()).toFixed(2)}s`);
      panel.append(drifting);
      setTimeout(() => drifting.remove(), 6000);
    }
}

addEventListener("resize", setAll);
await begin();
if (asked.has("demo")) {
  const demo = await import("./demo.js");
  state = demo.state(); standing = state.standing;
  paint();
  verdict(demo.verdict());
  clearTimeout(hides);
  room(demo.room());
} else listen("feed", {
  places: (now) => { places = now; setAll(); },
  feed: (line) => {
    if ("state" in line) { state = line.state; standing = state?.standing ?? null; paint(); }
    else if ("live" in line) { standing = line.live; if (state) paint(); }
    else if (line.kind === "judged") verdict(line.happening);
    document.body.dataset.number = line.number;
  },
  room, signs,
  // Hide an overlay that gets no updates.
  silent: () => document.body.classList.add("gone"),
  back: () => document.body.classList.remove("gone"),
});
