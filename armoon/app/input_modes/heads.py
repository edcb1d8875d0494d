"""The heads of an evening: their camera, their tracker's thread, and their effect on screens and table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from armoon.app.front import Front
from armoon.app.input_modes.head_front import TablePointer, asked, followed, settings_of, wanted
from armoon.app.sources.part import source_of
from armoon.app.webcam import open_upright
from armoon.camera.capture import CameraThread
from armoon.camera.frame import Frame, FrameSource
from armoon.clock import Clock
from armoon.errors import ArmoonError
from armoon.faces.head import Heads
from armoon.faces.pointing import HeadPointer, HeadPointing
from armoon.faces.tracker import FaceTracker
from armoon.hands.tracking.worker import Tracker, WatcherThread
from armoon.messages import text
from armoon.screens.head_measuring import HeadSeen
from armoon.settings.options import PlayOptions
from armoon.values.choices import CameraWay, RotatedDeg

if TYPE_CHECKING:
    from armoon.view.window import Pointer

#: Seconds without a picture after which no face counts as seen.
NO_PICTURE_S = 1.0
#: After a camera or tracker has failed it is tried again this late.
AGAIN_S = 10.0
FIRST_WEBCAM = "0"


class HeadWatch:
    """Follow heads while a player uses one; otherwise nothing runs."""

    def __init__(
        self,
        front: Front,
        clock: Clock,
        options: Callable[[], PlayOptions],
        point: Callable[[Pointer], None],
        *,
        make_tracker: Callable[[], Tracker[Heads]] = FaceTracker,
        open_camera: Callable[[PlayOptions], FrameSource] = open_upright,
    ) -> None:
        """``options`` are those of the table's camera now; ``point`` hears what a head does at the table, as a mouse.

        Tests bring their own tracker and camera.
        """
        self._front, self._clock, self._options, self._point = front, clock, options, point
        self._make_tracker, self._open_camera = make_tracker, open_camera
        self._running = ExitStack()
        self._thread: WatcherThread[Frame, Heads] | None = None
        self._camera: CameraThread | None = None
        self._camera_name = ""
        self._pointer = HeadPointer(settings_of(front.screens))
        self._seen_s: float | None = None
        self._stamp_s: float | None = None
        self._pointing: HeadPointing | None = None
        self._failed_s: float | None = None
        self.trouble = ""
        """Why no head plays though one is to, as a sentence."""

    def pump(self) -> None:
        """One frame of the loop; a hand that points is listened to before a head."""
        screens = self._front.screens
        now_s = self._clock.now_s()
        if not followed(screens):
            self._stop()
            self.trouble, self._failed_s = "", None
            self._front.head(None)
            return
        if not (self._failed_s is not None and now_s - self._failed_s < AGAIN_S):
            try:
                self._follow(now_s)
                return
            except ArmoonError as error:
                self._stop()
                self._failed_s = now_s
                self.trouble = text("head.no_camera", trouble=str(error))
        self._front.head(None)

    def close(self) -> None:
        """End what runs."""
        self._stop()

    def _follow(self, now_s: float) -> None:
        screens = self._front.screens
        frame = self._frame(self._options())
        if self._thread is None:
            if frame is None:
                return
            self._thread = WatcherThread(self._make_tracker)
            self._running.callback(self._thread.close)
            self._pointer = HeadPointer(settings_of(screens))
            self._seen_s = now_s
        if frame is not None:
            self._thread.submit(frame)
        self._pointer.settings = settings_of(screens)
        seen = self._thread.take_seen()
        if seen is not None:
            self._seen_s = now_s
            self._see(seen[1])
        elif self._seen_s is not None and now_s - self._seen_s > NO_PICTURE_S:
            self._pointing = None
        else:
            return  # what was seen last holds until the next picture
        says = self._pointer.trouble if self._seen_s == now_s else "head.nobody"
        self.trouble = text(says) if says and wanted(screens) else ""
        over = None if self._front.hand_points else self._front.head(self._pointing)
        if over is not None:
            self._point(as_mouse(over))

    def _see(self, heads: Heads) -> None:
        """Heads of a picture: they point, or are measured."""
        passed_s = 0.0 if self._stamp_s is None else max(0.0, heads.time_s - self._stamp_s)
        self._stamp_s = heads.time_s
        self._pointing = self._pointer.see(heads)
        nearest = heads.heads[0] if heads.heads else None
        turned = None if nearest is None else (nearest.yaw_deg, nearest.pitch_deg)
        mouth = 0.0 if nearest is None else nearest.mouth
        self._front.tell(HeadSeen(min(passed_s, NO_PICTURE_S), turned, mouth))

    def _frame(self, options: PlayOptions) -> Frame | None:
        """Return the newest picture of the camera that sees the head. Raises CameraError where there is none."""
        shared = source_of(options).way is CameraWay.REAL
        name = options.head_camera or ("" if shared else FIRST_WEBCAM)
        if not name or name == options.camera or not asked(self._front.screens):
            self._close_camera()
            result = self._front.fed.result if shared else None
            return None if result is None else result.frame
        if self._camera is None or name != self._camera_name:
            self._close_camera()
            own = replace(options, camera=name, turned_deg=RotatedDeg.NONE, flipped=False)
            self._camera = CameraThread(lambda: self._open_camera(own), self._clock)
            self._camera_name = name
            self._running.callback(self._camera.close)
            self._camera.start()
        return self._camera.frames.take(0.0)

    def _close_camera(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _stop(self) -> None:
        self._close_camera()
        self._running.close()
        self._thread, self._pointing, self._stamp_s = None, None, None


def as_mouse(over: TablePointer) -> Pointer:
    """Return a head's pointer over the table as a mouse pointer for the table's controls."""
    from armoon.view.window import Pointer

    return Pointer(over.place, over.pressed, over=over.place)
