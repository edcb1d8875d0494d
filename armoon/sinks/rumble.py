"""A gamepad's rumble as a sink: it vibrates when ladders touch."""

from __future__ import annotations

from collections.abc import Callable

from armoon.messages import text
from armoon.sinks.moment import Moment
from armoon.sinks.sink import Rule
from armoon.sound.cues import CueKind

#: What is felt, and how strongly, beside the strength of the cue itself; the rest is heard and seen.
FELT = {
    CueKind.KNOCK: 0.6,
    CueKind.THUD: 0.9,
    CueKind.SOFT: 0.7,
    CueKind.CLATTER: 1.0,
    CueKind.GRAB: 0.3,
    CueKind.TEAR: 0.8,
}


class RumbleSink:
    """Hands on how strongly something touched. Pads belong to the main thread."""

    rule = Rule.IN_LOOP
    capacity = 1

    def __init__(self, rumble: Callable[[float], None], wanted: Callable[[], bool]) -> None:
        """``rumble`` lets a pad be felt, from 0 to 1, while that is ``wanted``."""
        self._rumble, self._wanted = rumble, wanted

    @property
    def name(self) -> str:
        """What players call it."""
        return text("sink.name.rumble")

    def part(self, moment: Moment) -> float | None:
        """Return the strength of the strongest rumble, or None."""
        if not self._wanted():
            return None
        felt = [FELT[cue.kind] * cue.strength for cue in moment.cues() if cue.kind in FELT]
        return max(felt, default=None)

    def take(self, part: float) -> None:
        """Let it be felt."""
        self._rumble(part)

    def close(self) -> None:
        """Nothing to close: the pads are the window's."""
