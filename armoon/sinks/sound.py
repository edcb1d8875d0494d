"""The loudspeaker as a sink, prepared before the first sound is due."""

from __future__ import annotations

import threading

from armoon.messages import text
from armoon.sinks.moment import Moment
from armoon.sinks.sink import Rule
from armoon.sound.cues import SoundCue
from armoon.sound.music import Tension, tension_of
from armoon.sound.player import Player, open_player, warm_up

#: Sounds, and where the music goes.
Heard = tuple[tuple[SoundCue, ...], Tension | None]


class SoundSink:
    """Plays cues. Pyglet's loudspeaker belongs to the main thread; beginning a sound takes it 0.1 ms."""

    rule = Rule.IN_LOOP
    capacity = 1

    def __init__(self, player: Player) -> None:
        self._player = player

    @property
    def name(self) -> str:
        """What players call it."""
        return text("sink.name.sound")

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


class SoundsWarming:
    """Renders the sounds beside whatever else starts (half a second), so that the first stalls no frame."""

    def __init__(self) -> None:
        self._thread = threading.Thread(target=warm_up, name="sounds", daemon=True)
        self._thread.start()

    def open_player(self) -> Player:
        """Return the loudspeaker, with its sounds ready; to be called after the window was opened."""
        self._thread.join()
        return open_player()
