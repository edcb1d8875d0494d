"""Events of a table for onlookers, as frozen values that every game fills."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from armoon.messages import LANGUAGES, speaking, text
from armoon.values.poses import PoseRow, Vec3


@dataclass(frozen=True)
class Words:
    """A sentence or a name in every language of the program."""

    en: str
    fr: str


@dataclass(frozen=True)
class Seat:
    """A player, as the score shows them."""

    name: str
    colour: str
    """``"#rrggbb"``; empty: none."""
    score: int
    """Tears or points; ``FeedBegan.counts`` says which."""
    out: bool
    note: Words
    """A handicap or the player's colours; usually empty."""


@dataclass(frozen=True)
class FeedShape:
    """The shape of a piece: lines in its own frame, metres."""

    name: str
    lines: tuple[tuple[Vec3, ...], ...]
    colour: str


@dataclass(frozen=True)
class FeedPiece:
    """A piece on the table."""

    name: str
    shape: str
    """The name of a ``FeedShape``."""
    pose: PoseRow
    """Place in metres and rotation (quaternion xyzw) in the table frame: x right, y away, z up."""
    look: str
    """``plain``, ``offered``, ``held``, ``touched``, ``honoured``, ``fault`` and the like."""


class Happening:
    """Base class of the events in the feed."""


@dataclass(frozen=True)
class FeedBegan(Happening):
    """A game begins or resumes."""

    game: str
    title: Words
    counts: Words
    """The unit of ``Seat.score``."""
    seen_from: str
    """``side`` or ``above``: the best view of its structure."""
    seats: tuple[Seat, ...]
    shapes: tuple[FeedShape, ...]
    votes: tuple[str, ...] = ()
    """Choices that onlookers vote on at this table: ``ladder``, ``face``."""


@dataclass(frozen=True)
class FeedTurn(Happening):
    """A player's turn begins."""

    turn: int
    seat: int


@dataclass(frozen=True)
class FeedDie(Happening):
    """The die has come to rest."""

    seat: int
    face: str
    """``ladder``, ``two ladders`` or ``crescent``."""
    words: Words


@dataclass(frozen=True)
class FeedHand(Happening):
    """A piece is offered, taken, released, parked or put back."""

    seat: int
    piece: str
    what: str
    """``offered``, ``taken``, ``released``, ``back`` or ``waits``."""


@dataclass(frozen=True)
class FeedVerdict(Happening):
    """A verdict with its evidence; in a game without verdicts, a move."""

    turn: int
    seat: int
    ok: bool | None
    """None if there was nothing to judge."""
    words: Words
    reason: str = ""
    ruling: str = ""
    die: str = ""
    piece: str = ""
    touched: tuple[str, ...] = ()
    height_m: float | None = None
    """Highest point of the judged piece above the table."""
    rival: str = ""
    rival_m: float | None = None
    charged: int | None = None
    """The seat that pays."""
    tears: int = 0
    """Number of tears paid."""
    top_m: float | None = None
    """Highest point of the structure afterwards."""
    margin_m: float | None = None
    """Height above the rival's, if known."""


@dataclass(frozen=True)
class FeedFigures(Happening):
    """A placed piece makes figures."""

    turn: int
    seat: int
    piece: str
    figures: tuple[Words, ...]


@dataclass(frozen=True)
class FeedFall(Happening):
    """Pieces fell."""

    turn: int
    seat: int
    """The seat whose turn it was."""
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class FeedPause(Happening):
    """The game is paused or resumed."""

    paused: bool


@dataclass(frozen=True)
class FeedResult(Happening):
    """The game is over."""

    winners: tuple[int, ...]
    words: Words
    more: Words
    """The reason and further information."""
    scores: tuple[int, ...]


@dataclass(frozen=True)
class FeedClosed(Happening):
    """The game was left or has ended; no further events follow."""

    over: bool


#: Every kind of event by its word in the feed.
KINDS: dict[str, type[Happening]] = {
    "began": FeedBegan,
    "turn": FeedTurn,
    "die": FeedDie,
    "hand": FeedHand,
    "judged": FeedVerdict,
    "figure": FeedFigures,
    "fall": FeedFall,
    "pause": FeedPause,
    "result": FeedResult,
    "left": FeedClosed,
}
KIND_WORDS: dict[type[Happening], str] = {kind: word for word, kind in KINDS.items()}


@dataclass(frozen=True)
class Standing:
    """The state of the table at one moment."""

    seats: tuple[Seat, ...]
    turn: int
    on_turn: int | None
    hint: Words
    """The next step for the player on turn."""
    die: str = ""
    """``ladder``, ``two ladders`` or ``crescent``; empty before the roll."""
    tears_left: int | None = None
    left: int | None = None
    held: str = ""
    touching: tuple[str, ...] = ()
    wanted: tuple[int, int] | None = None
    """Minimum and maximum number of touches that the die asks for."""
    would_honour: bool | None = None
    height_m: float | None = None
    """Height of the piece that is held or settling."""
    top_m: float = 0.0
    """Height of the structure."""
    paused: bool = False
    over: bool = False
    pieces: tuple[FeedPiece, ...] = ()


def untranslated_words(words: str) -> Words:
    return Words(**dict.fromkeys(LANGUAGES, words))


NO_WORDS = untranslated_words("")


def translate(say: Callable[[], str]) -> Words:
    words = {}
    for language in LANGUAGES:
        with speaking(language):
            words[language] = say()
    return Words(**words)


def translate_text(key: str, **fields: object) -> Words:
    return translate(lambda: text(key, **fields))


def hex_colour(colour: Vec3) -> str:
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in colour)
