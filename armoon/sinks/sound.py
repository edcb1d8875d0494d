"""Sounds as sinks: played by the loudspeaker, prepared before the first is due, and felt in a gamepad."""

from __future__ import annotations

import threading
from collections.abc import Callable

from armoon.sinks.moment import Moment
from armoon.sinks.sink import NamedSink
from armoon.sound.cues import CueKind, SoundCue
from armoon.sound.music import Tension, tension_of
from armoon.sound.player import Player, warm_up

#: Sounds, and where the music goes.
Heard = tuple[tuple[SoundCue, ...], Tension | None]


class SoundSink(NamedSink):
    """Plays cues. Pyglet's loudspeaker belongs to the main thread; beginning a sound takes it 0.1 ms."""

    word = "sound"

    def __init__(self, player: Player) -> None:
        self._player = player

    def part(self, moment: Moment) -> Heard | None:
        """Return the moment's sounds, and where its music goes.

        A machine without a loudspeaker composes nothing for it.
        """
        if self._player.silent or moment.scene is None or not moment.shown:
            cues = moment.cues()
            return (cues, None) if cues else None
        return moment.cues(), tension_of(moment.scene())

    def take(self, part: Heard) -> None:
        """Begin them."""
        cues, tension = part
        self._player.play(cues)
        if tension is not None:
            self._player.follow(tension)

    def close(self) -> None:
        """Silence."""
        self._player.close()


def warm_sounds() -> None:
    """Render the sounds in a thread (half a second), so that the first stalls no frame."""
    threading.Thread(target=warm_up, name="sounds", daemon=True).start()


#: What is felt, and how strongly, beside the strength of the cue itself; the rest is heard and seen.
FELT = {
    CueKind.KNOCK: 0.6,
    CueKind.THUD: 0.9,
    CueKind.SOFT: 0.7,
    CueKind.CLATTER: 1.0,
    CueKind.GRAB: 0.3,
    CueKind.TEAR: 0.8,
}


class RumbleSink(NamedSink):
    """Hands on how strongly something touched. Pads belong to the main thread."""

    word = "rumble"

    def __init__(self, rumble: Callable[[float], None], wanted: Callable[[], bool]) -> None:
        """``rumble`` lets a pad be felt, from 0 to 1, while that is ``wanted``."""
        self._rumble, self._wanted = rumble, wanted

    def part(self, moment: Moment) -> float | None:
        """Return the strength of the strongest rumble, or None."""
        if not self._wanted():
            return None
        felt = [FELT[cue.kind] * cue.strength for cue in moment.cues() if cue.kind in FELT]
        return max(felt, default=None)

    def take(self, part: float) -> None:
        """Let it be felt."""
        self._rumble(part)
