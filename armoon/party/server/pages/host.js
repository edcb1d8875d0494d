// The host's page: votes, guests, and corrections at the table.
import { become, begin, bars, el, house, listen, post, question, say, t } from "./common.js";

const QUESTIONS = ["holds", "ladder", "face", "begins"];
const main = document.getElementById("main");
let state = null, standing = null, room = null, known = null, told = "", leaves = null;

async function act(what, value = 0, name = "", choices = []) {
  const got = await post("do", { what, value, name, choices });
  leaves = null;
  told = got.ok ? (got.done ? t("done") : t("not_now")) : t("refused_gone");
  await guests();
  return got.done;
}
const press = (label, click, place = null) => el("button", { type: "button", class: place, on: { click } }, label);
const button = (label, ...asked) => press(label, () => act(...asked));

async function guests() {
  try { known = await (await fetch("guests")).json(); } catch { return; }
  paint();
}

// The form for the host's own question, which keeps typed text when the page changes.
function asking() {
  const field = (id, label, required) => el("label", { for: id }, label, el("input", { id, name: id, maxlength: id === "own" ? 80 : 40, required, autocomplete: "off" }));
  const send = async (event) => {
    event.preventDefault();
    const form = event.target, given = new FormData(form);
    const choices = [1, 2, 3, 4, 5, 6].map((n) => given.get(`choice${n}`).trim()).filter(Boolean);
    if (await act("ask_own", 0, given.get("own"), choices)) form.reset();
  };
  return el("details", { key: "own" }, el("summary", {}, t("title_own")), el("form", { on: { submit: send } }, field("own", t("own_question"), true),
    ...[1, 2, 3, 4, 5, 6].map((n) => field(`choice${n}`, t("own_choice", { count: n }), n < 3)), el("button", { type: "submit" }, t("open"))));
}

// Removing a guest takes two presses (a double click counts as one), so that none is removed by mistake; the focus is on "No".
const keep = () => { leaves = null; paint(); };
const away = (name) => (leaves === name
  ? [press(t("ban_no"), keep, "last"), el("span", {}, t("ban_sure", { name })), press(t("ban_yes"), (event) => (event.detail > 1 ? keep() : act("ban", 0, name)))]
  : [press(t("ban"), () => { leaves = name; paint(); })]);

const toggle = (on, what, off, turned) => button(on ? off : turned, what, on ? 0 : 1);

function paint() {
  if (!known) return;
  const table = el("section", { key: "table" }, el("h2", {}, t("table")), button(standing?.paused ? t("resume") : t("pause"), standing?.paused ? "resume" : "pause"), button(t("undo"), "undo", 1),
    ...(standing && standing.tears_left !== null ? standing.seats.map((seat, number) => el("div", { class: "row" }, el("span", {}, `${seat.name} · ${seat.score}`),
      el("span", { class: "row" }, el("button", { type: "button", "aria-label": t("give_back", { name: seat.name }), on: { click: () => act("give_tear_back", number) } }, "−"), el("button", { type: "button", "aria-label": t("add", { name: seat.name }), on: { click: () => act("add_tear", number) } }, "+")))) : []));
  const votes = el("section", { key: "votes" }, el("h2", {}, t("votes")), ...(room?.ballot ? [el("b", {}, question(room)), ...bars(room.ballot, room.chat), button(t("close"), "close"), button(t("clear"), "clear")] : []),
    ...QUESTIONS.map((name) => el("div", { class: "row", key: name }, el("label", { class: "check" },
      el("input", { type: "checkbox", checked: known.allowed.includes(name), on: { change: (event) => act(event.target.checked ? "allow" : "forbid", 0, name) } }), el("span", {}, t(`title_${name}`))),
      el("button", { type: "button", "aria-label": t("open_vote", { vote: t(`title_${name}`) }), disabled: !known.may[name], on: { click: () => act("ask", 0, name) } }, t("open")))),
    asking(), toggle(known.hidden, "hide", t("hide_off"), t("hide_on")),
    el("a", { href: "arrange" }, t("arrange")));
  const people = el("section", { key: "people" }, el("h2", {}, t("guests", { count: known.guests.length })), toggle(known.names_shown, "names", t("names_off"), t("names_on")),
    toggle(known.locked, "lock", t("unlock"), t("lock")), toggle(known.approves, "approve", t("approve_off"), t("approve_on")),
    el("ul", {}, ...known.guests.map(([name, points]) => el("li", { key: name }, el("span", {}, `${name} · ${points}`), known.waiting.includes(name) ? button(t("let_in"), "let_in", 0, name) : null, ...away(name)))),
    known.banned.length ? el("h2", {}, t("banned")) : null, el("ul", {}, ...known.banned.map((name) => el("li", { key: `gone ${name}` }, el("span", {}, name), button(t("take_back"), "take_back", 0, name)))));
  const join = !room?.reachable ? el("section", { key: "join" }, el("h2", {}, t("join")), el("p", {}, t("open_house"))) : el("section", { key: "join" }, el("h2", {}, t("join")), el("img", { src: "qr", alt: t("join"), width: 220, height: 220 }), ...house(room));
  become(main, el("header", { key: "header" }, el("h1", {}, t("host_title")), el("p", {}, state ? say(state.began.title) : t("no_game")), el("p", { role: "status", "aria-live": "polite", class: "soft" }, told)), table, votes, people, join);
}

await begin();
await guests();
listen("feed?live=0", {
  feed: (line) => { if ("state" in line) { state = line.state; standing = state?.standing ?? null; paint(); } },
  room: (now) => { room = now; guests(); },
  lost: () => { told = t("lost"); paint(); },
  back: () => { if (told === t("lost")) { told = ""; paint(); } },
});
