// Where the parts of an overlay stand, where the host has placed them: left and top in percent of the picture, and size.
export const PARTS = ["score", "die", "height", "verdict", "ticker", "vote", "result", "qr"];
export const shapeOf = (view) => (view.innerWidth >= view.innerHeight ? "wide" : "tall");

// Places a panel; without a place it stands where it stood.
export function put(panel, at) {
  panel.classList.toggle("placed", Boolean(at));
  const [x, y, size] = at ?? [];
  for (const [name, value] of [["left", `${x}%`], ["top", `${y}%`], ["transform", `scale(${size})`]])
    if (at) panel.style.setProperty(name, value);
    else panel.style.removeProperty(name);
}
