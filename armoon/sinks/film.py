"""The film as a sink: what was drawn, encoded beside the game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from armoon.messages import text
from armoon.party.recorder import Recorder
from armoon.sinks.moment import Leaving, Moment, Picture
from armoon.sinks.sink import Rule
from armoon.sound.cues import SoundCue
from armoon.sound.player import stereo

#: Of a few seconds; more wait only where the encoder has stopped.
MOST_CUES = 512


class FilmSink:
    """Records pictures; where the encoder can't keep up, a picture lasts a little longer in the film."""

    rule = Rule.QUEUES
    #: Pictures of 1280×720 are 2.7 MB each.
    capacity = 12
    leaving = Leaving.FILM

    def __init__(self, recorder: Recorder, drawn: Callable[[], Picture | None]) -> None:
        """``drawn`` gives the picture that was drawn of this moment (h, w, 3), BGR; None if none was."""
        self._recorder = recorder
        self._drawn = drawn
        self._cues: deque[tuple[SoundCue, float]] = deque(maxlen=MOST_CUES)

    @property
    def name(self) -> str:
        """What players call it."""
        return text("sink.name.film")

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
