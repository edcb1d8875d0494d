"""The guided first game: two minutes of small steps, each finished by the table's state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from armoon.games.news import GuideFacts
from armoon.values.choices import Device


@dataclass(frozen=True)
class GuideStep:
    """One thing to try."""

    key: str
    """Key of its text below ``screens.guide``, with the device's name if ``each``."""
    done: Callable[[GuideFacts], bool]
    hold_s: float
    """Time for which it has to be true; reading time if it always is."""
    usual_s: float
    each: bool = False
    """Each device has its own text."""
    hand_only: bool = False
    carried: bool = False
    """Not for players who choose places, to which the simulated hand carries ladders."""


STEPS: tuple[GuideStep, ...] = (
    GuideStep("show", lambda f: f.hand_seen, 1.0, 6.0, hand_only=True),
    GuideStep("pinch", lambda f: f.hand_seen and f.pinching, 0.5, 6.0, hand_only=True),
    GuideStep("open", lambda f: f.hand_seen and not f.pinching, 0.5, 4.0, hand_only=True),
    GuideStep("roll", lambda f: f.offered or f.held, 0.3, 6.0, each=True),
    GuideStep("side", lambda f: f.offered or f.held, 5.0, 5.0, each=True, carried=True),
    GuideStep("hint", lambda f: f.hinted, 2.0, 6.0, each=True, carried=True),
    GuideStep("take", lambda f: f.held, 0.3, 12.0, each=True),
    GuideStep("carry", lambda f: f.held and f.over_base, 0.5, 12.0, each=True, carried=True),
    GuideStep("ghost", lambda f: f.held, 5.0, 6.0, carried=True),
    GuideStep("waits", lambda f: f.waits, 0.5, 12.0, each=True, carried=True),
    GuideStep("touch", lambda f: f.held and f.touching >= 1 and f.good is True, 0.5, 14.0, carried=True),
    GuideStep("let_go", lambda f: not f.held and (f.settling or f.judged), 0.0, 6.0, each=True),
    GuideStep("judged", lambda f: f.stands, 2.0, 6.0),
    GuideStep("table", lambda f: f.turned, 0.5, 10.0, each=True),
    GuideStep("die", lambda f: True, 8.0, 8.0),
    GuideStep("tears", lambda f: True, 6.0, 6.0),
    GuideStep("help", lambda f: True, 4.0, 4.0, each=True),
)
_STEP = {step.key: index for index, step in enumerate(STEPS)}
#: Minimum time of a step, so that its text can be read.
SHORTEST_S = 2.5


@dataclass(frozen=True)
class GuidedGame:
    """Progress of the guided game."""

    step: int = 0
    seconds: float = 0.0
    held_s: float = 0.0
    """Time for which its condition has been true."""
    card: int = 0
    again: bool = False
    """The ladder fell, so its turn is played once more."""

    @property
    def over(self) -> bool:
        return self.step >= len(STEPS)

    @property
    def name(self) -> str:
        if self.again and self.step == _STEP["roll"]:
            return "again"
        return "end" if self.over else STEPS[self.step].key

    def key(self, device: Device, *, chooses: bool = False) -> str:
        each = not self.over and STEPS[self.step].each and self.name != "again"
        how = "choice" if chooses else device.value
        return f"screens.guide.{self.name}.{how}" if each else f"screens.guide.{self.name}"

    def fitting(self, device: Device, *, chooses: bool = False) -> GuidedGame:
        """Return the guide at this step, or at the next that fits the player's device."""
        guide = self
        while not guide.over and (
            (STEPS[guide.step].hand_only and (device is not Device.HAND or chooses))
            or (STEPS[guide.step].carried and chooses)
        ):
            guide = guide.next()
        return guide

    @property
    def progress(self) -> float:
        """0 to 1, by the usual time of the steps."""
        return sum(step.usual_s for step in STEPS[: self.step]) / sum(step.usual_s for step in STEPS)

    def watch(self, facts: GuideFacts, seconds: float) -> GuidedGame:
        if self.over:
            return self
        in_turn = _STEP["roll"] < self.step <= _STEP["judged"]
        if in_turn and facts.judged and not facts.stands:
            return GuidedGame(_STEP["roll"], card=self.card, again=True)
        if in_turn and facts.stands and self.step != _STEP["judged"]:
            return GuidedGame(_STEP["judged"], card=self.card)
        if self.step == _STEP["let_go"] and facts.held and facts.good is False:
            return GuidedGame(_STEP["touch"], card=self.card)
        step = STEPS[self.step]
        later = self.seconds + seconds
        held_s = self.held_s + seconds if step.done(facts) else 0.0
        if step.done(facts) and held_s >= step.hold_s and later >= SHORTEST_S:
            return self.next()
        return replace(self, seconds=later, held_s=held_s)

    def next(self) -> GuidedGame:
        return GuidedGame(min(self.step + 1, len(STEPS)), card=self.card)
