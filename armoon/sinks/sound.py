"""The loudspeaker as a sink, and getting it ready before anything has to be heard."""

from __future__ import annotations

import threading

from armoon.messages import text
from armoon.sinks.moment import Moment
from armoon.sinks.sink import Rule
from armoon.sound.cues import SoundCue
from armoon.sound.player import Player, open_player, warm_up


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

    def part(self, moment: Moment) -> tuple[SoundCue, ...] | None:
        """The moment's sounds."""
        return moment.cues() or None

    def take(self, part: tuple[SoundCue, ...]) -> None:
        """Begin them."""
        self._player.play(part)

    def close(self) -> None:
        """Silence."""
        self._player.close()


class SoundsWarming:
    """Renders the sounds beside whatever else starts (half a second), so that the first stalls no frame."""

    def __init__(self) -> None:
        self._thread = threading.Thread(target=warm_up, name="sounds", daemon=True)
        self._thread.start()

    def open_player(self) -> Player:
        """The loudspeaker, with its sounds ready; to be called after the window was opened."""
        self._thread.join()
        return open_player()
