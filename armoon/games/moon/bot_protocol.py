"""The built-in bots' characters, and the line protocol between a game and a bot (``docs/bots.md``)."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from armoon.values.choices import Word
from armoon.values.pieces import BASE, Base, Box, LadderSet, PieceId
from armoon.values.places import SAFEST, BotCharacter, PlaceWeights
from armoon.values.poses import Pose
from armoon.values.text import short_repr


class BotLevel(Word):
    """The built-in bots, the weakest first."""

    PIP = "pip"
    NOVA = "nova"
    SYLVA = "sylva"
    LUNA = "luna"


#: Preferences: FLAT lays ladders flat, TALL builds upwards, DARING leans ladders far out. The best bot uses SAFEST.
FLAT = PlaceWeights(safety=1.0, rise=-0.7)
TALL = PlaceWeights(safety=0.5, height=1.0, rise=0.2, ahead=0.2)
DARING = PlaceWeights(safety=0.4, height=0.3, rise=0.6, poise=0.6)
CHARACTERS = {
    BotLevel.PIP: BotCharacter(0.012, math.radians(8.0), 3, FLAT, 0.2, 1.3, "#f0e442"),
    BotLevel.NOVA: BotCharacter(0.0055, math.radians(3.8), 5, TALL, 0.3, 1.1, "#d55e00"),
    BotLevel.SYLVA: BotCharacter(0.0028, math.radians(2.0), 6, DARING, 0.5, 0.9, "#009e73"),
    BotLevel.LUNA: BotCharacter(0.001, math.radians(0.7), 12, SAFEST, 0.7, 0.8, "#56b4e9"),
}
#: Character of guests' bots: their hand is as steady as that of the best built-in bot, so only their plans matter.
GUEST = BotCharacter(0.001, math.radians(0.7), 12, SAFEST, 0.5, 1.0, "#cc79a7")


def get_character(bot: str) -> BotCharacter:
    return CHARACTERS[BotLevel(bot)] if bot in set(BotLevel) else GUEST


VERSION = 1
#: Environment variable that makes a built-in bot limit its processor time instead of elapsed time; it then plays just
#: as well on a busy machine, only more slowly.
CPU_TIME_VARIABLE = "ARMOON_BOT_OWN_TIME"
#: Maximum length of a line, in bytes; no valid line needs more.
MAX_LINE_BYTES = 400
#: Maximum length of a bot's comment, in characters: readable at a glance.
MAX_COMMENT_CHARS = 90
#: Limits of the hand's reach: horizontal distance from the table's middle, and height, metres.
MAX_DISTANCE_M, MAX_HEIGHT_M = 0.5, 1.5
#: Maximum deviation of a quaternion's length from 1.
UNIT_TOLERANCE = 1e-3

StructurePoses = tuple[tuple[PieceId, Pose, bool], ...]


class BotFault(enum.Enum):
    """A fault that costs a bot its turn. Message key: ``bots.fault.`` and the value."""

    MISSING = "missing"
    SILENT = "silent"
    LATE = "late"
    GONE = "gone"
    """The bot has exited or closed its output."""
    NONSENSE = "nonsense"
    ENCODING = "encoding"
    FLOOD = "flood"
    NO_POSE = "no_pose"
    OUT_OF_REACH = "out_of_reach"


class InvalidBotLine(ValueError):  # noqa: N818 - named after the line
    """A line that can't be accepted; ``fault`` is the reason."""

    def __init__(self, fault: BotFault, line: str) -> None:
        super().__init__(f"{fault.value}: {short_repr(line)}")
        self.fault = fault


@dataclass(frozen=True)
class BotTurn:
    """The message to the current bot: everything that a player at the table can see."""

    number: int
    standing: StructurePoses
    """All ladders of the structure: name, pose, and whether fixed in a slot."""
    tears: tuple[int, ...]
    """The bot's own tears, then those of the others in order of play."""
    tears_left: int
    die: str
    piece: PieceId
    offered: Pose
    limit_s: float


@dataclass(frozen=True)
class BotLine:
    """One line from a bot."""

    verb: str
    """``"hello"``, ``"say"``, ``"plan"``, ``"place"`` or ``"pass"``."""
    words: str = ""
    """The bot's name after hello, its comment after say."""
    pose: Pose | None = None
    """The pose to show as a ghost after plan, the release pose after place."""


# From the game to the bot --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Greeting:
    """The message to a bot before the first turn."""

    language: str
    level: str
    """Level of a built-in bot; empty for a guest."""
    seed: int
    """Seed for the bot's random choices, the same in every game with the same seed."""
    ladder_seed: int
    slots: str
    starting: tuple[PieceId, ...]


def format_greeting(greeting: Greeting, ladders: LadderSet, base: Base) -> list[str]:
    return [
        f"armoon {VERSION} {greeting.language}",
        *([f"level {greeting.level}"] if greeting.level else []),
        f"seed {greeting.seed}",
        f"set {greeting.ladder_seed} {greeting.slots} {' '.join(greeting.starting)}",
        *(_format_box(ladder.piece, box) for ladder in ladders.ladders for box in ladder.boxes),
        *(_format_box(BASE, box) for box in base.boxes),
        "ready",
    ]


def format_turn(turn: BotTurn) -> list[str]:
    pieces = (
        f"stands {piece} {'fixed' if is_fixed else 'free'} {_format_numbers(pose.row)}"
        for piece, pose, is_fixed in turn.standing
    )
    return [
        f"turn {turn.number}",
        *pieces,
        f"tears {' '.join(map(str, turn.tears))} left {turn.tears_left}",
        f"die {turn.die}",
        f"hand {turn.piece} {_format_numbers(turn.offered.row)}",
        f"go {turn.limit_s:g}",
    ]


def format_verdict_line(ok: bool, reason: str) -> str:
    return f"verdict {'ok' if ok else 'mistake'} {reason}"


def _format_box(piece: PieceId, box: Box) -> str:
    return f"box {piece} {_format_numbers((*box.centre, *box.rotation, *box.half_extents))}"


def _format_numbers(values: Iterable[float]) -> str:
    return " ".join(repr(float(value)) for value in values)


# From the bot to the game --------------------------------------------------------------------------------------


def read_line(line: bytes) -> BotLine:
    """Read a bot's line. Raises InvalidBotLine."""
    if len(line) > MAX_LINE_BYTES:
        raise InvalidBotLine(BotFault.FLOOD, "")
    try:
        words = line.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise InvalidBotLine(BotFault.ENCODING, repr(line[:40])) from error
    verb, _, rest = words.partition(" ")
    if verb in ("hello", "say"):
        printable = "".join(c if c.isprintable() else " " for c in rest)
        return BotLine(verb, printable.strip()[:MAX_COMMENT_CHARS].rstrip())
    if verb in ("plan", "place"):
        x, y, z = (pose := _parse_pose(rest)).position
        if verb == "place" and not (math.hypot(x, y) <= MAX_DISTANCE_M and 0.0 < z <= MAX_HEIGHT_M):
            raise InvalidBotLine(BotFault.OUT_OF_REACH, words[:40])
        return BotLine(verb, pose=pose)
    if words == "pass":
        return BotLine(verb)
    raise InvalidBotLine(BotFault.NONSENSE, words[:40])


def format_line(line: BotLine) -> str:
    detail = line.words if line.pose is None else _format_numbers(line.pose.row)
    return f"{line.verb} {detail}".rstrip()


def _parse_pose(words: str) -> Pose:
    try:
        x, y, z, *rotation = map(float, words.split())
        length = math.sqrt(sum(q * q for q in rotation))
        qx, qy, qz, qw = (q / length for q in rotation)
    except (ValueError, ZeroDivisionError) as error:
        raise InvalidBotLine(BotFault.NO_POSE, words[:40]) from error
    if not all(map(math.isfinite, (x, y, z))) or not abs(length - 1.0) <= UNIT_TOLERANCE:
        raise InvalidBotLine(BotFault.NO_POSE, words[:40])
    return Pose((x, y, z), (qx, qy, qz, qw))


# For bots written in Python ------------------------------------------------------------------------------------


def read_greeting(lines: Sequence[str]) -> Greeting:
    """Read the lines up to ``ready``. Raises ValueError for another version of the protocol."""
    fields = {verb: words for verb, *words in (line.split() for line in lines)}
    if fields["armoon"][0] != str(VERSION):
        raise ValueError(
            f"this library reads version {VERSION} of the protocol, not {short_repr(fields['armoon'][0])}"
        )
    ladder_seed, slots, *starting = fields["set"]
    level, seed = fields.get("level", [""])[0], int(fields["seed"][0])
    return Greeting(fields["armoon"][1], level, seed, int(ladder_seed), slots, tuple(starting))


def read_turn(lines: Sequence[str]) -> BotTurn:
    standing: list[tuple[PieceId, Pose, bool]] = []
    fields: dict[str, list[str]] = {}
    for line in lines:
        verb, *words = line.split()
        if verb == "stands":
            standing.append((words[0], _parse_pose(" ".join(words[2:])), words[1] == "fixed"))
        fields[verb] = words
    *tears, _, left = fields["tears"]
    return BotTurn(
        number=int(fields["turn"][0]),
        standing=tuple(standing),
        tears=tuple(map(int, tears)),
        tears_left=int(left),
        die=fields["die"][0],
        piece=fields["hand"][0],
        offered=_parse_pose(" ".join(fields["hand"][1:])),
        limit_s=float(fields["go"][0]),
    )
