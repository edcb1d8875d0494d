"""A bot on one page: it lays its ladder flat over the highest standing ladder, whatever the die shows.

It speaks the lines of docs/bots.md and needs nothing but Python.
"""

import math
import sys


def say(*words: object) -> None:
    """Send one line to the game."""
    print(*words, flush=True)


def reach_m(boxes: list[list[float]]) -> float:
    """Return the largest distance of a corner of a ladder's boxes from its middle."""
    return max(math.dist((0, 0, 0), box[:3]) + math.dist((0, 0, 0), box[7:]) for box in boxes)


def flat(turned_rad: float) -> tuple[float, float, float, float]:
    """Return the rotation of a flat ladder, turned on the table: y up, then about the upright."""
    half, quarter = turned_rad / 2, math.sqrt(0.5)
    return (
        quarter * math.cos(half),
        quarter * math.sin(half),
        quarter * math.sin(half),
        quarter * math.cos(half),
    )


def main() -> None:
    """Answer line by line."""
    boxes: dict[str, list[list[float]]] = {}
    stands: dict[str, list[float]] = {}
    turn = 0
    for line in sys.stdin:
        verb, *words = line.split() or [""]
        if verb == "box":
            boxes.setdefault(words[0], []).append([float(word) for word in words[1:]])
        elif verb == "ready":
            say("hello", "Feather")
        elif verb == "turn":
            turn, stands = int(words[0]), {}
        elif verb == "stands":
            stands[words[0]] = [float(word) for word in words[2:]]
        elif verb == "die":
            say("say", f"{words[0].capitalize()}? Then I lay it down softly.")
        elif verb == "go":
            highest = max(stands, key=lambda name: stands[name][2])
            x, y, z = stands[highest][:3]
            say("place", x, y, z + reach_m(boxes[highest]) + 0.01, *flat(turn * 2.4))
        elif verb == "bye":
            return


if __name__ == "__main__":
    main()
