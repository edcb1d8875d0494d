"""The set-up of a moon match, beside its table: with its intakes, enough to replay it bit for bit."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace

from armoon.codec import convert, encode
from armoon.engine.intake import Record
from armoon.engine.setup import TableSetup
from armoon.games.moon.options import BOTS, EDITION, SLOTS, house_from_plain
from armoon.games.moon.rules.editions import Options
from armoon.games.moon.table.saving import Start
from armoon.options.option import read_record
from armoon.values.choices import Slots
from armoon.world.ladders import BOX_SEED

GAME = "moon"
#: Maximum wait for a die, seconds.
LONGEST_AUTO_ROLL_S = 1e6


@dataclass(frozen=True)
class MoonSetup:
    """Everything of the game that is settled before the first roll."""

    seed: int
    edition: str
    players: tuple[str, ...]
    auto_roll_s: float | None
    """The die rolls by itself when the table has been at rest this long; None: only when asked to."""
    slots: Slots = Slots.FACING
    """In which configuration the starting ladders stand (ruling M2)."""
    ladder_seed: int = BOX_SEED
    options: Options = field(default_factory=Options)
    """The house options."""
    first_player: int = 0
    """The seat that begins (ruling M3)."""
    start: Start | None = None
    """Where a resumed game goes on; None: before the first roll."""

    def to_record(self) -> Record:
        """Return the set-up as JSON values."""
        own = asdict(replace(self, start=None))
        start = None if self.start is None else self.start.to_record()
        return {**own, "options": encode(self.options), "start": start}

    @staticmethod
    def from_record(record: Record) -> MoonSetup:
        """Read what ``to_record`` wrote, among other fields. Raises ValueError, which names the field, or SaveError."""
        line = convert(_Line, record)
        start = None if line.start is None else Start.from_record(line.start)
        own = {
            "options": house_from_plain(line.options),
            "start": start,
            **read_record((EDITION, SLOTS), record),
        }
        return MoonSetup(**{**vars(line), **own})


def table_from_record(record: Record) -> TableSetup:
    """Return the table of a log or save, with this game's bots. Raises ValueError, which names the field."""
    return replace(TableSetup.from_record(record), **read_record((BOTS,), record))


@dataclass(frozen=True)
class _Line:
    """The set-up's fields in a file; two of them are options, which are read as such."""

    seed: int
    edition: str
    slots: str
    players: tuple[str, ...]
    auto_roll_s: float | None
    ladder_seed: int
    options: Record
    first_player: int
    start: Record | None

    def __post_init__(self) -> None:
        if self.auto_roll_s is not None and not 0.0 <= self.auto_roll_s <= LONGEST_AUTO_ROLL_S:
            raise ValueError(f"auto_roll_s: {self.auto_roll_s!r} is out of the question")
