// An invented moment, to arrange the overlay without a game.
import { t } from "./common.js";

const same = (words) => ({ en: words, fr: words });
const seat = (name, colour, score) => ({ name, colour, score, out: false, note: same("") });
const told = (number, turn, ok) => ({ seat: number, turn, ok, words: same(ok ? t("demo_good") : t("demo_bad")) });
export const verdict = () => told(1, 12, true);

export function state() {
  const standing = { seats: [seat("Ann", "#e8a33d", 3), seat("Maximilian", "#6fb7ff", 5), seat("Zoé", "#7fe8a6", 4)], on_turn: 1, turn: 12, tears_left: 4, die: "two ladders",
    hint: same(t("demo_hint")), paused: false, wanted: [2, 2], held: true, would_honour: true, touching: [1, 2], top_m: 0.416 };
  return { began: { title: same("armoon"), counts: same(t("score")), seats: standing.seats }, standing, told: [told(0, 10, true), told(2, 11, false), told(1, 12, true)], heights: [], figures: [],
    result: { words: same(t("demo_result")), more: same("3 · 5 · 4") } };
}

export const room = () => ({ guests: 24, best: [["Luna", 7], ["Max", 5]], turn: 12, chat: false, reachable: true, hidden: false, at: "192.168.1.5:8737", code: "MNPQ",
  ballot: { number: 1, question: "holds", about: "Zoé", choices: [same(t("demo_yes")), same(t("demo_no"))], tally: [15, 9], votes: 24, open: true, right: null } });
