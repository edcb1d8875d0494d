// Shared by all pages: texts in their language, the stream, and a few elements.
export const asked = new URLSearchParams(location.search);
export let texts = {};
export let lang = "en";

// Load the texts in the address's language, else the reader's (if `readers`), else the host's.
export async function begin(readers = false) {
  const tried = [asked.get("lang"), ...(readers ? navigator.languages.map((one) => one.split("-")[0]) : []), document.documentElement.lang, "en"].filter(Boolean);
  for (lang = tried.shift(); ; ) {
    try {
      const got = await fetch(`texts/${encodeURIComponent(lang)}.json`);
      if (got.ok) { texts = await got.json(); break; }
      if (got.status === 404 && tried.length) { lang = tried.shift(); continue; } // there is no such language
    } catch { /* the server is coming back */ }
    await new Promise((done) => setTimeout(done, 1000));
  }
  document.documentElement.lang = lang;
  const theme = asked.get("theme");
  if (["paper", "clear"].includes(theme)) document.documentElement.classList.add(theme);
}

export const t = (key, fields = {}) =>
  (texts[key] ?? key).replace(/\{(\w+)\}/g, (all, name) => (name in fields ? fields[name] : all));
export const say = (words) => (words ? words[lang] || words.en : "");
export const cm = (metres) => (metres === null || metres === undefined ? "" : `${(100 * metres).toFixed(1).replace(".", texts.point)} cm`);

export function el(tag, options = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "class") made.className = value;
    else if (name === "key") made.dataset.key = value;
    else if (name === "on") {
      made.acts = value;
      for (const event of Object.keys(value)) made.addEventListener(event, (happened) => made.acts[event](happened));
    } else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...inside.filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

// Make an element's children equal the wanted ones, but keep existing nodes, so that a press, the focus and typed text
// survive. Children with a key are matched by it, others by position.
export function become(place, ...wanted) {
  const fresh = wanted.filter((one) => one !== null && one !== undefined && one !== false);
  const keys = new Set(fresh.map((one) => one.dataset?.key).filter(Boolean)), known = new Map();
  for (const one of [...place.children]) {
    if (!one.dataset.key) continue;
    if (keys.has(one.dataset.key)) known.set(one.dataset.key, one);
    else one.remove();
  }
  let at = place.firstChild;
  for (const one of fresh) {
    const key = one.dataset?.key;
    const kept = key ? known.get(key) : at?.dataset?.key ? null : at;
    if (!kept || kept.nodeName !== one.nodeName) { place.insertBefore(one, at); if (kept && !key) { at = kept.nextSibling; kept.remove(); } continue; }
    if (kept !== at) place.insertBefore(kept, at);
    same(kept, one);
    at = kept.nextSibling;
  }
  while (at) { const next = at.nextSibling; at.remove(); at = next; }
}

function same(kept, fresh) {
  if (kept.nodeType === Node.TEXT_NODE) { if (kept.data !== fresh.data) kept.data = fresh.data; return; }
  for (const { name } of [...kept.attributes]) if (name !== "style" && name !== "open" && !fresh.hasAttribute(name)) kept.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (name !== "style" && kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  if (kept.style.cssText !== fresh.style.cssText) kept.style.cssText = fresh.style.cssText; // the attribute would be refused
  if (kept.type === "checkbox") kept.checked = fresh.hasAttribute("checked");
  kept.acts = fresh.acts;
  become(kept, ...fresh.childNodes);
}

export function svg(tag, options = {}, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(options)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

const SILENT_MS = 10000; // the server is heard at least every five seconds
const FRESH_MS = 1000; // a page that wakes this soon after hearing something keeps its stream

// Follow a stream; reopen it when it ends or falls silent, or after the page was asleep. Return a function that reopens it.
export function listen(where, hear) {
  let stream, silence, heardMs = Date.now();
  const unheard = () => { (hear.silent ?? hear.lost)?.(); open(); };
  const heard = () => {
    heardMs = Date.now();
    clearInterval(silence);
    silence = setInterval(unheard, SILENT_MS);
    hear.back?.();
  };
  const open = () => {
    stream?.close();
    const opened = stream = new EventSource(where);
    for (const name of ["feed", "room", "signs", "places"]) opened.addEventListener(name, (event) => { heard(); hear[name]?.(JSON.parse(event.data)); });
    for (const name of ["open", "beat"]) opened.addEventListener(name, heard);
    opened.onerror = () => {
      hear.lost?.();
      if (opened.readyState === EventSource.CLOSED) setTimeout(() => { if (stream === opened) open(); }, 1500);
    };
  };
  const wake = () => {
    const quietMs = Date.now() - heardMs;
    if (document.hidden || quietMs < FRESH_MS) return;
    if (quietMs < SILENT_MS) open();
    else unheard();
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", wake);
  silence = setInterval(unheard, SILENT_MS);
  open();
  return open;
}

export async function post(what, body) {
  try {
    const got = await fetch(what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    return { ok: got.ok, ...(await got.json().catch(() => ({}))) };
  } catch {
    return { ok: false, refused: "gone" };
  }
}

export function swatch(colour) {
  const made = el("span", { class: "swatch", "aria-hidden": "true" });
  made.style.setProperty("background", colour || "transparent");
  return made;
}

// Draw a vote's bars, which have no length while its result is hidden.
export function bars(ballot, chat = false) {
  const tally = ballot.tally ?? [], all = tally.reduce((sum, one) => sum + one, 0);
  const drawn = ballot.choices.map((choice, number) => {
    const fill = el("i");
    fill.style.setProperty("width", `${all ? (100 * tally[number]) / all : 0}%`);
    const right = ballot.right === number;
    return el("div", { class: right ? "bar right" : "bar" }, fill, el("span", {}, (chat ? `!${number + 1}  ` : "") + say(choice)), el("span", {}, String(tally[number] ?? "")));
  });
  return ballot.tally ? drawn : [...drawn, el("p", { class: "soft" }, t("hidden", { count: ballot.votes }))];
}

// Describe how phones join: the address to type, the letters, and the certificate's fingerprint.
export const house = (room) => [el("p", { class: "letters" }, el("span", {}, room.at), " ", el("b", {}, room.code)), room.fingerprint ? el("p", { class: "soft" }, t("fingerprint", { digits: room.fingerprint })) : null].filter(Boolean);
export const question = (room) => room.ballot.question === "own" ? room.ballot.about : t(`ask_${room.ballot.question}`, { player: room.ballot.about });
const face = (mouth) => ["M20 3a17 17 0 1 0 .01 0zM13 14a2.6 2.6 0 1 1-.01 0zM27 14a2.6 2.6 0 1 1-.01 0z", mouth];
// Drawings of the reactions, because not every machine has an emoji font.
export const SIGNS = {
  crescent: ["M25 4 A17 17 0 1 0 36 27 A14 14 0 0 1 25 4z"],
  heart: ["M20 35 C4 23 3 15 6 10 C10 4 17 5 20 12 C23 5 30 4 34 10 C37 15 36 23 20 35z"],
  star: ["M20 3 L25 15 L38 16 L28 24 L31 37 L20 30 L9 37 L12 24 L2 16 L15 15z"],
  laugh: face("M9 22 a11 11 0 0 0 22 0z"),
  gasp: face("M20 22 a5 6 0 1 0 .01 0z"),
};
export const sign = (name) => svg("svg", { viewBox: "0 0 40 40", class: "sign-icon", "aria-hidden": "true" },
  ...[(SIGNS[name] ?? []).join("")].map((d) => svg("path", { d, fill: "currentColor", "fill-rule": "evenodd" })));
