// The host's page that moves and scales the overlay's parts, by dragging or by arrow keys, + and -.
import { become, begin, el, lang, post, t } from "./common.js";
import { PARTS, put } from "./arranging.js";

const SIZES = { wide: [1920, 1080], tall: [1080, 1920] }, STEP = 1, GROWS = 0.05, LEAST = 0.3, MOST = 4, CORNER = 44;
const main = document.getElementById("main");
const known = await (await fetch("guests")).json();
const frame = el("iframe", { tabindex: -1 });
const stage = el("div", { class: "stage" }, frame);
const tools = el("div", { class: "tools" });
let shape = "wide", places = known.places, chosen = null, held = null, told = "";

const key = (name) => `${shape}.${name}`;
const panel = (name) => frame.contentDocument?.querySelector(`[data-part="${name}"]`);
const clamp = (value, least, most) => Math.min(Math.max(value, least), Math.max(least, most));

function size() {
  const [wide, tall] = SIZES[shape], scale = Math.min(stage.clientWidth / wide, (innerHeight - 40) / tall);
  frame.style.cssText = `width: ${wide}px; height: ${tall}px; transform: scale(${scale})`;
  stage.style.setProperty("height", `${tall * scale}px`);
}

// Move and scale a part, but keep it inside the picture.
function place(name, x, y, grown) {
  const box = panel(name).getBoundingClientRect(), now = places[key(name)]?.[2] ?? 1, [wide, tall] = SIZES[shape];
  const to = clamp(grown, LEAST, MOST), across = (100 * box.width * to) / now / wide, down = (100 * box.height * to) / now / tall;
  places = { ...places, [key(name)]: [clamp(x, 0, 100 - across), clamp(y, 0, 100 - down), to].map((one) => Math.round(100 * one) / 100) };
  dress();
}
function where(name) {
  const box = panel(name).getBoundingClientRect(), [wide, tall] = SIZES[shape];
  return places[key(name)] ?? [(100 * box.left) / wide, (100 * box.top) / tall, 1];
}
function back(...names) {
  places = Object.fromEntries(Object.entries(places).filter(([one]) => !names.map(key).includes(one)));
  dress();
  save();
}
async function save() {
  const got = await post("layout", { places });
  told = got.ok ? t("done") : t("refused_gone");
  paint();
}

function dress() {
  for (const name of PARTS) {
    const one = panel(name);
    if (!one) continue;
    put(one, places[key(name)]);
    one.classList.toggle("chosen", name === chosen);
  }
}
function choose(name) { chosen = name; dress(); paint(); }

function watch() {
  const inside = frame.contentDocument;
  new frame.contentWindow.MutationObserver(dress).observe(inside.getElementById("main"), { childList: true, subtree: true });
  inside.body.classList.add("arranged");
  inside.addEventListener("pointerdown", (event) => {
    const one = event.target.closest("[data-part]");
    if (!one) return;
    event.preventDefault();
    const box = one.getBoundingClientRect(), name = one.dataset.part;
    held = { name, from: [event.clientX, event.clientY], at: where(name), box, sizes: event.clientX > box.right - CORNER && event.clientY > box.bottom - CORNER };
    one.setPointerCapture(event.pointerId);
    choose(name);
  });
  inside.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y, now] = held.at, [wide, tall] = SIZES[shape], dx = event.clientX - held.from[0], dy = event.clientY - held.from[1];
    if (held.sizes) place(held.name, x, y, (now * (held.box.width + dx)) / held.box.width);
    else place(held.name, x + (100 * dx) / wide, y + (100 * dy) / tall, now);
  });
  for (const ends of ["pointerup", "pointercancel"]) inside.addEventListener(ends, () => { if (held) { held = null; save(); } });
  dress();
}

function typed(event, name) {
  const moves = { ArrowLeft: [-STEP, 0, 0], ArrowRight: [STEP, 0, 0], ArrowUp: [0, -STEP, 0], ArrowDown: [0, STEP, 0], "+": [0, 0, GROWS], "=": [0, 0, GROWS], "-": [0, 0, -GROWS] }[event.key];
  if (event.key === "Delete" || event.key === "Backspace") back(name);
  else if (moves) {
    event.preventDefault();
    const [x, y, now] = where(name), often = event.shiftKey && event.key !== "+" ? 5 : 1;
    place(name, x + often * moves[0], y + often * moves[1], now + moves[2]);
    save();
  }
}

function paint() {
  const shapes = Object.keys(SIZES).map((one) => el("button", { type: "button", key: one, "aria-pressed": String(shape === one), on: { click: () => { shape = one; size(); dress(); paint(); } } }, one === "wide" ? t("arrange_wide") : t("arrange_tall")));
  become(tools, el("h1", {}, t("arrange")), el("p", {}, t("arrange_about")), el("div", { class: "row" }, ...shapes),
    ...PARTS.map((name) => el("button", { type: "button", key: name, "aria-pressed": String(chosen === name), on: { focus: () => choose(name), click: () => choose(name), keydown: (event) => typed(event, name) } }, t(`part_${name}`))),
    el("button", { type: "button", key: "back", on: { click: () => back(...PARTS) } }, t("arrange_back")), el("p", { role: "status", "aria-live": "polite", class: "soft" }, told));
}

await begin();
frame.src = `/${known.view}/overlay?demo=1&lang=${lang}&parts=${PARTS.join(",")}`;
frame.title = t("arrange");
main.append(tools, stage);
frame.addEventListener("load", watch);
if (frame.contentDocument?.readyState === "complete" && frame.contentDocument.getElementById("main")) watch();
addEventListener("resize", size);
paint();
size();
