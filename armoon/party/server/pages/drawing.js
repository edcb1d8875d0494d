// Small drawings as SVG: the die's faces, the structure from the feed, the chart of heights.
import { svg, cm } from "./common.js";

export function dieFace(face) {
  const box = svg("svg", { viewBox: "0 0 40 40", class: "icon", "aria-hidden": "true" });
  box.append(svg("rect", { x: 2, y: 2, width: 36, height: 36, rx: 7, fill: "#f3ead8", stroke: "#7d6a48", "stroke-width": 1.5 }));
  const ladder = (x) => {
    const lines = [[x - 4, 8, x - 5, 32], [x + 4, 8, x + 5, 32]];
    for (let y = 12; y < 32; y += 5) lines.push([x - 4.5, y, x + 4.5, y]);
    for (const [x1, y1, x2, y2] of lines) box.append(svg("line", { x1, y1, x2, y2, stroke: "#7a4a21", "stroke-width": 2, "stroke-linecap": "round" }));
  };
  if (face === "crescent") box.append(svg("path", { d: "M26 8 A13 13 0 1 0 32 27 A11 11 0 0 1 26 8", fill: "#3f5fae" }));
  else if (face === "two ladders") { ladder(12); ladder(28); }
  else if (face) ladder(20);
  return box;
}

export const turned = ([x, y, z], [px, py, pz, i, j, k, w]) => {
  const tx = 2 * (j * z - k * y), ty = 2 * (k * x - i * z), tz = 2 * (i * y - j * x);
  return [x + w * tx + j * tz - k * ty + px, y + w * ty + k * tx - i * tz + py, z + w * tz + i * ty - j * tx + pz];
};
// Project a point, seen from slightly above the front, or straight from above.
const seen = (from) => (from === "above" ? ([x, y]) => [x, -y, 0] : ([x, y, z]) => [x + 0.12 * y, -(0.94 * z + 0.3 * y), y]);
export const COLOURS = { held: "#ffcc6b", offered: "#9fc4ff", touched: "#7fe8a6", honoured: "#7fe8a6", fault: "#ff8d7a", liftable: "#ffcc6b", hover: "#ffcc6b" };

export function structure(box, began, standing) {
  const shapes = new Map(began.shapes.map((shape) => [shape.name, shape]));
  const place = seen(began.seen_from);
  const drawn = [];
  let low = [1e9, 1e9], high = [-1e9, -1e9];
  for (const piece of standing.pieces) {
    const shape = shapes.get(piece.shape);
    if (!shape) continue;
    let depth = 0, count = 0;
    const lines = shape.lines.map((line) => line.map((point) => {
      const [x, y, d] = place(turned(point, piece.pose));
      depth += d; count += 1;
      low = [Math.min(low[0], x), Math.min(low[1], y)]; high = [Math.max(high[0], x), Math.max(high[1], y)];
      return [x, y];
    }));
    drawn.push({ piece, shape, lines, depth: piece.name === "base" ? 1e9 : depth / Math.max(1, count) });
  }
  drawn.sort((a, b) => b.depth - a.depth);
  const wide = Math.max(high[0] - low[0], 0.05), tall = Math.max(high[1] - low[1], 0.05), edge = 0.06 * Math.max(wide, tall);
  box.setAttribute("viewBox", [low[0] - edge, low[1] - edge, wide + 2 * edge, tall + 2 * edge].map((n) => (1000 * n).toFixed(1)).join(" "));
  box.replaceChildren(...drawn.map(({ piece, shape, lines }) => {
    const stroke = COLOURS[piece.look] || shape.colour;
    const closed = began.seen_from === "above" && piece.name !== "base";
    const d = lines.map((line) => "M" + line.map(([x, y]) => `${(1000 * x).toFixed(1)} ${(1000 * y).toFixed(1)}`).join("L") + (closed ? "Z" : "")).join("");
    return svg("path", { d, fill: closed ? shape.colour : "none", stroke: closed ? COLOURS[piece.look] || "#0b1020" : stroke,
      "stroke-width": piece.name === "base" ? 1.2 : closed ? 1.2 : 3, "stroke-linecap": "round", "stroke-linejoin": "round" });
  }));
}

export function heights(box, state) {
  const told = state.heights;
  const top = Math.max(0.1, ...told.map((one) => one.top_m)) * 1.1;
  const wide = 320, tall = 150, left = 38, bottom = 22;
  const x = (n) => left + (told.length < 2 ? 0 : (n * (wide - left - 8)) / (told.length - 1));
  const y = (m) => tall - bottom - (m / top) * (tall - bottom - 8);
  box.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
  const marks = [0, top / 2.2, top / 1.1].map((m) => [
    svg("line", { x1: left, x2: wide - 8, y1: y(m), y2: y(m), stroke: "#8fa3d0", "stroke-width": 0.4 }),
    Object.assign(svg("text", { x: left - 4, y: y(m) + 4, "text-anchor": "end" }), { textContent: cm(m).replace(/[.,]\d cm/, "") })]).flat();
  const way = told.length ? [svg("path", { d: "M" + told.map((one, n) => `${x(n).toFixed(1)} ${y(one.top_m).toFixed(1)}`).join("L"), fill: "none", stroke: "#ffcc6b", "stroke-width": 2 })] : [];
  const dots = told.map((one, n) => svg("circle", { cx: x(n), cy: y(one.top_m), r: 3.2, fill: state.began.seats[one.seat]?.colour || "#fff", stroke: one.ok ? "#0b1020" : "#ff8d7a", "stroke-width": one.ok ? 0.8 : 2 }));
  box.replaceChildren(...marks, ...way, ...dots);
}
