"""The paper die of an evening: read while a real die's face is asked for, in a thread, and told as a key would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from armoon.app.front import Front
from armoon.camera.frame import Frame, Image, is_unseen
from armoon.games.contract.kind import Viewed
from armoon.hands.cards.die import LOOK_S, DieRead, DieReader
from armoon.hands.tracking.worker import WatcherThread
from armoon.messages import text
from armoon.messages.numbers import brief, number
from armoon.screens.state import PageName
from armoon.values.acts import Act

#: Maximum difference of two measurements of the 100 mm line that agree; error of the print from which it is reported.
_AGREE_MM, _WRONG_MM = 1.5, 2.5
#: The act that reports each face.
_TOLD = {1: Act.ONE, 2: Act.TWO, 3: Act.THREE}


@dataclass(frozen=True)
class _Looking:
    """The reader as a thread's tracker."""

    reader: DieReader
    viewed: Callable[[], Viewed | None]

    def track(self, image_bgr: Image, time_s: float, frame_index: int) -> DieRead | None:
        """Return what has come to rest in this picture."""
        grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        viewed = self.viewed()
        if viewed is None:
            return None
        table = None if viewed.mirrored else viewed.table_from_camera
        return self.reader.look(grey, time_s, viewed.camera, table)

    def close(self) -> None:
        """Nothing to free."""


class PaperDie:
    """Looks for the die while a face is asked for; else nothing runs."""

    def __init__(
        self, front: Front, viewed: Callable[[], Viewed | None], ask: Callable[[Act, bool], None]
    ) -> None:
        """Read for a table: ``viewed`` is the camera with its place there; ``ask`` asks the table for an act."""
        self._front, self._viewed, self._ask = front, viewed, ask
        self._thread: WatcherThread[Frame, DieRead | None] | None = None
        self._reader, self._kit_mm = DieReader(), 100.0
        """Kept from turn to turn: a die that still lies where it was read is no new throw."""
        self._looked_s = 0.0
        self._line_mm: float | None = None
        self._size = ""
        """Sentence for the next throw: the kit was printed at another size than the settings say; empty: it wasn't."""
        self.trouble = ""
        """Sentence about a die that couldn't be read, or about a kit of another size than the settings say."""

    def pump(self) -> None:
        """Hand on the newest picture, and tell what was read."""
        screens = self._front.screens
        if not screens.asks_face or screens.page is not PageName.TABLE:
            self.close()
            self.trouble = ""
            return
        if screens.preferences.kit_mm != self._kit_mm:
            self.close()
            self._kit_mm = screens.preferences.kit_mm
            self._reader, self._line_mm, self._size = DieReader(self._kit_mm / 100.0), None, ""
            self.trouble = ""
        if self._thread is None:
            looking = _Looking(self._reader, self._viewed)
            self._thread, self._looked_s = WatcherThread(lambda: looking), 0.0
            self.trouble = self._size
        result = self._front.fed.result
        if (
            result is not None
            and not is_unseen(result.frame.image)
            and not 0.0 <= result.frame.time_s - self._looked_s < LOOK_S
        ):
            self._looked_s = result.frame.time_s
            self._thread.submit(result.frame)
        seen = self._thread.take_seen()
        if seen is None or seen[1] is None:
            return
        value = seen[1].value
        if value is None:
            self.trouble = text("kit.askew")
            return
        self._size = self.trouble = self._wrong_size(seen[1].line_mm)
        for pressed in (True, False):
            self._ask(_TOLD[value], pressed)

    def _wrong_size(self, line_mm: float | None) -> str:
        """Return what the print really measures, where two dice running say that it isn't what it is said to be."""
        before, self._line_mm = self._line_mm, line_mm
        if line_mm is None or before is None or abs(line_mm - before) > _AGREE_MM:
            return ""
        seen_mm = (line_mm + before) / 2.0
        if abs(seen_mm - self._kit_mm) < _WRONG_MM:
            return ""
        return text("kit.wrong_scale", said=brief(self._kit_mm), seen=number(seen_mm))

    def close(self) -> None:
        """End what runs."""
        if self._thread is not None:
            self._thread.close()
            self._thread = None
