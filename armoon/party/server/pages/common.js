// What all pages share: words in their language, the stream, and a few elements.
export const asked = new URLSearchParams(location.search);
export let texts = {};
export let lang = "en";

export async function begin() {
  lang = asked.get("lang") || document.documentElement.lang || lang;
  for (;;) {
    try {
      const got = await fetch(`texts/${encodeURIComponent(lang)}.json`);
      if (got.ok) { texts = await got.json(); break; }
      if (got.status === 404 && lang !== "en") { lang = "en"; continue; } // there is no such language
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
    else if (name === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...inside.filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

export function svg(tag, options = {}, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(options)) made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

// Listens for ever: a stream that ends, or a server that isn't there, is asked again.
export function listen(where, hear) {
  const open = () => {
    const stream = new EventSource(where);
    for (const [name, act] of Object.entries(hear))
      if (name !== "lost" && name !== "back") stream.addEventListener(name, (event) => act(JSON.parse(event.data)));
    stream.onopen = () => hear.back?.();
    stream.onerror = () => {
      hear.lost?.();
      if (stream.readyState === EventSource.CLOSED) setTimeout(open, 1500);
    };
  };
  open();
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

export function bars(ballot, chat = false) {
  const all = ballot.tally.reduce((sum, one) => sum + one, 0);
  return ballot.choices.map((choice, number) => {
    const fill = el("i");
    fill.style.setProperty("width", `${all ? (100 * ballot.tally[number]) / all : 0}%`);
    const right = ballot.right === number;
    return el("div", { class: right ? "bar right" : "bar" }, fill, el("span", {}, (chat ? `!${number + 1}  ` : "") + say(choice)), el("span", {}, String(ballot.tally[number])));
  });
}

export const question = (room) => t(`ask_${room.ballot.question}`, { player: room.on_turn });
const face = (mouth) => ["M20 3a17 17 0 1 0 .01 0zM13 14a2.6 2.6 0 1 1-.01 0zM27 14a2.6 2.6 0 1 1-.01 0z", mouth];
// Drawn, since not every machine has letters for them.
export const SIGNS = {
  crescent: ["M25 4 A17 17 0 1 0 36 27 A14 14 0 0 1 25 4z"],
  heart: ["M20 35 C4 23 3 15 6 10 C10 4 17 5 20 12 C23 5 30 4 34 10 C37 15 36 23 20 35z"],
  star: ["M20 3 L25 15 L38 16 L28 24 L31 37 L20 30 L9 37 L12 24 L2 16 L15 15z"],
  laugh: face("M9 22 a11 11 0 0 0 22 0z"),
  gasp: face("M20 22 a5 6 0 1 0 .01 0z"),
};
export const sign = (name) => svg("svg", { viewBox: "0 0 40 40", class: "sign-icon", "aria-hidden": "true" },
  ...[(SIGNS[name] ?? []).join("")].map((d) => svg("path", { d, fill: "currentColor", "fill-rule": "evenodd" })));
