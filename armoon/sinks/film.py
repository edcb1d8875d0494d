"""The film as a sink, which encodes pictures and sounds while the game runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from armoon.options.kinds import File
from armoon.options.option import COMMAND, option
from armoon.sinks.sink import DrawnPictures, Moment, OutputChannel, Picture, Rule, Sink, SinkPart

if TYPE_CHECKING:  # imported only when a film is made
    from armoon.party.encoding import Recorder
    from armoon.party.live import LiveStream
    from armoon.sound.cues import SoundCue
    from armoon.sound.effects import Tension

#: Maximum number of sounds waiting for the encoder; newer ones replace the oldest.
MAX_CUES = 512

#: A picture, its time in seconds, and the tension that the music follows.
FilmFrame = tuple[Picture, float, "Tension"]


class FilmSink(Sink):
    """Records pictures and sounds; if the encoder can't keep up, it skips pictures."""

    word = "film"
    rule = Rule.QUEUES
    #: Maximum number of pictures waiting for the encoder; 12 of 1280x720 take 33 MB.
    capacity = 12

    def __init__(self, recorder: Recorder | LiveStream, read_picture: Callable[[], Picture | None]) -> None:
        """``read_picture`` returns the last drawn picture, (h, w, 3) BGR, or None."""
        from armoon.sound.player import NightTrack

        self.has_ambience = True
        """Whether the film has background sounds and music."""
        self._ambience = NightTrack(recorder.add_sound)
        self._recorder = recorder
        self._read_picture = read_picture
        self._cues: deque[tuple[SoundCue, float]] = deque(maxlen=MAX_CUES)

    @property
    def output_channel(self) -> OutputChannel | None:
        return OutputChannel.FILM

    def select(self, moment: Moment) -> FilmFrame | None:
        """Return the picture and its time; sounds have a queue of their own, because pictures can be dropped."""
        from armoon.sound.effects import Tension, find_tension

        self._cues.extend((cue, moment.now_s) for cue in moment.cues())
        picture = self._read_picture()
        if picture is None:
            return None
        scene = moment.scene() if self.has_ambience and moment.scene is not None else None
        return picture, moment.now_s, Tension() if scene is None else find_tension(scene)

    def process(self, data: FilmFrame) -> None:
        from armoon.sound.player import render_stereo

        picture, now_s, tension = data
        while self._cues:
            cue, at_s = self._cues.popleft()
            self._recorder.add_sound(render_stereo(cue), at_s)
        self._recorder.write_picture(picture, now_s)
        if self.has_ambience:
            self._ambience.extend(tension, now_s)

    def close(self) -> None:
        self._recorder.close()


def create_film(pictures: DrawnPictures, path: Path, rate_hz: float) -> FilmSink:
    """Return a sink that records from now on. Raises ArmoonError if the file can't be written."""
    from armoon.party.encoding import Recorder as FilmRecorder
    from armoon.sound.effects import RATE_HZ

    recorder = FilmRecorder(path, *pictures.size, rate_hz, RATE_HZ)
    pictures.should_read_back = True
    return FilmSink(recorder, pictures.picture)


@dataclass(frozen=True)
class FilmPart(SinkPart):
    record: Path | None = option(File("FILE.mp4"), None, COMMAND)

    @property
    def needs_pictures(self) -> bool:
        return self.record is not None

    def create_sink(
        self, rate_hz: float, notify: Callable[[str], None], pictures: DrawnPictures | None
    ) -> FilmSink | None:
        if self.record is None or pictures is None:
            return None
        return create_film(pictures, self.record, rate_hz)
