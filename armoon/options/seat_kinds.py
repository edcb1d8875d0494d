"""The kinds of values about the players' seats: names, hands and bots, handicaps."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.values.handicap import LEVEL, Handicap, Helping
from armoon.values.numbers import whole_in

#: The rules seat six (ruling M3), and a name has to fit on the score board.
MOST_PLAYERS = 6


LONGEST_NAME = 16


@dataclass(frozen=True)
class Names:
    """The players' names."""

    metavar: str = "A,B,C"

    def read(self, value: object) -> tuple[str, ...]:
        """One to six different names, trimmed."""
        return parse_players(value)

    def typed(self, words: str) -> object:
        """Names between commas."""
        return words.split(",")

    def allowed(self) -> str:
        """How many, and how long."""
        return text("option.allowed.names", most=MOST_PLAYERS, longest=LONGEST_NAME)


#: In a list of seats: a person plays it, with a hand.
HAND = "hand"


@dataclass(frozen=True)
class WhoPlays:
    """Who plays each seat: a hand, one of a game's bots, or with ``programs`` the path of a program that is one."""

    bots: type[enum.Enum]
    """The weakest first."""
    name_key: str = ""
    """A bot's name is the text under this key and the bot's word; how it plays stands under ``about_key``."""
    about_key: str = ""
    most: int = MOST_PLAYERS
    programs: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The bots' words."""
        return tuple(str(bot.value) for bot in self.bots)

    @property
    def metavar(self) -> str:
        """A hand, and the strongest."""
        return f"{HAND},{self.words[-1]}"

    def name(self, word: str) -> str:
        """Return a bot's name, or a program's."""
        return text(f"{self.name_key}.{word}") if word in self.words else Path(word).stem[:LONGEST_NAME]

    def about(self, word: str) -> str:
        """Return how a bot plays, in a few words."""
        return text(f"{self.about_key}.{word}")

    def read(self, value: object) -> tuple[Any, ...]:
        """Return the bots by seat; None where a hand plays."""
        if not isinstance(value, (list, tuple)) or len(value) > self.most:
            raise ValueError(value)
        return tuple(None if word in (HAND, None) else self._bot(word) for word in value)

    def typed(self, words: str) -> object:
        """Words between commas."""
        return [word.strip() for word in words.split(",")]

    def allowed(self) -> str:
        """Every word."""
        words = ", ".join((HAND, *self.words))
        return text("option.allowed.programs" if self.programs else "option.allowed.bots", words=words)

    def _bot(self, word: object) -> Any:
        program = isinstance(word, str) and ("/" in word or "\\" in word or word.endswith(".py"))
        return word if self.programs and program else self.bots(word)


def check_program(word: str) -> None:
    """Raise ArmoonError where no program of that path can be started."""
    path = Path(word)
    if not path.is_file():
        raise ArmoonError(text("bots.no_program", path=word), remedy=text("bots.no_program_remedy"))
    if path.suffix != ".py" and not os.access(path, os.X_OK):
        raise ArmoonError(text("bots.not_executable", path=word), remedy=text("bots.not_executable_remedy"))


class _Nobody(enum.Enum):
    """No bot."""


#: Of a game whose seats no bot plays.
NO_BOTS = WhoPlays(_Nobody)


@dataclass(frozen=True)
class Handicaps:
    """Each seat's handicap: ``spared:2+hints:1+helps:all``, or ``-`` for none."""

    metavar: str = "spared:2+hints:1,-"

    def read(self, value: object) -> tuple[Handicap, ...]:
        """By seat, from words, from a record, or as it is."""
        if not isinstance(value, (list, tuple)) or len(value) > MOST_PLAYERS:
            raise ValueError(value)
        return tuple(self.one(part) for part in value)

    def typed(self, words: str) -> object:
        """Seats between commas."""
        return words.split(",")

    def allowed(self) -> str:
        """How it is written."""
        return text("option.allowed.handicaps", helps=", ".join(Helping))

    @staticmethod
    def one(value: object) -> Handicap:
        """One player's, from words, from a record, or as it is. Raises ValueError."""
        if isinstance(value, Handicap):
            return value
        if isinstance(value, str):
            parts = [part.partition(":") for part in value.strip().split("+") if part not in ("", "-")]
            if len({name for name, _, _ in parts}) < len(parts):
                raise ValueError(value)
            value = {name: words if name == "helps" else whole_in(words) for name, _, words in parts}
        if not isinstance(value, dict) or not set(value) <= {"spared", "hints", "helps"}:
            raise ValueError(value)
        if any(isinstance(number, bool) for number in value.values()):
            raise ValueError(value)
        return Handicap(**{**value, "helps": Helping(value.get("helps", LEVEL.helps))})


def parse_players(value: object) -> tuple[str, ...]:
    """One to six different names; ValueError if they are anything else."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(name, str) for name in value):
        raise ValueError(value)
    names = tuple(name.strip() for name in value)
    if not 1 <= len(names) <= MOST_PLAYERS or len(set(names)) < len(names):
        raise ValueError(value)
    if not all(1 <= len(name) <= LONGEST_NAME and name.isprintable() for name in names):
        raise ValueError(value)
    return names
