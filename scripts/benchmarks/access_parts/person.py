"""A simulated person who chooses and confirms: sees what is lit or where a target is, and presses after a reaction.

They aim at the place that is offered first, after a second's judging; they miss presses, press late, and so at times
what they didn't mean, and then they put that right. They know nothing but the page.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from armoon.screens.state import PageName
from armoon.values.page import Widget
from armoon.values.poses import Vec2
from benchmarks.access_parts.sitting import FRAME_S, Sitting

#: What they weigh before they choose a place, and how long a press lasts.
JUDGING_S, PRESS_S = 1.0, 0.15
#: From one target to another with a mouse, and with a hand before a camera; a target that is missed is tried anew.
MOUSE_S, HAND_S = 1.2, 1.8
#: A hand that rests trembles by so much, parts of the window.
TREMBLING = 0.006


@dataclass(frozen=True)
class Reactions:
    """How quick and how sure."""

    mean_s: float
    sd_s: float
    misses: float

    def draw(self, dice: random.Random) -> float:
        """One reaction, seconds."""
        return max(0.2, dice.gauss(self.mean_s, self.sd_s))


QUICK = Reactions(0.65, 0.2, 0.03)
SLOW = Reactions(1.3, 0.5, 0.10)


def wanted(sitting: Sitting) -> str:
    """What is to be pressed next, by what the page shows; empty: wait."""
    screens = sitting.front.screens
    if screens.page is not PageName.TABLE:
        names = {item.name for item in sitting.page.widgets if item.enabled}
        return next((name for name in ("on", "resume", "stay", "back") if name in names), "")
    names = {f"choose {one.name}" for one in screens.choices.choices}
    if "choose let_go" in names:
        return "choose back" if "choose higher" in names else "choose let_go"
    places = sorted(name for name in names if name.startswith("choose place"))
    if places:
        return places[0]
    return next((name for name in ("choose stop", "choose roll", "choose give_up") if name in names), "")


class Person(ABC):
    """Somebody with one way; ``live`` is called once a frame."""

    def __init__(self, sitting: Sitting, reactions: Reactions, dice: random.Random) -> None:
        self.sitting, self.reactions, self.dice = sitting, reactions, dice
        self._at_s: float | None = None
        self._act: Callable[[], None] = lambda: None
        self._seen: object = None
        self._up: Callable[[], None] | None = None
        self._up_s = 0.0
        self._judged = ""

    def live(self) -> None:
        """See, and do what is due."""
        now_s = self.sitting.now_s
        if self._up is not None and now_s >= self._up_s:
            self._up()
            self._up = None
        if self._at_s is not None and now_s >= self._at_s:
            self._at_s = None
            self._act()
        elif self._at_s is None and self._up is None:
            self.look()

    @abstractmethod
    def look(self) -> None:
        """What is seen now."""

    def plan(self, act: Callable[[], None], extra_s: float = 0.0) -> None:
        """Do that after a reaction, unless it is missed."""
        self._at_s = self.sitting.now_s + extra_s + self.reactions.draw(self.dice)
        missed = self.dice.random() < self.reactions.misses
        self._act = (lambda: None) if missed else act

    def judging_s(self, name: str) -> float:
        """A place is weighed once, before it is chosen."""
        fresh = name.startswith("choose place") and self._judged != name
        self._judged = name
        return JUDGING_S if fresh else 0.0

    def press(self, name: str, device: Callable[[str, bool], None]) -> None:
        """A key or button goes down, and up after a moment."""
        device(name, True)
        self._up, self._up_s = (lambda: device(name, False)), self.sitting.now_s + PRESS_S


class OneSwitch(Person):
    """Presses when what is wanted is lit."""

    def look(self) -> None:
        """Each lighting is seen once."""
        scan, name = self.sitting.front.screens.scan, wanted(self.sitting)
        seen = (scan.names, scan.rounds, scan.page, name)
        if seen == self._seen or scan.rests_s > 0.0:
            return
        self._seen = seen
        if scan.asleep or (name and name in scan.names):
            self.plan(lambda: self.press("space", self.sitting.key))


class TwoSwitches(Person):
    """One goes on until what is wanted is lit, the other takes it."""

    def look(self) -> None:
        """What is wanted is taken, anything else passed over."""
        scan, name = self.sitting.front.screens.scan, wanted(self.sitting)
        if not name or scan.rests_s > 0.0 or not (scan.names or scan.asleep):
            return
        key = "enter" if name in scan.names else "space"
        self.plan(lambda: self.press(key, self.sitting.key), self.judging_s(name))


class ByKeys(Person):
    """Space rolls; Tab goes on, Enter takes."""

    roll, step, take = "space", "tab", "enter"

    def device(self, name: str, pressed: bool) -> None:
        """A key."""
        self.sitting.key(name, pressed)

    def look(self) -> None:
        """Tab until it has the focus, then Enter."""
        name = wanted(self.sitting)
        if not name:
            return
        focused = [widget.name for widget in self.sitting.page.widgets if widget.focused]
        key = self.take if name in focused else self.step
        if name == "choose roll":
            key = self.roll
        self.plan(lambda: self.press(key, self.device), self.judging_s(name))


class ByPad(ByKeys):
    """X rolls; the cross goes on, A takes."""

    roll, step, take = "x", "down", "a"

    def device(self, name: str, pressed: bool) -> None:
        """A button."""
        self.sitting.pad(name, pressed)


class ByClicks(Person):
    """Goes to the target, and clicks."""

    def look(self) -> None:
        """Over to the target."""
        name = wanted(self.sitting)
        widget = next((one for one in self.sitting.page.widgets if one.name == name), None)
        if widget is None:
            return
        place = self.aim(widget)
        self.plan(lambda: self._click(place), MOUSE_S + self.judging_s(name))

    def aim(self, widget: Widget) -> Vec2:
        """Into its middle, more or less."""
        rect = widget.rect
        across, down = (self.dice.gauss(0.5, 0.15) for _ in range(2))
        return (rect.x + rect.width * across, rect.y + rect.height * down)

    def _click(self, place: Vec2) -> None:
        self.sitting.point(place, False, False)
        self.sitting.point(place, True, False)
        self._up = lambda: self.sitting.point(place, False, True)
        self._up_s = self.sitting.now_s + PRESS_S


class ByDwell(ByClicks):
    """A hand before the camera rests on the target until it counts as pressed."""

    _resting: Vec2 | None = None
    _name = ""

    def live(self) -> None:
        """The hand is always somewhere."""
        super().live()
        if self._resting is not None:
            if wanted(self.sitting) != self._name:
                self._resting = None
                self.sitting.front.hand((0.5, 0.05), FRAME_S)
                return
            x, y = (part + self.dice.gauss(0.0, TREMBLING) for part in self._resting)
            self.sitting.front.hand((x, y), FRAME_S)

    def look(self) -> None:
        """Over to the target, to rest there."""
        name = wanted(self.sitting)
        widget = next((one for one in self.sitting.page.widgets if one.name == name), None)
        if widget is None or self._resting is not None:
            return
        place = widget.rect.centre

        def rest() -> None:
            self._resting, self._name = place, name
            self.sitting.presses += 1

        self.plan(rest, HAND_S + self.judging_s(name))
