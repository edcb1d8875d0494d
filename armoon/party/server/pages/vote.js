// The page of a phone: join, vote, and send a sign.
import { become, begin, el, lang, listen, post, question, say, sign, SIGNS, t } from "./common.js";

const main = document.getElementById("main");
const status = el("p", { role: "status", "aria-live": "polite", class: "soft" });
const place = el("div", {});
let me = null, room = null, voted = null, number = null, refused = "", gone = false, again = () => {};

async function know() {
  try { me = await (await fetch("me")).json(); } catch { /* the server is coming back */ }
  if (me) voted = me.vote;
}

function joining() {
  const name = el("input", { id: "name", maxlength: 16, autocomplete: "nickname", placeholder: t("name_example") });
  const form = el("form", { on: { submit: async (event) => {
    event.preventDefault();
    const got = await post("join", { name: event.target.elements.name.value });
    refused = got.ok ? "" : t(`refused_${got.refused ?? "gone"}`); // stays whatever the stream reports
    if (got.ok) { me = got; await know(); again(); /* the new stream is this guest's */ }
    paint();
  } } }, el("section", {}, el("h2", {}, t("join")), el("label", { for: "name" }, t("name")), name, el("button", { type: "submit" }, t("go")), el("p", { role: "status", "aria-live": "polite" }, refused), el("p", { class: "soft" }, t("name_about"))));
  return [form];
}

function voting() {
  const ballot = room?.ballot;
  if (me.waiting) return el("section", {}, el("h2", {}, t("refused_waiting")));
  if (!ballot) return el("section", {}, el("h2", {}, t("no_vote")), el("p", { class: "soft" }, t("no_vote_about")));
  const share = (one) => (ballot.tally ? `${Math.round((100 * ballot.tally[one]) / Math.max(1, ballot.votes))} %` : "");
  const line = gone ? t("lost") : !ballot.open ? (ballot.right === null ? t("closed") : voted === null ? "" : voted === ballot.right ? t("was_right") : t("was_wrong")) : voted === null ? t("choose") : t("changeable");
  return el("section", { key: `vote ${ballot.number}` }, el("h2", { class: "big" }, question(room)), ...ballot.choices.map((choice, one) =>
    el("button", { type: "button", "aria-pressed": String(voted === one), disabled: gone || !ballot.open, on: { click: () => vote(one) } },
      el("span", {}, `${ballot.right === one ? "✓ " : ""}${say(choice)}`), el("span", { class: "soft" }, share(one)))), el("p", { class: "soft" }, line), ballot.tally ? null : el("p", { class: "soft" }, t("hidden", { count: ballot.votes })));
}

async function vote(choice) {
  const got = await post("vote", { ballot: room.ballot.number, choice });
  if (got.ok) { voted = choice; status.textContent = t("counted"); } else status.textContent = t(`refused_${got.refused ?? "gone"}`);
  if (got.refused === "nobody") me = null;
  paint();
}

function paint() {
  place.classList.toggle("unheard", gone);
  if (!me) { become(place, ...joining()); return; }
  become(place,
    voting(),
    el("section", { class: "signs", "aria-label": t("signs") }, el("h2", {}, t("signs")), ...Object.keys(SIGNS).map((name) =>
      el("button", { type: "button", "aria-label": t(`sign_${name}`), disabled: gone, on: { click: () => post("react", { sign: name }) } }, sign(name)))),
    el("section", {}, el("h2", {}, t("points", { count: me.points, name: me.name })), ...(room?.best.length ? [el("ol", {}, ...room.best.map(([name, points]) => el("li", {}, el("span", {}, name), el("b", {}, String(points)))))] : [])));
}

await begin(true);
document.documentElement.lang = lang;
main.append(el("header", {}, el("h1", {}, t("vote_title"))), place, el("a", { href: `watch${location.search}` }, t("watch")), status);
await know();
paint();
again = listen("room", {
  room: async (now) => {
    const ended = room?.ballot?.open && !now.ballot;
    const fresh = (now.ballot?.number ?? null) !== number, came = now.ballot?.right !== room?.ballot?.right;
    number = now.ballot?.number ?? null;
    room = now;
    if (fresh) { voted = null; status.textContent = ended ? t("void") : ""; }
    if (me && (fresh || came || me.waiting)) await know();
    paint();
  },
  lost: () => { gone = true; status.textContent = t("lost"); paint(); },
  back: async () => {
    if (!gone) return;
    gone = false;
    status.textContent = "";
    await know();
    paint();
  },
});
