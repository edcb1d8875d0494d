// Places of the overlay's parts: left and top in percent of the picture, and scale.
export const PARTS = ["score", "die", "height", "verdict", "ticker", "vote", "result", "qr"];
export const shapeOf = (view) => (view.innerWidth >= view.innerHeight ? "wide" : "tall");

// Put a panel at a place; without one it returns to its usual place.
export function put(panel, at) {
  panel.classList.toggle("placed", Boolean(at));
  const [x, y, size] = at ?? [];
  for (const [name, value] of [["left", `${x}%`], ["top", `${y}%`], ["transform", `scale(${size})`]])
    if (at) panel.style.setProperty(name, value);
    else panel.style.removeProperty(name);
}
