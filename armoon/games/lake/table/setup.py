"""The set-up of a lake match, beside its table: with its intakes, enough to replay it bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from armoon.codec import Variants, convert, encode, variant_names
from armoon.engine.setup import Record
from armoon.games.lake.rules import values
from armoon.games.lake.rules.game import initial, replay
from armoon.games.lake.rules.lines import Field, LakeLine
from armoon.messages import enumerated, ordinal, text
from armoon.values.poses import Vec3

#: Moves as JSON values: a move's name under ``move``, and its fields; MalformedError, a ValueError, if it is none.
MOVES = Variants[values.Move]("move", variant_names(values.MOVE_KINDS))


@dataclass(frozen=True, kw_only=True)
class _LakeRulesSetup:
    """What ``lake.initial`` and a replay need."""

    game: Literal["lake"] = "lake"
    players: tuple[str, ...]
    seed: int
    first_chooser: int
    stars: tuple[str, ...]
    """The order of the pawns is a fact of the game, written down as it was drawn up."""


def setup_to_plain(state: values.LakeState) -> dict[str, Any]:
    stars = tuple(values.stack_text(stack) for stack in state.stars)
    return dict(
        encode(
            _LakeRulesSetup(players=state.players, seed=state.seed, first_chooser=state.player, stars=stars)
        )
    )


def setup_from_plain(plain: Mapping[str, Any]) -> values.LakeState:
    """Return the position that ``setup_to_plain`` wrote. Raises ValueError, which names the field."""
    setup = convert(_LakeRulesSetup, plain)
    pawns = [pawn for name in setup.stars for pawn in values.stack_from_text(name)]
    return initial(setup.players, setup.seed, first_chooser=setup.first_chooser, stars=pawns)


GAME = "lake"


@dataclass(frozen=True)
class LakeSetup:
    """Everything of the game that is settled before the first tick."""

    first: values.LakeState
    moves: tuple[values.Move, ...] = ()
    """What was played before, where a saved game goes on."""

    def start(self) -> values.LakeState:
        """Return the position at the first tick. Raises IllegalLakeMove where the moves don't go together."""
        return replay(self.first, self.moves)

    def to_record(self) -> Record:
        return {"rules": setup_to_plain(self.first), "moves": list(map(MOVES.encode, self.moves))}

    @staticmethod
    def from_record(record: Record) -> LakeSetup:
        """Read a record of ``to_record``, ignoring other fields. Raises ValueError and IllegalLakeMove."""
        line = convert(_LakeRecord, record)
        setup = LakeSetup(setup_from_plain(line.rules), tuple(map(MOVES.convert, line.moves)))
        setup.start()
        return setup


@dataclass(frozen=True)
class _LakeRecord:
    """A LakeSetup in files."""

    rules: Record
    moves: tuple[Record, ...]


@dataclass(frozen=True)
class Lifted:
    """A hand has taken the upper floors of a stack."""

    star: int
    floors: int


@dataclass(frozen=True)
class HalfLifted:
    """A hand has taken a half of the completed tower."""

    half: values.Half


@dataclass(frozen=True)
class LakeRefused:
    """A grip or a command asked for what the rules don't allow."""

    LOGGED_AS: ClassVar = "Refused"
    refusal: values.LakeRefusal
    star: int | None = None


@dataclass(frozen=True)
class FlewHome:
    """A held stack has gone back to its star."""

    star: int | None
    """None: to the tower."""
    floors: int
    let_go_at: Vec3
    refusal: values.LakeRefusal | None = None
    """Why it may not be where it was let go."""
    lost: bool = False
    """The hand didn't let go: it has been out of sight for too long, or a command came first."""


@dataclass(frozen=True)
class Laid:
    """The pawns lie on the stars as the match begins with them."""


Happening = Lifted | HalfLifted | LakeRefused | FlewHome
#: Every kind of happening.
HAPPENINGS: tuple[type[Happening], ...] = get_args(Happening)
#: Everything that a lake match tells: the moves, applied in their order, give the game again.
LakeEvent = values.Move | Happening | Laid


def spoken(line: LakeLine) -> str:
    sentence = _word(line)
    return sentence[:1].upper() + sentence[1:]


def _word(field: Field) -> str:
    if isinstance(field, tuple):
        names = [one for one in field if isinstance(one, str)]
        return enumerated(names) if names else ", ".join(map(_word, field))
    if isinstance(field, LakeLine):
        # Numbers stay numbers, because catalogues choose singular and plural by them.
        fields = {name: it if isinstance(it, int) else _word(it) for name, it in field.fields}
        count = fields.get("count")
        return text(field.key, nth=ordinal(count) if isinstance(count, int) else "", **fields)
    return str(field)
