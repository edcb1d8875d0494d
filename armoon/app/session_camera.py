"""The camera of a session: opens, starts and changes it, and reports its state to the screens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

import cv2
from rich.console import Console

from armoon.app.camera import OpenedCamera, start_camera
from armoon.app.frames import FrameInput, LiveSource, NoCameraSource, Source
from armoon.app.setup import with_demo_seed
from armoon.app.sources import NothingPart, find_source
from armoon.camera.profiles import SEATS, CameraSeat
from armoon.camera.sources import list_webcams, parse_webcam_number, take_webcam_picture
from armoon.clock import Clock
from armoon.errors import ArmoonError, CameraError, NoCameraError, TrackerError
from armoon.messages import text
from armoon.screens.events import CameraStatus
from armoon.settings.files import load_last_choices
from armoon.settings.preferences import PlayOptions, Settings

#: Size of a webcam's picture on the page of cameras, in pixels.
_CARD_PX = (320, 180)


class SessionCamera:
    """The camera of a session, with its threads and faults."""

    def __init__(self, options: PlayOptions, console: Console, clock: Clock, stack: ExitStack) -> None:
        """Open the camera; if that fails, use the last session's source or none, and explain it in ``trouble``.

        Raises CameraError if a camera named on the command line can't be opened.
        """
        self.options = with_demo_seed(options)
        self._console, self._clock = console, clock
        self._open = stack.enter_context(ExitStack())
        self.opened: OpenedCamera | None = None
        self.feed: LiveSource | None = None
        self._source: Source | None = None
        """The source of the last frame."""
        self._fault: ArmoonError | None = None
        """The error or the end of that source; None while it works."""
        self.trouble = ""
        try:
            self._open_source()
        except CameraError as error:
            if "camera" in options.explicit_names:
                raise
            camera = load_last_choices().camera  # the word of a source that needn't be opened
            self.options = _with_camera(camera or NothingPart.word, self.options)
            missing = isinstance(error, NoCameraError) and parse_webcam_number(options.camera) is not None
            self.trouble = "" if camera else text("start.no_webcam_here") if missing else str(error)
        self.no_camera = NoCameraSource(self.size)

    @property
    def size(self) -> tuple[int, int]:
        if self.opened is not None:
            return (self.opened.source.width, self.opened.source.height)
        return (self.options.width_px, self.options.height_px)

    def make_seat(self, name: str = "") -> CameraSeat:
        seat = SEATS[name or self.options.seat](*self.size)
        return seat if self.opened is None else self.opened.make_seat(name or self.options.seat)

    def read_input(self, source: Source) -> FrameInput:
        """Return the next input; once the source has ended or failed, the input has no picture and pauses the game."""
        if source is not self._source:
            self._source, self._fault = source, None
        if self._fault is None:
            try:
                frame_input = source.read_input()
                if not frame_input.ended:
                    return frame_input
                self._fault = CameraError("camera.over")
            except (CameraError, TrackerError) as fault:
                self._fault = fault
        return replace(self.no_camera.read_input(), pause_key="pause.camera_gone")

    def pop_new_fault(self, *, should_ask_player: bool) -> CameraStatus | None:
        if self._fault is None or self.trouble == str(self._fault):
            return None
        self.trouble = str(self._fault)
        return self.build_status(should_ask_player=should_ask_player)

    def start(self) -> None:
        opened = self.opened
        if opened is None:
            return
        for sentence in (opened.source.description, *opened.warnings):
            self._console.print(sentence)
        self._open.pop_all()  # from now on the thread owns the source
        self.feed = start_camera(self.options, opened.source, self._open, self._clock)

    def change_to(self, source: str) -> None:
        self.close()
        self.trouble, self._fault = "", None
        default_size = self.options.size if find_source(self.options).size is None else Settings().size
        self.options = _with_camera(source, replace(self.options, size=default_size))
        try:
            self._open_source()
            self.start()
        except ArmoonError as error:
            self.trouble = str(error)
            self.close()
            self.options = _with_camera(NothingPart.word, self.options)
        self.no_camera = NoCameraSource(self.size)

    def build_status(
        self, *, changed: bool = False, should_ask_player: bool = False, with_pictures: bool = False
    ) -> CameraStatus:
        """Return the current camera and all webcams; ``with_pictures`` adds pictures of webcams that share a name."""
        webcams = list_webcams()
        return CameraStatus(
            find_source(self.options).way,
            self.options.camera,
            tuple((str(number), name) for number, name in webcams),
            self.trouble,
            self.options.seat if changed else None,
            should_ask_player,
            self._take_webcam_pictures(webcams) if with_pictures or should_ask_player else (),
        )

    def _take_webcam_pictures(self, webcams: Sequence[tuple[int, str]]) -> tuple[tuple[str, bytes], ...]:
        names = Counter(name for _, name in webcams)
        own = parse_webcam_number(self.options.camera)
        pictures = []
        for number, name in webcams:
            if names[name] > 1:
                opened_feed = self.feed if number == own else None
                image = take_webcam_picture(number) if opened_feed is None else opened_feed.image
                if image is not None:
                    small = cv2.resize(image, _CARD_PX, interpolation=cv2.INTER_AREA)
                    pictures.append((str(number), cv2.imencode(".jpg", small)[1].tobytes()))
        return tuple(pictures)

    def close(self) -> None:
        self.feed, self.opened = None, None
        self._open.close()

    def _open_source(self) -> None:
        self.opened = find_source(self.options).open_for_program(self.options)
        if self.opened is not None:
            self._open.callback(self.opened.source.close)


def _with_camera(camera: str, options: PlayOptions) -> PlayOptions:
    source = find_source(options, camera)
    size = source.size or options.size
    seat = options.seat if "seat" in options.explicit_names else source.default_seat(camera)
    return with_demo_seed(replace(options, camera=camera, size=size, seat=seat))
