"""Readers of the camera's pictures: heads, pointing hands, and the die, lid and card of the paper kit."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar

import cv2
import numpy as np

from armoon.app.camera import open_upright
from armoon.app.front import Front, build_head_settings, is_head_needed, is_played_by_head, should_track_heads
from armoon.app.sources import find_source
from armoon.camera.capture import CameraThread
from armoon.camera.sources import Frame, FrameSource, Image, is_blank
from armoon.clock import Clock
from armoon.errors import ArmoonError
from armoon.faces import FaceTracker, HeadPointer, HeadPointing, Heads
from armoon.games.contract import RenderSetup
from armoon.hands.card_tracker import CardSighting
from armoon.hands.fingers import is_fist, measure_reaches
from armoon.hands.gestures import DwellPointer
from armoon.hands.landmarks import Hands
from armoon.hands.metric import DEFAULT_PALM_M
from armoon.hands.paper_pieces import DIE_STILL_S, DieReader, LidReader, PrintMeter, StandingLid
from armoon.hands.pinch import is_pinched
from armoon.hands.tracker import Tracker, WatcherThread
from armoon.messages import brief, centimetres, number, text
from armoon.screens.measuring import HandSample, HeadSample
from armoon.screens.pages.measure import add_sample, is_measuring
from armoon.screens.state import PageName
from armoon.settings.preferences import PlayOptions
from armoon.values.acts import Act
from armoon.values.choices import CameraWay, PictureRotation
from armoon.values.poses import Pose, Vec2

if TYPE_CHECKING:
    from armoon.view.window import MousePointer

#: Time without a picture after which a face no longer counts as visible, in seconds.
NO_PICTURE_S = 1.0
#: Interval before retrying a failed camera or tracker, in seconds.
RETRY_S = 10.0
FIRST_WEBCAM = "0"


class HeadWatch:
    """Tracks heads while head control is in use."""

    def __init__(
        self,
        front: Front,
        clock: Clock,
        options: Callable[[], PlayOptions],
        point: Callable[[MousePointer], None],
        *,
        make_tracker: Callable[[], Tracker[Heads]] = FaceTracker,
        open_camera: Callable[[PlayOptions], FrameSource] = open_upright,
    ) -> None:
        """``options`` returns the camera options; ``point`` is called with the head's pointer over the table."""
        self._front, self._clock, self._options, self._point = front, clock, options, point
        self._make_tracker, self._open_camera = make_tracker, open_camera
        self._running = ExitStack()
        self._thread: WatcherThread[Heads] | None = None
        self._camera: CameraThread | None = None
        self._camera_name = ""
        self._pointer = HeadPointer(build_head_settings(front.screens))
        self._seen_s: float | None = None
        self._last_heads_s: float | None = None
        self._pointing: HeadPointing | None = None
        self._failed_s: float | None = None
        self.trouble = ""
        """Why head control doesn't work, as a sentence; empty if it works or isn't in use."""

    def poll(self) -> None:
        screens = self._front.screens
        now_s = self._clock.now_s()
        if not should_track_heads(screens):
            self.close()
            self.trouble, self._failed_s = "", None
            self._front.handle_head(None)
            return
        if not (self._failed_s is not None and now_s - self._failed_s < RETRY_S):
            try:
                self._track(now_s)
                return
            except ArmoonError as error:
                self.close()
                self._failed_s = now_s
                self.trouble = text("head.no_camera", trouble=str(error))
        self._front.handle_head(None)

    def _track(self, now_s: float) -> None:
        screens = self._front.screens
        frame = self._read_newest_frame(self._options())
        if self._thread is None:
            if frame is None:
                return
            self._thread = WatcherThread(self._make_tracker)
            self._running.callback(self._thread.close)
            self._pointer = HeadPointer(build_head_settings(screens))
            self._seen_s = now_s
        if frame is not None:
            self._thread.submit(frame)
        self._pointer.settings = build_head_settings(screens)
        tracked = self._thread.get_result()
        if tracked is not None:
            self._seen_s = now_s
            self._add_heads(tracked[1])
        elif self._seen_s is not None and now_s - self._seen_s > NO_PICTURE_S:
            self._pointing = None
        else:
            return  # the last result is valid until the next picture
        problem = self._pointer.problem_key if self._seen_s == now_s else "head.nobody"
        self.trouble = text(problem) if problem and is_played_by_head(screens) else ""
        table_pointer = None if self._front.is_hand_pointing else self._front.handle_head(self._pointing)
        if table_pointer is not None:
            from armoon.view.window import MousePointer

            place, pressed = table_pointer
            self._point(MousePointer(place, pressed, over=place))

    def _add_heads(self, heads: Heads) -> None:
        elapsed_s = 0.0 if self._last_heads_s is None else max(0.0, heads.time_s - self._last_heads_s)
        self._last_heads_s = heads.time_s
        self._pointing = self._pointer.add_heads(heads)
        nearest = heads.heads[0] if heads.heads else None
        direction = None if nearest is None else (nearest.yaw_deg, nearest.pitch_deg)
        mouth = 0.0 if nearest is None else nearest.mouth
        self._front.apply(add_sample, HeadSample(min(elapsed_s, NO_PICTURE_S), direction, mouth))

    def _read_newest_frame(self, options: PlayOptions) -> Frame | None:
        """Return the newest picture of the head's camera. Raises CameraError if there is no camera."""
        shares_camera = find_source(options).way is CameraWay.REAL
        name = options.head_camera or ("" if shares_camera else FIRST_WEBCAM)
        if not name or name == options.camera or not is_head_needed(self._front.screens):
            self._close_camera()
            result = self._front.frame_input.result if shares_camera else None
            return None if result is None else result.frame
        if self._camera is None or name != self._camera_name:
            self._close_camera()
            camera_options = replace(options, camera=name, turned_deg=PictureRotation.NONE, flipped=False)
            self._camera = CameraThread(lambda: self._open_camera(camera_options), self._clock)
            self._camera_name = name
            self._camera.start()
        return self._camera.frames.pop(0.0)

    def _close_camera(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def close(self) -> None:
        self._close_camera()
        self._running.close()
        self._thread, self._pointing, self._last_heads_s = None, None, None


#: Maximum time that a picture adds to a hand's rest on a widget, in seconds.
MAX_REST_STEP_S = 0.2


class FingerWatch:
    """Lets a hand press the pages' buttons by resting on them."""

    def __init__(
        self, front: Front, to_window: Callable[[Vec2], Vec2], is_held: Callable[[], bool], *, mirrored: bool
    ) -> None:
        """``to_window`` maps a point of the picture to the window; ``is_held``: whether a ladder is held."""
        self._to_window, self._is_held = to_window, is_held
        self._front = front
        self._meter: HandMeter | None = None
        self._seen_s: float | None = None
        self.restart(mirrored=mirrored)

    def restart(self, *, mirrored: bool) -> None:
        self._pointer = DwellPointer(mirrored=mirrored)

    def poll(self) -> None:
        result = self._front.frame_input.result
        self._front.is_hand_pointing = result is not None and self._point(result.hands)

    def close(self) -> None:
        """Nothing to release."""

    def _point(self, hands: Hands) -> bool:
        is_busy = self._is_held()
        if self._front.screens.page is PageName.MOVING_MEASURE:
            self._meter = self._meter or HandMeter()
            self._front.apply(add_sample, self._meter.add_hands(hands))
            is_busy = is_busy or is_measuring(self._front.screens, "hand")
        else:
            self._meter = None
        pointer = self._pointer.add_hands(hands, {}, busy=is_busy)
        elapsed_s = 0.0 if self._seen_s is None else hands.time_s - self._seen_s
        self._seen_s = hands.time_s
        place = None if pointer is None else self._to_window(pointer.place)
        if place is not None or not self._front.is_head_pointing:
            self._front.handle_hand(place, max(0.0, min(elapsed_s, MAX_REST_STEP_S)))
        return place is not None


class HandMeter:
    """Converts hands to samples in metres, with a running mean of the palm's noisy size as the scale."""

    def __init__(self) -> None:
        self._palm_px = 0.0
        self._time_s: float | None = None

    def add_hands(self, hands: Hands) -> HandSample:
        seconds = 0.0 if self._time_s is None else max(0.0, hands.time_s - self._time_s)
        self._time_s = hands.time_s
        hand = hands.hands[0] if hands.hands else None
        if hand is None or not hand.is_plausible:
            return HandSample(seconds)
        bounds = hand.bounds
        if bounds.palm_px <= 0.0:
            return HandSample(seconds)
        self._palm_px += (1.0 if self._palm_px == 0.0 else 0.05) * (bounds.palm_px - self._palm_px)
        scale = DEFAULT_PALM_M / self._palm_px
        reaches = measure_reaches(hand)
        return HandSample(
            seconds,
            (bounds.centre_px[0] * scale, bounds.centre_px[1] * scale),
            is_pinched(hand),
            reaches is not None and is_fist(reaches),
        )


T = TypeVar("T")
#: Returns the camera and its pose at the table; None without a game.
ViewGetter = Callable[[], RenderSetup | None]
#: Act that reports each face of the die.
_FACE_ACTS = {1: Act.ONE, 2: Act.TWO, 3: Act.THREE}


class _PaperReader(Generic[T]):
    """Passes a camera picture to a reader in a thread every ``interval_s`` seconds, until ``stop``."""

    def __init__(self, front: Front, get_view: ViewGetter, interval_s: float) -> None:
        self._front, self._get_view, self._interval_s = front, get_view, interval_s
        self.thread: WatcherThread[T | None] | None = None

    def poll(self, read: Callable[[Image, float, RenderSetup], T | None]) -> tuple[Frame, T | None] | None:
        """Submit the newest picture if it is due; return a new result, if any. ``read`` can't change until ``stop``."""
        if self.thread is None:
            self._read, self._submitted_s = read, -math.inf
            self.thread = WatcherThread(lambda: self)
        result = self._front.frame_input.result
        if (
            result is not None
            and not is_blank(result.frame.image)
            and not 0.0 <= result.frame.time_s - self._submitted_s < self._interval_s
        ):
            self._submitted_s = result.frame.time_s
            self.thread.submit(result.frame)
        return self.thread.get_result()

    def stop(self) -> None:
        if self.thread is not None:
            self.thread.close()
            self.thread = None

    def track(self, image_bgr: Image, time_s: float, frame_index: int) -> T | None:
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        view = self._get_view()
        return None if view is None else self._read(grey, time_s, view)

    def close(self) -> None:
        """Nothing to release."""


class PaperDie:
    """Searches for the die while the game asks for the face of a real die."""

    def __init__(self, front: Front, get_view: ViewGetter, ask: Callable[[Act, bool], None]) -> None:
        """``ask`` requests an act."""
        self._front, self._ask = front, ask
        self._watch = _PaperReader[int](front, get_view, DIE_STILL_S)
        self._reader, self._kit_mm = DieReader(), 100.0
        """Reader and kit size; both are kept between turns, because a die that hasn't moved isn't a new roll."""
        self.trouble = ""
        """A sentence if the die can't be read, else empty."""

    def poll(self) -> None:
        screens = self._front.screens
        if not screens.is_awaiting_face or screens.page is not PageName.TABLE:
            self.close()
            self.trouble = ""
            return
        if screens.preferences.kit_mm != self._kit_mm:
            self.close()
            self._kit_mm = screens.preferences.kit_mm
            self._reader, self.trouble = DieReader(self._kit_mm / 100.0), ""
        reader = self._reader
        tracked = self._watch.poll(
            lambda grey, time_s, view: reader.read_die(
                grey, time_s, view.camera, None if view.mirrored else view.table_from_camera
            )
        )
        if tracked is None or tracked[1] is None:
            return
        act = _FACE_ACTS.get(tracked[1])
        if act is None:
            self.trouble = text("kit.askew")
            return
        self.trouble = ""
        for pressed in (True, False):
            self._ask(act, pressed)

    def close(self) -> None:
        self._watch.stop()


#: Interval between two readings of the lid, in seconds.
_LID_INTERVAL_S = 1.0
#: Maximum difference between two agreeing readings, and maximum error of the lid's height without a message, in metres.
_MAX_DIFFERENCE_M, _MAX_ERROR_M = 0.006, 0.012


class PaperLid:
    """Searches for the lid while a team plays at a real table."""

    def __init__(self, front: Front, get_view: ViewGetter, show: Callable[[Pose, float], None]) -> None:
        """``show`` is called with the pose of the lid's foot and the height of its top, in metres."""
        self._front, self._get_view, self._show = front, get_view, show
        self._watch = _PaperReader[StandingLid](front, get_view, _LID_INTERVAL_S)
        self._before: StandingLid | None = None
        self.trouble = ""
        """A sentence if the lid's height differs from the game's, else empty."""

    def poll(self) -> None:
        screens, view = self._front.screens, self._get_view()
        if screens.page is not PageName.TABLE or view is None or view.mirrored or view.line_m <= 0.0:
            self.close()
            return
        if self._watch.thread is None:
            self._reader = LidReader(screens.preferences.kit_mm / 100.0)
        reader = self._reader
        latest = self._watch.poll(
            lambda grey, _time_s, view: reader.read_lid(grey, view.camera, view.table_from_camera)
        )
        if latest is None:
            return
        before, self._before = self._before, latest[1]
        lid = self._before
        if before is None or lid is None or abs(lid.top_m - before.top_m) > _MAX_DIFFERENCE_M:
            return
        if math.dist(lid.foot.position, before.foot.position) > _MAX_DIFFERENCE_M:
            return
        self._show(lid.foot, lid.top_m)
        is_wrong = abs(lid.top_m - view.line_m) > _MAX_ERROR_M
        height, line = centimetres(lid.top_m, 0), centimetres(view.line_m, 0)
        self.trouble = text("kit.lid_off", lid=height, line=line) if is_wrong else ""

    def close(self) -> None:
        self.trouble, self._before = "", None
        self._watch.stop()


#: Maximum error of the printed 100 mm line without a message, in millimetres.
MAX_ERROR_MM = 1.5


class PaperSize:
    """Measures the printed card in the sightings of the game's own tracker."""

    def __init__(self, front: Front, get_view: ViewGetter, find: Callable[[], CardSighting | None]) -> None:
        """``find`` returns the last sighting of the card."""
        self._front, self._get_view, self._find_sighting = front, get_view, find
        self._kit_mm, self._meter = 0.0, PrintMeter()
        self._last: CardSighting | None = None
        self.trouble = ""
        """A sentence if the kit's printed size differs from the setting, else empty."""

    def poll(self) -> None:
        set_mm = self._front.screens.preferences.kit_mm
        if set_mm != self._kit_mm:
            self._kit_mm, self._meter, self.trouble = set_mm, PrintMeter(set_mm / 100.0), ""
        sighting, view = self._find_sighting(), self._get_view()
        if sighting is None or sighting is self._last or view is None or view.mirrored:
            return
        self._last = sighting
        self._meter.add_sighting(sighting, view.table_from_camera)
        measured_mm = self._meter.line_mm
        if measured_mm is not None:
            is_wrong = abs(measured_mm - set_mm) > MAX_ERROR_MM
            sizes = {"setting": brief(set_mm), "measured": number(measured_mm)}
            self.trouble = text("kit.wrong_scale", **sizes) if is_wrong else ""

    def close(self) -> None:
        """Nothing to release."""
