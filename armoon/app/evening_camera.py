"""The evening's camera, which can be changed: opening, starting, loss, and reports to the screens."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from rich.console import Console

from armoon.app.setup import seeded
from armoon.app.sources import Incoming, LiveSource, NoCamera, Source
from armoon.app.webcam import OpenedCamera, open_camera, start_camera
from armoon.camera.sources import webcams
from armoon.clock import Clock
from armoon.errors import ArmoonError, CameraError
from armoon.hands.tracking.tracker import Region
from armoon.screens.events import CameraTold
from armoon.settings.last_time_file import load_last_time
from armoon.settings.options import PlayOptions
from armoon.settings.table import DEMO, DEMO_SIZE, NO_CAMERA, Settings, usual_seat
from armoon.sinks.moment import Picture
from armoon.values.choices import CameraWay

_WAYS = {DEMO: CameraWay.DEMO, NO_CAMERA: CameraWay.NONE}


def way_of(source: str) -> CameraWay:
    """Return the kind of camera of a source, as pages know it."""
    return _WAYS.get(source, CameraWay.REAL)


class EveningCamera:
    """Which camera looks at the table now, and its threads."""

    def __init__(self, options: PlayOptions, console: Console, clock: Clock, stack: ExitStack) -> None:
        """Open the camera.

        Raises CameraError if one asked for on the command line gives no picture; otherwise the evening begins
        without, and ``trouble`` says why.
        """
        self.options = options
        self._console, self._clock = console, clock
        self._open = stack.enter_context(ExitStack())
        self.opened: OpenedCamera | None = None
        self.feed: LiveSource | None = None
        """Camera and tracker, once they run."""
        self.trouble = options.no_webcam
        try:
            self._open_source()
        except CameraError as error:
            if "camera" in options.asked:
                raise
            self.trouble = str(error)
            self._without()

    @property
    def size(self) -> tuple[int, int]:
        """Of its pictures, or of the drawn table's, pixels."""
        if self.opened is not None:
            return (self.opened.source.width, self.opened.source.height)
        return (self.options.width_px, self.options.height_px)

    def start(self) -> None:
        """Start its threads, and say what it is."""
        opened = self.opened
        if opened is None:
            return
        for sentence in (opened.source.description, *opened.warnings):
            self._console.print(sentence)
        self._open.pop_all()  # the thread owns the source from here on
        self.feed = start_camera(self.options, opened.source, self._open, self._clock)

    def use(self, source: str) -> None:
        """Change to another camera; where it gives no picture, to none, and ``trouble`` says why."""
        self.close()
        self.trouble = ""
        usual = Settings().size if self.options.camera == DEMO else self.options.size
        size = DEMO_SIZE if source == DEMO else usual
        self.options = seeded(replace(self.options, camera=source, size=size, seat=usual_seat(source)))
        try:
            self._open_source()
            self.start()
        except ArmoonError as error:
            self.trouble = str(error)
            self.close()
            self._without()

    def told(self, *, changed: bool = False, asks: bool = False) -> CameraTold:
        """For the screens: what looks now, and what else could."""
        return CameraTold(
            way_of(self.options.camera),
            self.options.camera,
            tuple((str(number), name) for number, name in webcams()),
            self.trouble,
            self.options.seat if changed else None,
            asks,
        )

    def close(self) -> None:
        """Let go of it."""
        self.feed, self.opened = None, None
        self._open.close()

    def _open_source(self) -> None:
        if way_of(self.options.camera) is CameraWay.REAL:
            self.opened = open_camera(self.options)
            self._open.callback(self.opened.source.close)

    def _without(self) -> None:
        self.options = replace(self.options, camera=NO_CAMERA, seat=usual_seat(NO_CAMERA))


def remembered(options: PlayOptions) -> PlayOptions:
    """Return the options with the way without a webcam that was chosen last time, where no webcam answers."""
    camera = load_last_time().camera
    if not options.no_webcam or not camera:
        return seeded(options)
    size = DEMO_SIZE if camera == DEMO else options.size
    return seeded(replace(options, camera=camera, size=size, seat=usual_seat(camera), no_webcam=""))


class Watched:
    """A source whose fault doesn't end the evening: the game pauses, and ``fault`` says what happened."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.fault: CameraError | None = None
        self.lead_s, self.steady = source.lead_s, source.steady
        self._nobody = NoCamera((16, 9))

    @property
    def image(self) -> Picture:
        """The last picture."""
        return self.source.image

    def take(self) -> Incoming:
        """Return the next frame; after a fault none, as without a camera."""
        if self.fault is None:
            try:
                return self.source.take()
            except CameraError as fault:
                self.fault = fault
        return replace(self._nobody.take(), pause_key="pause.camera_gone")

    def look_at(self, region: Region | None) -> None:
        """Which part of the pictures matters to the tracker."""
        self.source.look_at(region)
