"""That a paper ladder was printed larger or smaller than is said, where it was laid on a table the camera knows."""

from __future__ import annotations

from collections.abc import Callable

from armoon.app.front import Front
from armoon.games.contract.kind import Viewed
from armoon.hands.cards.follow import CardSight
from armoon.hands.cards.lying import PrintMeter
from armoon.messages import text
from armoon.messages.numbers import brief, number

#: So much off, of 100 mm, is said.
WRONG_MM = 1.5


class PaperSize:
    """Looks at where the card of a game is seen; nothing is detected for it."""

    def __init__(
        self, front: Front, viewed: Callable[[], Viewed | None], sight: Callable[[], CardSight | None]
    ) -> None:
        """Begin: ``viewed`` is the camera with its place at the table; ``sight`` the card that was seen last."""
        self._front, self._viewed, self._sight = front, viewed, sight
        self._kit_mm, self._meter = 0.0, PrintMeter()
        self._last: CardSight | None = None
        self.trouble = ""
        """That the kit has another size than is said, as a sentence."""

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
