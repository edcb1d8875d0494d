"""The set-up of a lake match, beside its table: with its intakes, enough to replay it bit for bit."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.codec import convert
from armoon.engine.intake import Record
from armoon.games.lake.rules.game import replay
from armoon.games.lake.rules.moves import Move
from armoon.games.lake.rules.state import State
from armoon.games.lake.table.codec import move_from_plain, move_to_plain, setup_from_plain, setup_to_plain

GAME = "lake"


@dataclass(frozen=True)
class LakeSetup:
    """Everything of the game that is settled before the first tick."""

    first: State
    """The position before the first colour is chosen."""
    moves: tuple[Move, ...] = ()
    """What was played before, where a saved game goes on."""

    def start(self) -> State:
        """Return the position at the first tick. Raises IllegalMove where the moves don't go together."""
        return replay(self.first, self.moves)

    def to_record(self) -> Record:
        """Return the set-up as JSON values."""
        return {"rules": setup_to_plain(self.first), "moves": [move_to_plain(move) for move in self.moves]}

    @staticmethod
    def from_record(record: Record) -> LakeSetup:
        """Read what ``to_record`` wrote, ignoring other fields.

        Raises ValueError, which names the field, and IllegalMove where the moves don't go together.
        """
        line = convert(_Line, record)
        setup = LakeSetup(setup_from_plain(line.rules), tuple(map(move_from_plain, line.moves)))
        setup.start()
        return setup


@dataclass(frozen=True)
class _Line:
    """A LakeSetup in files."""

    rules: Record
    moves: tuple[Record, ...]
