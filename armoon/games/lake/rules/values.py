"""The small values of the lake game: pawns, directions, phases, and every "why" of a refusal or an ending."""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass, field, replace
from typing import get_args

from armoon.values.choices import Word
from armoon.values.text import short_repr

#: Stars in the ring and pawns at the start, one on each (ruling L1).
STARS = 32
#: Floors of a dream-tower, one of each colour (ruling L6).
TOWER_FLOORS = 4
#: Each colour has pawns of these strengths, two of each (ruling L1).
STRENGTHS = (1, 2, 3, 4)
PAWNS_OF_A_KIND = 2


class Colour(enum.Enum):
    """The colours of the dome-pawns (ruling L1); the message key is ``lake.colour.`` and this value."""

    AMBER = "amber"
    JADE = "jade"
    RUBY = "ruby"
    SAPPHIRE = "sapphire"


class Direction(enum.Enum):
    """Which way round the lake, seen from above; stars are numbered clockwise."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter_clockwise"

    @property
    def step(self) -> int:
        return 1 if self is Direction.CLOCKWISE else -1


@dataclass(frozen=True)
class Pawn:
    """A dome-pawn; in short its colour's first letter and its strength, as ``A3``."""

    colour: Colour
    strength: int

    def __str__(self) -> str:
        return f"{self.colour.value[0].upper()}{self.strength}"


#: Pawns from the bottom to the top; the empty tuple is an empty star.
Stack = tuple[Pawn, ...]

_PAWNS = {str(pawn): pawn for pawn in (Pawn(colour, s) for colour in Colour for s in STRENGTHS)}


def stack_text(stack: Stack) -> str:
    """Return a stack in short, the bottom pawn first: ``A3J1``; ``-`` is an empty star."""
    return "".join(map(str, stack)) or "-"


def stack_from_text(text: str) -> Stack:
    if text == "-":
        return ()
    names = [text[at : at + 2] for at in range(0, len(text), 2)]
    if not names or not all(name in _PAWNS for name in names):
        raise ValueError(f"not a stack: {short_repr(text)}")
    return tuple(_PAWNS[name] for name in names)


#: A dream-tower, or half of one, that a player holds (ruling L6), and the tower's fourth floor, which may make both
#: halves worthless (ruling L9).
HeldTower = tuple[Stack, Pawn]


class Half(enum.Enum):
    """A half of a dream-tower (ruling L6)."""

    TOP = "top"
    BOTTOM = "bottom"

    def of(self, tower: Stack) -> Stack:
        middle = TOWER_FLOORS // 2
        return tower[middle:] if self is Half.TOP else tower[:middle]

    @property
    def other(self) -> Half:
        return Half.BOTTOM if self is Half.TOP else Half.TOP


class LakePhase(enum.Enum):
    """The next step of a turn."""

    CHOOSE = "choose"
    CARRY = "carry"
    """The player on turn carries a stack, or its upper floors (ruling L3)."""
    SPLIT = "split"
    """The player on turn has completed a dream-tower and divides it (ruling L6)."""
    OVER = "over"


class LakeRefusal(enum.Enum):
    """Why a move is refused; the message key is ``lake.refusal.`` and this value."""

    GAME_OVER = "game_over"
    WRONG_PHASE = "wrong_phase"
    COLOUR_TAKEN = "colour_taken"
    NO_SUCH_STAR = "no_such_star"
    EMPTY_STAR = "empty_star"
    NOT_YOURS = "not_yours"
    """L3: the top pawn's colour is another player's."""
    NO_SUCH_FLOOR = "no_such_floor"
    TOO_FEW_STARS = "too_few_stars"
    """L4: fewer other stars are occupied than the top pawn is strong."""
    COLOUR_TWICE = "colour_twice"
    """L5."""
    NO_SUCH_HEIR = "no_such_heir"
    """L6: the other half goes to another player, with four to the one opposite."""
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    LEFT_HERE = "left_here"
    """L4: a drop on the star that the pawns were lifted from."""
    LANDS_ON_EMPTY = "lands_on_empty"
    """L3: a drop on an empty star."""
    WRONG_DISTANCE = "wrong_distance"
    """L3: a drop on an occupied star that isn't as far off as the top pawn is strong."""


class LakeEnding(enum.Enum):
    """Why the game is over; the message key is ``lake.ending.`` and this value."""

    NO_MOVE = "no_move"
    """L7."""
    STANDSTILL = "standstill"
    """L11."""


@dataclass(frozen=True)
class LakeOutcome:
    """How a game ended, and why."""

    ending: LakeEnding
    ruling: str
    winners: tuple[int, ...]
    """Players by seat; more than one share the victory (ruling L10)."""
    points: tuple[int, ...]


class IllegalLakeMove(Exception):  # noqa: N818 - the field's name for it
    """A move the rules refuse; ``refusal`` says why."""

    def __init__(self, move: object, refusal: LakeRefusal) -> None:
        super().__init__(f"{move}: {refusal.value}")
        self.move = move
        self.refusal = refusal


class IllegalLakeSetup(ValueError):  # noqa: N818 - named like IllegalLakeMove
    """A game that can't be set up: players, first chooser or pawns that don't go together."""


#: How many colours each player has, by the number of players (ruling L2).
COLOURS_EACH = {2: 2, 3: 1, 4: 1}


@dataclass(frozen=True)
class LakeState:
    """A position. Players are named by their seat, 0 first, clockwise."""

    players: tuple[str, ...]
    seed: int
    stars: tuple[Stack, ...]
    colours: tuple[tuple[Colour, ...], ...]
    """What each player has chosen until now."""
    held: tuple[tuple[HeldTower, ...], ...]
    """Each player's towers and halves of towers (ruling L6)."""
    player: int
    """Who is to choose, to carry or to split; when the game is over, whose turn it would be."""
    phase: LakePhase = LakePhase.CHOOSE
    turn: int = 0
    """Counted from 1 with the first carry; 0 while colours are chosen."""
    tower: Stack = ()
    """Completed in this turn and not yet split (ruling L6)."""
    quiet: int = 0
    """Carries in a row that emptied no star (ruling L11)."""
    ending: LakeEnding | None = None
    before: LakeState | None = field(default=None, compare=False, repr=False)
    """The position before the last choice or carry, so that it can be taken back."""

    @property
    def over(self) -> bool:
        return self.phase is LakePhase.OVER

    @property
    def free_colours(self) -> tuple[Colour, ...]:
        """The unchosen colours; once all have chosen, the neutral one, if any (ruling L2)."""
        chosen = tuple(itertools.chain.from_iterable(self.colours))
        return tuple(colour for colour in Colour if colour not in chosen)

    @property
    def neutral(self) -> Colour | None:
        """The colour that everyone may move, in a game of three (ruling L2)."""
        if self.phase is LakePhase.CHOOSE:
            return None
        return next(iter(self.free_colours), None)

    @property
    def movable_colours(self) -> tuple[Colour, ...]:
        return () if self.phase is LakePhase.CHOOSE else self.colours[self.player] + self.free_colours

    @property
    def heirs(self) -> tuple[int, ...]:
        """The players who may get the half that the player on turn doesn't keep; none where towers stay whole (L6)."""
        count = len(self.players)
        if count == 2:
            return ()
        if count == 4:
            return ((self.player + 2) % count,)
        return tuple((self.player + step) % count for step in range(1, count))

    def owner(self, colour: Colour) -> int | None:
        return next((seat for seat, own in enumerate(self.colours) if colour in own), None)

    def alone(self) -> LakeState:
        """Return the position without its history, to be handed to another process."""
        return replace(self, before=None)


@dataclass(frozen=True)
class Choose:
    """The player on turn chooses a colour (ruling L2)."""

    colour: Colour


@dataclass(frozen=True)
class Carry:
    """The player on turn lifts the upper floors of a stack and carries them round the lake (ruling L3)."""

    star: int
    """Where they are lifted, 0 to 31, numbered clockwise."""
    floors: int
    """How many, counted from the top."""
    direction: Direction


@dataclass(frozen=True)
class Split:
    """The player on turn keeps one half of the completed tower and gives the other away (ruling L6)."""

    keep: Half
    heir: int
    """The seat that gets the other half."""


@dataclass(frozen=True)
class TakeBack:
    """The last turns are taken back, the one under way included (ours); it stands in the log like any move."""

    turns: int = 1


Move = Choose | Carry | Split | TakeBack
#: Every kind of move.
MOVE_KINDS: tuple[type[Move], ...] = get_args(Move)


class Strength(Word):
    """How well a bot plays."""

    WEAK = "weak"
    """Every other move is any legal one; else the one that brings most at once."""
    MIDDLE = "middle"
    """Looks at its move and at the answer."""
    STRONG = "strong"
    """Looks as far as its nodes last."""
