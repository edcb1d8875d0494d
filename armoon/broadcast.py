"""The feed: events at the table as plain values for every game, numbered lines, and the state of a game."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from armoon.codec import MalformedError, convert, describe_other_version, encode_json, parse
from armoon.messages import LANGUAGES, speaking, text
from armoon.values.poses import PoseRow, Vec3
from armoon.values.text import short_repr


@dataclass(frozen=True)
class Words:
    """A sentence or a name in every language of the program."""

    en: str
    fr: str


@dataclass(frozen=True)
class Seat:
    """A player on the score board."""

    name: str
    colour: str
    """``"#rrggbb"`` or empty."""
    score: int
    """Tears or points; see ``FeedBegan.counts``."""
    out: bool
    note: Words
    """A handicap or the player's colours; usually empty."""


@dataclass(frozen=True)
class FeedShape:
    """The shape of a piece: lines in the piece's frame, metres."""

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
    """Position in metres and rotation as a quaternion xyzw, in the table frame: x right, y away, z up."""
    look: str
    """Highlighting, such as ``plain``, ``offered``, ``held``, ``touched``, ``honoured`` or ``fault``."""


class Happening:
    """Base class of the events in the feed."""


@dataclass(frozen=True)
class FeedBegan(Happening):
    """A game was started or resumed."""

    game: str
    title: Words
    counts: Words
    """The unit of ``Seat.score``."""
    seen_from: str
    """Direction from which the structure is best seen: ``side`` or ``above``."""
    seats: tuple[Seat, ...]
    shapes: tuple[FeedShape, ...]
    votes: tuple[str, ...] = ()
    """Subjects of votes by onlookers at this table: ``ladder``, ``face``."""


@dataclass(frozen=True)
class FeedTurn(Happening):
    """A player's turn began."""

    turn: int
    seat: int


@dataclass(frozen=True)
class FeedDie(Happening):
    """The die came to rest."""

    seat: int
    face: str
    """``ladder``, ``two ladders`` or ``crescent``."""
    words: Words


@dataclass(frozen=True)
class FeedHand(Happening):
    """A piece was offered, taken, released, parked or put back."""

    seat: int
    piece: str
    what: str
    """``offered``, ``taken``, ``released``, ``back`` or ``waits``."""


@dataclass(frozen=True)
class FeedVerdict(Happening):
    """A turn was judged; in a game without verdicts, a move was made."""

    turn: int
    seat: int
    ok: bool | None
    """None without a judgement."""
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
    """The seat charged for the mistake."""
    tears: int = 0
    """Number of tears charged."""
    top_m: float | None = None
    """Highest point of the structure afterwards."""
    margin_m: float | None = None
    """Height of the piece above the rival, if known."""


@dataclass(frozen=True)
class FeedFigures(Happening):
    """A placed piece made figures."""

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
    """The game was paused or continued."""

    paused: bool


@dataclass(frozen=True)
class FeedResult(Happening):
    """The game ended with a result."""

    winners: tuple[int, ...]
    words: Words
    more: Words
    """The reason and further information."""
    scores: tuple[int, ...]


@dataclass(frozen=True)
class FeedClosed(Happening):
    """The game ended or was left; no further events follow."""

    over: bool


#: Every kind of event by its name in the feed.
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
    """The state of the table at a moment."""

    seats: tuple[Seat, ...]
    turn: int
    on_turn: int | None
    hint: Words
    """The next step for the current player."""
    die: str = ""
    """``ladder``, ``two ladders`` or ``crescent``; empty before the roll."""
    tears_left: int | None = None
    left: int | None = None
    held: str = ""
    touching: tuple[str, ...] = ()
    wanted: tuple[int, int] | None = None
    """Minimum and maximum number of touches that the die requires."""
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


def to_hex(colour: Vec3) -> str:
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in colour)


#: Version of the feed. Raise it if a reader of the previous version could misread a line.
VERSION = 1
#: Maximum numbers of verdicts and of heights in a state.
MAX_VERDICTS, MAX_HEIGHTS = 40, 400


@dataclass(frozen=True)
class Height:
    """The height of the structure after a turn."""

    turn: int
    seat: int
    top_m: float
    ok: bool


@dataclass(frozen=True)
class FeedState:
    """A game's complete state for onlookers; a late reader needs no earlier line."""

    began: FeedBegan
    standing: Standing
    told: tuple[FeedVerdict, ...]
    """The last verdicts or moves, newest last."""
    figures: tuple[FeedFigures, ...]
    heights: tuple[Height, ...]
    result: FeedResult | None


@dataclass(frozen=True)
class FeedEvent:
    """A line for one event."""

    feed: int
    number: int
    """Increases by one with each event while the program runs."""
    at_s: float
    """Time of the loop, seconds."""
    kind: str
    happening: Happening


@dataclass(frozen=True)
class StateLine:
    """A line with the complete state after the event ``number``."""

    feed: int
    number: int
    at_s: float
    state: FeedState | None
    """None if no game is in progress."""


@dataclass(frozen=True)
class LiveLine:
    """A line between events, with current positions and touches."""

    feed: int
    number: int
    """Number of the last event."""
    at_s: float
    live: Standing


FeedLine = FeedEvent | StateLine | LiveLine


def encode_line(line: FeedLine) -> bytes:
    return encode_json(line)


def decode_line(content: bytes | str) -> FeedLine:
    """Decode a line from ``encode_line``. Raises MalformedError, which names the field."""
    plain = parse(content)
    if not isinstance(plain, dict):
        raise MalformedError("not a line of the feed")
    if plain.get("feed") != VERSION:
        raise MalformedError(describe_other_version("the feed", plain.get("feed"), VERSION))
    if "state" in plain:
        state: StateLine = convert(StateLine, plain, exact=True)
        return state
    if "live" in plain:
        live: LiveLine = convert(LiveLine, plain, exact=True)
        return live
    word = plain.get("kind")
    kind = KINDS.get(word) if isinstance(word, str) else None
    if kind is None:
        raise MalformedError(f"`kind`: {short_repr(word)} is not allowed")
    happening = convert(kind, plain.get("happening"), exact=True)
    event: FeedEvent = convert(FeedEvent, {**plain, "happening": happening}, exact=True)
    return event


class FeedRecorder:
    """Numbers the events and keeps the state."""

    def __init__(self) -> None:
        self.number = 0
        self._began: FeedBegan | None = None
        self._standing: Standing | None = None
        self._verdicts: list[FeedVerdict] = []
        self._figures: list[FeedFigures] = []
        self._heights: list[Height] = []
        self._result: FeedResult | None = None

    def add_event(self, at_s: float, happening: Happening) -> FeedEvent:
        self.number += 1
        if isinstance(happening, FeedBegan):
            self._began, self._standing, self._result = happening, None, None
            self._verdicts, self._figures, self._heights = [], [], []
        elif isinstance(happening, FeedVerdict):
            self._verdicts = [*self._verdicts, happening][-MAX_VERDICTS:]
            if happening.top_m is not None and happening.ok is not None:
                height = Height(happening.turn, happening.seat, happening.top_m, happening.ok)
                self._heights = [*self._heights, height][-MAX_HEIGHTS:]
        elif isinstance(happening, FeedFigures):
            self._figures = [*self._figures, happening][-MAX_VERDICTS:]
        elif isinstance(happening, FeedResult):
            self._result = happening
        return FeedEvent(VERSION, self.number, at_s, KIND_WORDS[type(happening)], happening)

    def build_live_line(self, at_s: float, standing: Standing) -> LiveLine | None:
        """Return a line with the table's state if it has changed, otherwise None."""
        if standing == self._standing:
            return None
        self._standing = standing
        return LiveLine(VERSION, self.number, at_s, standing)

    def build_state_line(self, at_s: float) -> StateLine:
        if self._began is None or self._standing is None:
            return StateLine(VERSION, self.number, at_s, None)
        state = FeedState(
            self._began,
            self._standing,
            tuple(self._verdicts),
            tuple(self._figures),
            tuple(self._heights),
            self._result,
        )
        return StateLine(VERSION, self.number, at_s, state)


_COMMON_FIELDS = {"feed": {"const": VERSION}, "number": {"type": "integer"}, "at_s": {"type": "number"}}


def build_schema() -> dict[str, Any]:
    kinds = [StateLine, LiveLine, *KINDS.values()]
    _, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    events = [
        {
            "type": "object",
            "properties": {
                **_COMMON_FIELDS,
                "kind": {"const": word},
                "happening": {"$ref": f"#/$defs/{kind.__name__}"},
            },
            "required": ["feed", "number", "at_s", "kind", "happening"],
        }
        for word, kind in KINDS.items()
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"armoon feed, version {VERSION}",
        "oneOf": [*events, {"$ref": "#/$defs/StateLine"}, {"$ref": "#/$defs/LiveLine"}],
        "$defs": {name: components[name] for name in sorted(components)},
    }


def format_schema() -> str:
    schema = build_schema()
    parts = [f'  "{key}": {json.dumps(schema[key])},' for key in ("$schema", "title")]
    parts += ['  "oneOf": [', ",\n".join(f"    {json.dumps(r)}" for r in schema["oneOf"]), "  ],"]
    defined = (f"    {json.dumps(name)}: {json.dumps(r)}" for name, r in schema["$defs"].items())
    parts += ['  "$defs": {', ",\n".join(defined), "  }"]
    return "\n".join(("{", *parts, "}"))


if __name__ == "__main__":
    print(format_schema())
