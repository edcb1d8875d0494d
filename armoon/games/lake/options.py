"""Options of the lake game: a person or bot for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from armoon.games.lake.rules import COLOURS_EACH, Strength
from armoon.games.options import GameOptions
from armoon.messages import text
from armoon.options.kinds import SeatKind, YesNo
from armoon.options.option import COMMAND, SAVE, option
from armoon.values.acts import Feature

_SEAT_KIND = SeatKind(Strength, "lake.bot", "lake.bot_about", max(COLOURS_EACH))
#: Default bots of a game without a camera.
DEFAULT_BOTS = (Strength.WEAK, Strength.WEAK)


@dataclass(frozen=True)
class LakeOptions(GameOptions):
    """Options that only lake games have."""

    min_players: ClassVar[int] = min(COLOURS_EACH)
    max_players: ClassVar[int] = max(COLOURS_EACH)
    has: ClassVar[frozenset[Feature]] = frozenset(
        {Feature.PUT_BACK, Feature.UNDO, Feature.BOTS, Feature.CHOOSE}
    )

    bots: tuple[Strength | None, ...] = option(_SEAT_KIND, (), COMMAND, SAVE)
    """Strength of the bot in each seat, None for a person; empty: no bots."""
    no_camera: bool = option(YesNo(), False, COMMAND)
    """Whether bots play without a picture, printing a line for each move."""

    def check_players(self, names: Sequence[str]) -> None:
        if not self.min_players <= len(names) <= self.max_players or len(self.bots) not in (0, len(names)):
            raise ValueError(text("lake.party", least=self.min_players, most=self.max_players))

    @property
    def first_note(self) -> str:
        return text("screens.first.lake")


OwnOptions = LakeOptions
