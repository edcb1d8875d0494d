"""A simulated person who plays with the head alone: turns it towards what is wanted, looks again, opens the mouth.

A turn begins a reaction after it was decided, and ends when the pointer seems to arrive: when that is, they misjudge by
the spread of their reactions. The head comes and goes as heads do, and is seen with the tracker's noise.
"""

from __future__ import annotations

import math
import random

from armoon.app.input_modes.head_front import settings_of
from armoon.faces.head import Head, Heads
from armoon.faces.pointing import FAST_S, GROWTH, PITCH_DEAD_DEG, PITCH_REACH, SLOW_S, HeadPointer
from armoon.values.page import Rect
from benchmarks.access_parts.person import Person, Reactions, wanted
from benchmarks.access_parts.sitting import FRAME_S, Sitting

#: The tracker's noise (docs/access.md), and how a head comes to where it is wanted.
NOISE_DEG = 0.3
HEAD_S = 0.12
#: A way is meant to take so long; a speed is hit but for this share, one standard deviation.
WAY_S, MISJUDGED = 1.0, 0.2
#: Who hasn't come there after so long looks anew.
LONGEST_S = 2.5
#: A mouth is held open so long.
OPEN_S = 0.5
MOUTH = {True: 0.35, False: 0.03}
#: Who sits there.
AT_REST = Head((0.5, 0.4), 0.15, 0.0, -4.0, 0.0, MOUTH[False], 0.75)


class ByHead(Person):
    """Steers the pointer by turns of the head, and presses by the mouth."""

    def __init__(self, sitting: Sitting, reactions: Reactions, dice: random.Random) -> None:
        super().__init__(sitting, reactions, dice)
        self._pointer = HeadPointer(settings_of(sitting.front.screens))
        self._turned = [0.0, 0.0]
        self._wish = [0.0, 0.0]
        self._aim = (0.5, 0.5)
        self._late_s = 0.0
        self._last = (0.5, 0.5)
        self._turns_until_s = 0.0
        self._open_until_s = -math.inf
        self._frames = 0

    def live(self) -> None:
        """The head is always somewhere."""
        now_s = self.sitting.now_s
        self._stop_where_it_arrives()
        share = 1.0 - math.exp(-FRAME_S / HEAD_S)
        for k in range(2):
            self._turned[k] += share * (self._wish[k] - self._turned[k])
        right, up = (part + self.dice.gauss(0.0, NOISE_DEG) for part in self._turned)
        mouth = MOUTH[now_s < self._open_until_s]
        head = Head(AT_REST.place, AT_REST.width, -right, AT_REST.pitch_deg + up, 0.0, mouth, AT_REST.smile)
        self._frames += 1
        seen = self._pointer.see(Heads(self._frames * FRAME_S, self._frames, (head,)))
        self.sitting.head(seen)
        super().live()

    def look(self) -> None:
        """Where the pointer is, and what is wanted."""
        name, place = wanted(self.sitting), self.sitting.front.screens.pointer
        widget = next((one for one in self.sitting.page.widgets if one.name == name), None)
        busy = self.sitting.now_s < max(self._turns_until_s + HEAD_S, self._open_until_s + HEAD_S)
        if widget is None or place is None or busy:
            return
        target = _inner(widget.rect)
        if target.holds(place):
            self.plan(self._open, self.judging_s(name))
        else:
            self.plan(lambda: self._turn(target))

    def _open(self) -> None:
        self.sitting.presses += 1
        self._open_until_s = self.sitting.now_s + OPEN_S

    def _turn(self, target: Rect) -> None:
        """Towards its middle, both ways at once; not the way in which it is met already."""
        place = self.sitting.front.screens.pointer
        if place is None:
            return
        settings, self._aim = self._pointer.settings, target.centre
        dead, reach = settings.dead_deg, settings.reach_deg
        x, y = target.centre
        across = 0.0 if target.holds((place[0], y)) else (x - place[0]) / WAY_S
        down = 0.0 if target.holds((x, place[1])) else (y - place[1]) / WAY_S
        right = self._angle(across, dead, reach, SLOW_S[0], FAST_S[0])
        under = self._angle(down, dead + PITCH_DEAD_DEG, reach * PITCH_REACH, SLOW_S[1], FAST_S[1])
        self._wish = [right, -under]
        self._late_s = self.dice.gauss(0.0, self.reactions.sd_s)
        self._turns_until_s = self.sitting.now_s + LONGEST_S

    def _stop_where_it_arrives(self) -> None:
        """Straight ahead again, each way for itself, where the pointer will be when the head is back."""
        place = self.sitting.front.screens.pointer
        if place is None or not any(self._wish):
            return
        for k in range(2):
            speed = (place[k] - self._last[k]) / FRAME_S
            ahead = place[k] + speed * (HEAD_S + self._late_s)
            # Up is down in the window.
            along = math.copysign(1.0, self._wish[k]) * (1.0, -1.0)[k]
            if (ahead - self._aim[k]) * along >= 0.0 or self.sitting.now_s > self._turns_until_s:
                self._wish[k] = 0.0
        self._last = place
        if not any(self._wish):
            self._turns_until_s = self.sitting.now_s

    def _angle(self, speed: float, dead: float, reach: float, slow: float, fast: float) -> float:
        """How far it is turned for a speed, as well as somebody knows it by now."""
        wanted_s = abs(speed) * max(0.3, self.dice.gauss(1.0, MISJUDGED))
        if not speed:
            return 0.0
        # Nothing is slower than the slowest: a short way takes a moment then.
        part = min(1.0, max(0.02, (wanted_s - slow) / (fast - slow))) ** (1.0 / GROWTH)
        return math.copysign(dead + part * (reach - dead), speed)


def _inner(rect: Rect) -> Rect:
    """The middle of it: nobody aims at a rim."""
    return Rect(rect.x + rect.width * 0.2, rect.y + rect.height * 0.2, rect.width * 0.6, rect.height * 0.6)
