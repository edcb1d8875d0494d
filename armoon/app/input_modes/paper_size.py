"""Checks the printed size of a paper ladder that lies on a calibrated table against the size in the settings."""

from __future__ import annotations

from collections.abc import Callable

from armoon.app.front import Front
from armoon.games.contract.kind import Viewed
from armoon.hands.cards.follow import CardSight
from armoon.hands.cards.lying import PrintMeter
from armoon.messages import text
from armoon.messages.numbers import brief, number

#: Error of the printed 100 mm line from which it is reported, in millimetres.
WRONG_MM = 1.5


class PaperSize:
    """Measures the card from the sights that the game takes anyway."""

    def __init__(
        self, front: Front, viewed: Callable[[], Viewed | None], sight: Callable[[], CardSight | None]
    ) -> None:
        """Measure for a table: ``viewed`` is the camera with its place there; ``sight`` the card that was seen last."""
        self._front, self._viewed, self._sight = front, viewed, sight
        self._kit_mm, self._meter = 0.0, PrintMeter()
        self._last: CardSight | None = None
        self.trouble = ""
        """Sentence: the kit was printed at another size than the settings say; empty: it wasn't."""

    def pump(self) -> None:
        """Take in a new sight."""
        said_mm = self._front.screens.preferences.kit_mm
        if said_mm != self._kit_mm:
            self._kit_mm, self._meter, self.trouble = said_mm, PrintMeter(said_mm / 100.0), ""
        sight, viewed = self._sight(), self._viewed()
        if sight is None or sight is self._last or viewed is None or viewed.mirrored:
            return
        self._last = sight
        self._meter.see(sight, viewed.table_from_camera)
        seen_mm = self._meter.line_mm
        if seen_mm is not None:
            wrong = abs(seen_mm - said_mm) > WRONG_MM
            said, seen = brief(said_mm), number(seen_mm)
            self.trouble = text("kit.wrong_scale", said=said, seen=seen) if wrong else ""

    def close(self) -> None:
        """Nothing runs."""
