"""Readers of the paper kit: the die, the lid's height, and the size of the printed card."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Generic, TypeVar

import cv2
import numpy as np

from armoon.app.front import Front
from armoon.camera.sources import Frame, Image, is_blank
from armoon.games.contract import RenderSetup
from armoon.hands.card_tracker import CardSighting
from armoon.hands.paper_pieces import LOOK_S, DieReader, LidReader, PrintMeter, StandingLid
from armoon.hands.tracker import WatcherThread
from armoon.messages import brief, centimetres, number, text
from armoon.screens.state import PageName
from armoon.values.acts import Act
from armoon.values.poses import Pose

T = TypeVar("T")
#: Act that reports each face of the die.
_FACE_ACTS = {1: Act.ONE, 2: Act.TWO, 3: Act.THREE}


class _PaperReader(Generic[T]):
    """Passes a picture of the camera to a reader in a thread every ``interval_s`` seconds, until ``stop``."""

    def __init__(self, front: Front, viewed: Callable[[], RenderSetup | None], interval_s: float) -> None:
        self._front, self._viewed, self._interval_s = front, viewed, interval_s
        self.thread: WatcherThread[T | None] | None = None

    def poll(self, look: Callable[[Image, float, RenderSetup], T | None]) -> tuple[Frame, T | None] | None:
        """Submit the newest picture if it is time; return a new result, if any. ``look`` is fixed until ``stop``."""
        if self.thread is None:
            self._look, self._looked_s = look, -math.inf
            self.thread = WatcherThread(lambda: self)
        result = self._front.frame_input.result
        if (
            result is not None
            and not is_blank(result.frame.image)
            and not 0.0 <= result.frame.time_s - self._looked_s < self._interval_s
        ):
            self._looked_s = result.frame.time_s
            self.thread.submit(result.frame)
        return self.thread.get_result()

    def stop(self) -> None:
        if self.thread is not None:
            self.thread.close()
            self.thread = None

    def track(self, image_bgr: Image, time_s: float, frame_index: int) -> T | None:
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        viewed = self._viewed()
        return None if viewed is None else self._look(grey, time_s, viewed)

    def close(self) -> None:
        """Nothing to release."""


class PaperDie:
    """Searches for the die while the game asks for the face of a real die."""

    def __init__(
        self, front: Front, viewed: Callable[[], RenderSetup | None], ask: Callable[[Act, bool], None]
    ) -> None:
        """``ask`` requests an act; ``viewed`` returns the camera with its pose at the table."""
        self._front, self._ask = front, ask
        self._watch = _PaperReader[int](front, viewed, LOOK_S)
        self._reader, self._kit_mm = DieReader(), 100.0
        """Reader and size of the kit, kept between turns: a die that hasn't moved isn't a new throw."""
        self.trouble = ""
        """A sentence if the die can't be read, else empty."""

    def poll(self) -> None:
        screens = self._front.screens
        if not screens.asks_face or screens.page is not PageName.TABLE:
            self.close()
            self.trouble = ""
            return
        if screens.preferences.kit_mm != self._kit_mm:
            self.close()
            self._kit_mm = screens.preferences.kit_mm
            self._reader, self.trouble = DieReader(self._kit_mm / 100.0), ""
        reader = self._reader
        tracked = self._watch.poll(
            lambda grey, time_s, viewed: reader.read_die(
                grey, time_s, viewed.camera, None if viewed.mirrored else viewed.table_from_camera
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


#: Interval between two readings, in seconds.
_LOOK_S = 1.0
#: Maximum difference between two agreeing readings, and maximum error of the lid's height without a message, in metres.
_AGREE_M, _MAX_ERROR_M = 0.006, 0.012


class PaperLid:
    """Searches for the lid while a team plays at a real table."""

    def __init__(
        self, front: Front, viewed: Callable[[], RenderSetup | None], show: Callable[[Pose, float], None]
    ) -> None:
        """``show`` gets the lid's foot and top (metres); ``viewed`` returns the camera with its pose at the table."""
        self._front, self._viewed, self._show = front, viewed, show
        self._watch = _PaperReader[StandingLid](front, viewed, _LOOK_S)
        self._before: StandingLid | None = None
        self.trouble = ""
        """A sentence if the lid's height differs from the game's, else empty."""

    def poll(self) -> None:
        screens, viewed = self._front.screens, self._viewed()
        playing = screens.page is PageName.TABLE and viewed is not None
        if viewed is None or not playing or viewed.mirrored or viewed.line_m <= 0.0:
            self.close()
            return
        if self._watch.thread is None:
            self._reader = LidReader(screens.preferences.kit_mm / 100.0)
        reader = self._reader
        latest = self._watch.poll(
            lambda grey, _time_s, viewed: reader.read_lid(grey, viewed.camera, viewed.table_from_camera)
        )
        if latest is None:
            return
        before, self._before = self._before, latest[1]
        lid = self._before
        if before is None or lid is None or abs(lid.top_m - before.top_m) > _AGREE_M:
            return
        if math.dist(lid.foot.position, before.foot.position) > _AGREE_M:
            return
        self._show(lid.foot, lid.top_m)
        is_wrong = abs(lid.top_m - viewed.line_m) > _MAX_ERROR_M
        height, line = centimetres(lid.top_m, 0), centimetres(viewed.line_m, 0)
        self.trouble = text("kit.lid_off", lid=height, line=line) if is_wrong else ""

    def close(self) -> None:
        self.trouble, self._before = "", None
        self._watch.stop()


#: Maximum error of the printed 100 mm line without a message, in millimetres.
MAX_ERROR_MM = 1.5


class PaperSize:
    """Measures the printed card in the sightings of the game's own tracker."""

    def __init__(
        self, front: Front, viewed: Callable[[], RenderSetup | None], look: Callable[[], CardSighting | None]
    ) -> None:
        """``look`` returns the last sighting of the card, ``viewed`` the camera with its pose."""
        self._front, self._viewed, self._look = front, viewed, look
        self._kit_mm, self._meter = 0.0, PrintMeter()
        self._last: CardSighting | None = None
        self.trouble = ""
        """A sentence if the kit's printed size differs from the setting, else empty."""

    def poll(self) -> None:
        set_mm = self._front.screens.preferences.kit_mm
        if set_mm != self._kit_mm:
            self._kit_mm, self._meter, self.trouble = set_mm, PrintMeter(set_mm / 100.0), ""
        sighting, viewed = self._look(), self._viewed()
        if sighting is None or sighting is self._last or viewed is None or viewed.mirrored:
            return
        self._last = sighting
        self._meter.add_sighting(sighting, viewed.table_from_camera)
        seen_mm = self._meter.line_mm
        if seen_mm is not None:
            wrong = abs(seen_mm - set_mm) > MAX_ERROR_MM
            sizes = {"setting": brief(set_mm), "measured": number(seen_mm)}
            self.trouble = text("kit.wrong_scale", **sizes) if wrong else ""

    def close(self) -> None:
        """Nothing to release."""
