"""Kinds of option values: each converts plain values, and describes the allowed ones."""

from __future__ import annotations

import enum
import math
import os
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from armoon.errors import ArmoonError, describe_reason
from armoon.messages import text
from armoon.values import names
from armoon.values.acts import KeyMap
from armoon.values.player_settings import NO_HANDICAP, Guidance, Handicap, VisualAids
from armoon.values.text import Address, parse_integer, parse_number

#: Limits of a picture's sides: the hand tracker needs recognisable fingertips, and webcams deliver at most 4K.
MIN_SIDE_PX, MAX_SIDE_PX = 120, 4096


class Kind(ABC):
    @property
    @abstractmethod
    def metavar(self) -> str:
        """Placeholder for the value in the command line's help."""

    @abstractmethod
    def read(self, value: object) -> Any:
        """Convert a plain value. Raises TypeError or ValueError."""

    def parse_argument(self, argument: str) -> object:
        """Convert a command-line argument to a plain value. Raises ValueError."""
        return argument

    @abstractmethod
    def describe_allowed(self) -> str:
        """Return the allowed values in the players' language."""

    def explain_fault(self, value: Any) -> str:
        """Return a sentence in the players' language about why this value can't be used, or "" if it can."""
        return ""


@dataclass(frozen=True)
class EnumValue(Kind):
    """A member of an enum, given by its value."""

    enum_type: type[enum.Enum]

    @property
    def metavar(self) -> str:
        return "|".join(self._value_texts())

    def read(self, value: object) -> Any:
        if isinstance(value, bool):
            raise ValueError(value)
        return self.enum_type(value)

    def parse_argument(self, argument: str) -> object:
        return parse_integer(argument) if issubclass(self.enum_type, int) else argument

    def describe_allowed(self) -> str:
        return text("option.allowed.words", words=", ".join(self._value_texts()))

    def _value_texts(self) -> list[str]:
        return [str(member.value) for member in self.enum_type]


@dataclass(frozen=True)
class OneOf(Kind):
    """One of several names that are known only at run time."""

    names: Callable[[], tuple[str, ...]]

    @property
    def metavar(self) -> str:
        return "|".join(self.names())

    def read(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.names():
            raise ValueError(value)
        return value

    def describe_allowed(self) -> str:
        return text("option.allowed.words", words=", ".join(self.names()))


#: Largest integer that all libraries accept.
MAX_NUMBER = 2**63 - 1


@dataclass(frozen=True)
class Number(Kind):
    least: float
    most: float = math.inf
    unit: str = ""
    """Last part of a key ``option.unit.KEY``: ``"s"``, ``"m"``, ``"hz"``, ``"deg"``; empty: no unit."""
    whole: bool = False
    zero_is_unlimited: bool = False
    """Whether 0 means no limit (None)."""

    @property
    def metavar(self) -> str:
        return {"s": "SECONDS", "m": "METRES", "hz": "HZ", "deg": "DEGREES"}.get(self.unit, "N")

    def read(self, value: object) -> float | int | None:
        is_wrong_type = isinstance(value, bool) or not isinstance(value, int if self.whole else (int, float))
        if is_wrong_type or not self.least <= value <= min(self.most, MAX_NUMBER):  # type: ignore[operator]
            raise ValueError(value)
        if self.zero_is_unlimited and value == 0:
            return None
        return int(value) if self.whole else float(value)  # type: ignore[call-overload,arg-type]

    def parse_argument(self, argument: str) -> object:
        return parse_integer(argument) if self.whole else parse_number(argument)

    def describe_allowed(self) -> str:
        unit = " " + text(f"option.unit.{self.unit}") if self.unit else ""
        limits = text(
            "option.limits.from" if math.isinf(self.most) else "option.limits.between",
            least=f"{self.least:g}",
            most=f"{self.most:g}",
        )
        words = text(
            "option.allowed.whole" if self.whole else "option.allowed.number", of=unit, limits=limits
        )
        return text("option.limits.endless", words=words) if self.zero_is_unlimited else words


class YesNo(Kind):
    metavar = ""

    def read(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError(value)
        return value

    def parse_argument(self, argument: str) -> object:
        return {"true": True, "false": False}[argument]

    def describe_allowed(self) -> str:
        return text("option.allowed.yes_no")


@dataclass(frozen=True)
class Text(Kind):
    """A text; the message ``option.allowed.KEY`` describes the allowed ones."""

    key: str
    metavar: str = "TEXT"

    def read(self, value: object) -> str:
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return str(value)
        if not isinstance(value, str):
            raise ValueError(value)
        return value

    def describe_allowed(self) -> str:
        return text(f"option.allowed.{self.key}")


@dataclass(frozen=True)
class TargetAddress(Kind):
    """A URL to send to. It may contain a secret key, so messages don't quote it."""

    key: str
    """The message ``option.allowed.KEY`` describes the allowed addresses."""
    schemes: tuple[str, ...]
    word: str | None = None
    """A word that is allowed instead of a URL."""

    @property
    def metavar(self) -> str:
        address = f"{self.schemes[0]}://HOST/..."
        return address if self.word is None else f"{self.word}|{address}"

    def read(self, value: object) -> Address:
        if value == self.word is not None:
            return Address(self.word)
        if not isinstance(value, str) or not value.isprintable() or " " in value:
            raise ValueError("no address")
        try:
            parts = urlsplit(value)
            is_valid = parts.scheme in self.schemes and parts.hostname and parts.port != 0
        except ValueError:
            is_valid = False
        if not is_valid or not parts.path.strip("/"):
            raise ValueError("no address")
        return Address(value)

    def describe_allowed(self) -> str:
        return text(f"option.allowed.{self.key}")


@dataclass(frozen=True)
class File(Kind):
    """A file to write, or one to read."""

    metavar: str = "FILE"
    is_output: bool = True

    def read(self, value: object) -> Path:
        if not isinstance(value, str) or not value:
            raise ValueError(value)
        return Path(value)

    def describe_allowed(self) -> str:
        return text("option.allowed.file")

    def explain_fault(self, value: Path) -> str:
        """Return a sentence about why the file can't be read or written, or ""; a missing folder will be created."""
        try:
            if not self.is_output and not value.exists():
                return text("option.fault.not_there", path=value)
            if value.is_dir():
                return text("option.fault.folder", path=value)
            if not self.is_output:
                is_usable = value.is_file() and os.access(value, os.R_OK)
                return "" if is_usable else text("option.fault.unreadable", path=value)
            existing = next(path for path in (value, *value.absolute().parents) if path.exists())
            is_usable = os.access(existing, os.W_OK) and (existing == value or existing.is_dir())
            return "" if is_usable else text("option.fault.unwritable", path=value, there=existing)
        except (OSError, ValueError) as error:
            return text("option.fault.no_name", path=f"{str(value)[:40]}", why=describe_reason(error))


#: Names of keys and buttons in lower case, as reported by window and gamepad.
_KEY = re.compile(r"[a-z0-9_]{1,20}")


@dataclass(frozen=True)
class KeyMaps(Kind):
    """Pairs of an act and its reassigned key."""

    acts: tuple[str, ...]
    reserved: tuple[str, ...]
    """Keys that acts can't be assigned to."""
    metavar = "roll=r,take=g"

    def read(self, value: object) -> KeyMap:
        pairs = list(value.items()) if isinstance(value, dict) else value
        if not isinstance(pairs, (list, tuple)) or len(pairs) > len(self.acts):
            raise ValueError(value)
        assigned = tuple(self._read_pair(pair) for pair in pairs)
        if isinstance(value, dict) and len({key for _, key in assigned}) < len(assigned):
            raise ValueError(value)
        return assigned

    def parse_argument(self, argument: str) -> object:
        pairs = [part.strip().partition("=") for part in argument.split(",") if part.strip()]
        if not all(sign for _, sign, _ in pairs):
            raise ValueError(argument)
        return {act: key for act, _, key in pairs}

    def describe_allowed(self) -> str:
        return text("option.allowed.keys", acts=", ".join(self.acts))

    def _read_pair(self, pair: object) -> tuple[str, str]:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ValueError(pair)
        act, key = pair
        is_free = isinstance(key, str) and _KEY.fullmatch(key) and key not in self.reserved
        if act not in self.acts or not is_free:
            raise ValueError(pair)
        return (act, key)


class Size(Kind):
    """A picture's width and height in pixels."""

    metavar = "WxH"

    def read(self, value: object) -> tuple[int, int]:
        pattern = r"\s*([0-9]{1,5})\s*[xX×]\s*([0-9]{1,5})\s*"
        match = re.fullmatch(pattern, value) if isinstance(value, str) else None
        if match is None:
            raise ValueError(value)
        width, height = int(match[1]), int(match[2])
        if not all(MIN_SIDE_PX <= side <= MAX_SIDE_PX for side in (width, height)):
            raise ValueError(value)
        return width, height

    def describe_allowed(self) -> str:
        return text("option.allowed.size", least=MIN_SIDE_PX, most=MAX_SIDE_PX)


#: Maximum number of players (ruling M3).
MAX_PLAYERS = 6


class Names(Kind):
    metavar = "A,B,C"

    def read(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)) or not all(isinstance(name, str) for name in value):
            raise ValueError(value)
        players = tuple(unicodedata.normalize("NFC", name.strip()) for name in value)
        if not 1 <= len(players) <= MAX_PLAYERS or not names.are_distinct(players):
            raise ValueError(value)
        if not all(map(names.is_name, players)):
            raise ValueError(value)
        return players

    def parse_argument(self, argument: str) -> object:
        return argument.split(",")

    def describe_allowed(self) -> str:
        return text("option.allowed.names", most=MAX_PLAYERS, longest=names.LONGEST_NAME)


#: Word for a person in a list of seats.
HAND = "hand"


@dataclass(frozen=True)
class SeatKind(Kind):
    """Each seat's player: a person, one of the game's bots, or if ``programs`` is true, the path of a bot program."""

    bots: type[enum.Enum]
    """The game's bots, the weakest first."""
    name_key: str = ""
    """Messages ``NAME_KEY.WORD`` are the bots' names, and ``ABOUT_KEY.WORD`` their descriptions."""
    about_key: str = ""
    most: int = MAX_PLAYERS
    programs: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(str(bot.value) for bot in self.bots)

    @property
    def metavar(self) -> str:
        return f"{HAND},{self.words[-1]}"

    def get_name(self, word: str) -> str:
        if word in self.words:
            return text(f"{self.name_key}.{word}")
        return names.tidy_name(Path(word).stem) or HAND

    def describe_bot(self, word: str) -> str:
        return text(f"{self.about_key}.{word}")

    def read(self, value: object) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)) or len(value) > self.most:
            raise ValueError(value)
        return tuple(None if word in (HAND, None) else self._read_bot(word) for word in value)

    def parse_argument(self, argument: str) -> object:
        return [word.strip() for word in argument.split(",")]

    def describe_allowed(self) -> str:
        words = ", ".join((HAND, *self.words))
        return text("option.allowed.programs" if self.programs else "option.allowed.bots", words=words)

    def _read_bot(self, word: object) -> Any:
        is_path = isinstance(word, str) and ("/" in word or "\\" in word or word.endswith(".py"))
        return word if self.programs and is_path else self.bots(word)


def check_program(word: str) -> None:
    """Raise ArmoonError if the bot program can't be started."""
    path = Path(word)
    if not path.is_file():
        raise ArmoonError("bots.no_program", path=word)
    if path.suffix != ".py" and not os.access(path, os.X_OK):
        raise ArmoonError("bots.not_executable", path=word)


class _NoBot(enum.Enum):
    """An enum without members."""


#: Kind of the option ``bots`` in games without bots.
NO_BOTS = SeatKind(_NoBot)


class Handicaps(Kind):
    """Each seat's handicap, such as ``spared:2+hints:1+helps:all+guidance:off``, or ``-`` for none."""

    metavar = "spared:2+hints:1,-"

    def read(self, value: object) -> tuple[Handicap, ...]:
        if not isinstance(value, (list, tuple)) or len(value) > MAX_PLAYERS:
            raise ValueError(value)
        return tuple(self.parse_one(part) for part in value)

    def parse_argument(self, argument: str) -> object:
        return argument.split(",")

    def describe_allowed(self) -> str:
        return text("option.allowed.handicaps", helps=", ".join(VisualAids), guidance=", ".join(Guidance))

    @staticmethod
    def parse_one(value: object) -> Handicap:
        """Convert one player's handicap from words or a record. Raises ValueError."""
        if isinstance(value, Handicap):
            return value
        if isinstance(value, str):
            parts = [part.partition(":") for part in value.strip().split("+") if part not in ("", "-")]
            if len({name for name, _, _ in parts}) < len(parts):
                raise ValueError(value)
            word_fields = ("helps", "guidance")
            value = {name: entry if name in word_fields else parse_integer(entry) for name, _, entry in parts}
        if not isinstance(value, dict) or not set(value) <= {"spared", "hints", "helps", "guidance"}:
            raise ValueError(value)
        if any(isinstance(number, bool) for number in value.values()):
            raise ValueError(value)
        helps, guidance = value.get("helps", NO_HANDICAP.helps), value.get("guidance", NO_HANDICAP.guidance)
        return Handicap(**{**value, "helps": VisualAids(helps), "guidance": Guidance(guidance)})
