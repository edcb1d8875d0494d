"""The parts of the window that the table's page occupies during a game; the glass avoids its buttons."""

from __future__ import annotations

from armoon.values.page import IN_PLACE, Rect

#: The buttons from halfway up the left edge downwards, where neither the score nor the lid is: left, top, width, height
#: and gap of each, in a wide window and in a tall one; and how many there are at most.
LEFT_EDGE = {False: (0.019, 0.545, 0.105, 0.052, 0.003), True: (0.02, 0.48, 0.16, 0.05, 0.01)}
AT_EDGE = 5
#: Width of a sign among them, in its heights; its words, while something rests on it, take the whole place.
ICON_WIDE = 1.5
#: In very large letters the pause alone; the rest is on its page.
LARGE_PAUSE = {False: Rect(0.012, 0.545, 0.19, 0.115), True: Rect(0.02, 0.48, 0.36, 0.07)}
#: A real die's faces below the die's place, and above them the score, where they are asked for.
FACES = {False: Rect(0.86, 0.175, 0.121, 0.335), True: Rect(0.80, 0.19, 0.18, 0.24)}
#: What can be chosen, above the strip of keys; in a tall window the ladders that are left stand below it.
CHOICES = {False: Rect(0.705, 0.246, 0.285, 0.577), True: Rect(0.22, 0.51, 0.76, 0.30)}
#: The little that is beside the places' numbers in the picture, below the die's place and above a ladder in the lid.
ABOVE_LID = Rect(0.705, 0.18, 0.285, 0.18)
#: In very large letters the glass needs more of the lower edge.
LARGE_CHOICES = {False: Rect(0.705, 0.252, 0.285, 0.438), True: Rect(0.22, 0.56, 0.76, 0.21)}
#: From where to where the game stands between the left edge's buttons and what can be chosen, in a wide window.
BETWEEN = (LEFT_EDGE[False][0] + LEFT_EDGE[False][2], CHOICES[False].x)


def taken(*, tall: bool, text_scale: float, chooses: bool) -> tuple[Rect, ...]:
    """Return a real die's faces, the buttons of the left edge, and what can be chosen where somebody ``chooses``."""
    large = text_scale > IN_PLACE
    x, y, width, height, gap = LEFT_EDGE[tall]
    edge = Rect(x, y, width, AT_EDGE * (height + gap) - gap)
    places = (FACES[tall], LARGE_PAUSE[tall] if large else edge)
    if not chooses:
        return places
    listed = (LARGE_CHOICES if large else CHOICES)[tall]
    return (*places, listed) if tall or large else (*places, listed, ABOVE_LID)
