// The host's page: votes, guests, and what the referee's host may do.
import { begin, bars, el, listen, post, question, say, t } from "./common.js";

const QUESTIONS = ["holds", "ladder", "face", "begins"];
const main = document.getElementById("main");
const status = el("p", { role: "status", "aria-live": "polite", class: "soft" });
let state = null, standing = null, room = null, known = null;

async function act(what, value = 0, name = "") {
  const got = await post("do", { what, value, name });
  status.textContent = got.ok ? (got.done ? t("done") : t("not_now")) : t("refused_gone");
  await guests();
}
const button = (label, ...asked) => el("button", { type: "button", on: { click: () => act(...asked) } }, label);

async function guests() {
  try { known = await (await fetch("guests")).json(); } catch { return; }
  paint();
}

function paint() {
  if (!known) return;
  const table = el("section", {}, el("h2", {}, t("table")), button(standing?.paused ? t("resume") : t("pause"), standing?.paused ? "resume" : "pause"), button(t("undo"), "undo", 1),
    ...(standing && standing.tears_left !== null ? standing.seats.map((seat, number) => el("div", { class: "row" }, el("span", {}, `${seat.name} · ${seat.score}`),
      el("span", { class: "row" }, el("button", { type: "button", "aria-label": t("give_back", { name: seat.name }), on: { click: () => act("give_tear_back", number) } }, "−"), el("button", { type: "button", "aria-label": t("add", { name: seat.name }), on: { click: () => act("add_tear", number) } }, "+")))) : []));
  const votes = el("section", {}, el("h2", {}, t("votes")), ...(room?.ballot ? [el("b", {}, question(room)), ...bars(room.ballot, room.chat), button(t("close"), "close"), button(t("clear"), "clear")] : []),
    ...QUESTIONS.map((name) => el("div", { class: "row" }, el("label", { class: "check" },
      el("input", { type: "checkbox", checked: known.allowed.includes(name), on: { change: (event) => act(event.target.checked ? "allow" : "forbid", 0, name) } }), el("span", {}, t(`title_${name}`))),
      el("button", { type: "button", disabled: !known.may[name], on: { click: () => act("ask", 0, name) } }, t("open")))));
  const people = el("section", {}, el("h2", {}, t("guests", { count: known.guests.length })), button(known.names_shown ? t("names_off") : t("names_on"), "names", known.names_shown ? 0 : 1),
    el("ul", {}, ...known.guests.map(([name, points]) => el("li", {}, el("span", {}, `${name} · ${points}`), button(t("ban"), "ban", 0, name)))));
  const join = el("section", {}, el("h2", {}, t("join")), el("img", { src: "qr", alt: t("join"), width: 220, height: 220 }), el("p", { class: "soft" }, known.join_at));
  main.replaceChildren(el("header", {}, el("h1", {}, t("host_title")), el("p", {}, state ? say(state.began.title) : t("no_game")), status), table, votes, people, join);
}

await begin();
await guests();
listen("feed?live=0", {
  feed: (line) => { if ("state" in line) { state = line.state; standing = state?.standing ?? null; paint(); } },
  room: (now) => { room = now; guests(); },
  lost: () => { status.textContent = t("lost"); },
});
