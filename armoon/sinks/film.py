"""The film as a sink: what was drawn and heard, encoded beside the game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from armoon.messages import text
from armoon.party.track import Stereo
from armoon.sinks.moment import Leaving, Moment, Picture
from armoon.sinks.sink import Rule
from armoon.sound.cues import SoundCue
from armoon.sound.player import stereo

#: Of a few seconds; more wait only where the encoder has stopped.
MOST_CUES = 512


class Recorder(Protocol):
    """Takes pictures and sounds: a file, or a stream."""

    def hear(self, samples: Stereo, time_s: float) -> None:
        """Samples (n, 2) that begin at ``time_s``."""

    def write(self, bgr: Picture, time_s: float) -> None:
        """A picture (h, w, 3) shown at ``time_s``."""

    def close(self) -> None:
        """Nothing more comes."""


class FilmSink:
    """Records pictures; where the encoder can't keep up, a picture lasts a little longer in the film."""

    rule = Rule.QUEUES
    #: Pictures of 1280×720 are 2.7 MB each.
    capacity = 12

    def __init__(self, recorder: Recorder, drawn: Callable[[], Picture | None]) -> None:
        """``drawn`` gives the picture that was drawn of this moment (h, w, 3), BGR; None if none was."""
        self._recorder = recorder
        self._drawn = drawn
        self._cues: deque[tuple[SoundCue, float]] = deque(maxlen=MOST_CUES)

    @property
    def name(self) -> str:
        """What players call it."""
        return text("sink.name.film")

    @property
    def leaving(self) -> Leaving | None:
        """Pictures leave the program by it."""
        return Leaving.FILM

    def part(self, moment: Moment) -> tuple[Picture, float] | None:
        """The picture, and when it was shown; sounds are kept apart, so that none goes with a picture that does."""
        self._cues.extend((cue, moment.now_s) for cue in moment.cues())
        picture = self._drawn()
        return None if picture is None else (picture, moment.now_s)

    def take(self, part: tuple[Picture, float]) -> None:
        """Encode it, and what was heard up to then."""
        picture, now_s = part
        while self._cues:
            cue, at_s = self._cues.popleft()
            self._recorder.hear(stereo(cue), at_s)
        self._recorder.write(picture, now_s)

    def close(self) -> None:
        """Finish the file."""
        self._recorder.close()
