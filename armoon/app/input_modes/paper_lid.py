"""The real lid of a team's game: found by its label, it hides what is behind it, and its height is compared."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from armoon.app.front import Front
from armoon.camera.frame import Frame, Image, is_unseen
from armoon.games.contract.kind import Viewed
from armoon.hands.cards.lid import LidReader, LidSeen
from armoon.hands.tracking.worker import WatcherThread
from armoon.messages import text
from armoon.messages.numbers import centimetres
from armoon.screens.state import PageName
from armoon.values.poses import Pose

#: Seconds between two readings; their maximum difference; the lid's maximum error from the line of the game.
_LOOK_S, _AGREE_M, _OFF_M = 1.0, 0.006, 0.012


@dataclass(frozen=True)
class _Looking:
    """The reader as a thread's tracker."""

    reader: LidReader
    viewed: Callable[[], Viewed | None]

    def track(self, image_bgr: Image, time_s: float, frame_index: int) -> LidSeen | None:
        """Return the lid in this picture."""
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        viewed = self.viewed()
        return None if viewed is None else self.reader.look(grey, viewed.camera, viewed.table_from_camera)

    def close(self) -> None:
        """Nothing to free."""


class PaperLid:
    """Looks for a lid while a team plays at a table that the camera looks at; else nothing runs."""

    def __init__(
        self, front: Front, viewed: Callable[[], Viewed | None], show: Callable[[Pose, float], None]
    ) -> None:
        """Read for a table: ``viewed`` is the camera with its place there; ``show`` takes foot and upper edge."""
        self._front, self._viewed, self._show = front, viewed, show
        self._thread: WatcherThread[Frame, LidSeen | None] | None = None
        self._looked_s = 0.0
        self._before: LidSeen | None = None
        self.trouble = ""
        """Sentence: the lid isn't as high as the line of the game; empty: it is."""

    def pump(self) -> None:
        """Hand on the newest picture, and show the lid where two looks agree."""
        screens, viewed = self._front.screens, self._viewed()
        playing = screens.page is PageName.TABLE and viewed is not None
        if viewed is None or not playing or viewed.mirrored or viewed.line_m <= 0.0:
            self.close()
            return
        if self._thread is None:
            looking = _Looking(LidReader(screens.preferences.kit_mm / 100.0), self._viewed)
            self._thread, self._looked_s = WatcherThread(lambda: looking), -math.inf
        result = self._front.fed.result
        if result is not None and not is_unseen(result.frame.image):
            frame = result.frame
            if not 0.0 <= frame.time_s - self._looked_s < _LOOK_S:
                self._looked_s = frame.time_s
                self._thread.submit(frame)
        taken = self._thread.take_seen()
        if taken is None:
            return
        before, self._before = self._before, taken[1]
        if before is None or self._before is None or _apart(before, self._before) > _AGREE_M:
            return
        lid = self._before
        self._show(lid.foot, lid.top_m)
        off = abs(lid.top_m - viewed.line_m) > _OFF_M
        high, line = centimetres(lid.top_m, 0), centimetres(viewed.line_m, 0)
        self.trouble = text("kit.lid_off", lid=high, line=line) if off else ""

    def close(self) -> None:
        """End what runs."""
        self.trouble, self._before = "", None
        if self._thread is not None:
            self._thread.close()
            self._thread = None


def _apart(one: LidSeen, other: LidSeen) -> float:
    return max(math.dist(one.foot.position, other.foot.position), abs(one.top_m - other.top_m))
