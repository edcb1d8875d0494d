"""What a game in progress may bring beside ``Game``; the bodies here hold for a game that doesn't bring it.

``Presented`` asks once, when a table is made, which of these its game has. Seats, poses and lengths are told to
spectators as the functions at the end have them.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from armoon.broadcast import happenings
from armoon.broadcast.happenings import SILENT, Happening, Seat, Standing, hexed, words
from armoon.engine.events import Began, Output
from armoon.engine.match import Match
from armoon.games import title_of
from armoon.games.contract.kind import Game
from armoon.games.news import GuideFacts
from armoon.messages import text
from armoon.players.hand import Sight
from armoon.sound.cues import SoundCue
from armoon.values.acts import Act, Feature
from armoon.values.choices import Device
from armoon.values.pieces import CARRIED, Command
from armoon.values.places import Offered
from armoon.values.poses import Pose, PoseRow, Vec3

#: Through the moves that the rules list, by what goes through them.
_MOVES = {"play": Act.TAKE, "next": Act.RIGHT, "before": Act.LEFT}


@runtime_checkable
class Sounds(Protocol):
    """It is heard."""

    def cues(self, output: Output) -> tuple[SoundCue, ...]:
        """Return the sounds of a frame's output."""
        return ()


@runtime_checkable
class Broadcasts(Protocol):
    """A game whose feed has more than its players and who is on turn (docs/feed.md)."""

    def happened(self, output: Output) -> tuple[Happening, ...]:
        """Return a frame's happenings for spectators."""

    def standing(self) -> Standing:
        """Return how the table stands, for spectators."""


@runtime_checkable
class Guides(Protocol):
    """The guided first game is played in it."""

    def guide_facts(self) -> GuideFacts:
        return GuideFacts()


@runtime_checkable
class Undoes(Protocol):
    """It knows when there is nothing to put back."""

    def can_undo(self) -> bool:
        return True


@runtime_checkable
class Watched(Protocol):
    """The demo's player sees more of it than whose turn it is."""

    def sight(self, time_s: float) -> Sight:
        """Return what a player who looks at the screen knows."""


@runtime_checkable
class Recalls(Protocol):
    """What was played before means something to it."""

    def recall(self, folder: Path) -> None:
        """Look that up in the folder of saved games."""


@runtime_checkable
class Chooses(Protocol):
    """It offers more to choose from than a die and listed moves, for switches, keys, pads, voices and resting hands."""

    def choices(self) -> tuple[Offered, ...]:
        """Return what can be chosen now, besides what every table's page offers."""

    def choose(self, name: str) -> tuple[Command, ...]:
        """Return what a confirmed choice asks for; what is no longer offered comes to nothing."""

    def look_at(self, name: str | None) -> None:
        """Note the offer that is being considered, or None."""
        return

    def helped(self) -> tuple[Offered, ...]:
        """Return what can be chosen now by players who don't choose but grip: a help that they have asked for."""
        return ()

    def offers_unasked(self) -> bool:
        """Return whether choices are offered now to a player without a hand who hasn't asked for them."""
        return False

    def beside(self) -> str:
        return ""


class Plain(Sounds, Broadcasts, Guides, Undoes, Watched, Chooses):
    """What the house presents of a game that brings none of them."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game

    def happened(self, output: Output) -> tuple[Happening, ...]:
        match, title = self._game.match, words(lambda: title_of(self._game.match.game))
        begins = happenings.Began(match.game, title, SILENT, "above", plain_seats(match), ())
        return (begins,) if output.of(Began) else ()

    def standing(self) -> Standing:
        match, (turn, seat) = self._game.match, self._game.match.on_turn
        on_turn = None if match.over else seat
        return Standing(plain_seats(match), turn, on_turn, SILENT, paused=match.paused, over=match.over)

    def sight(self, time_s: float) -> Sight:
        turn, _ = self._game.match.on_turn
        return Sight(time_s, turn)

    def choices(self) -> tuple[Offered, ...]:
        match = self._game.match
        if match.over or match.hands_rest:
            return ()
        if self._game.asks_for_roll:
            return (Offered("roll", text("choose.roll")),)
        if Feature.CHOOSE in match.has:
            # What is played has been seen: before the first move is lit there is only to walk through them.
            names = [name for name, act in _MOVES.items() if act is not Act.TAKE or self._game.lit_move()]
            return tuple(Offered(name, text(f"choose.move_{name}")) for name in names)
        return ()

    def beside(self) -> str:
        return self._game.lit_move()

    def choose(self, name: str) -> tuple[Command, ...]:
        if name not in {one.name for one in self.choices()}:
            return ()
        return (Command(Act.ROLL, "choice"),) if name == "roll" else self._game.act(_MOVES[name])


class Presented:
    """A game's presenters by capability: the game itself where it has the capability, else ``Plain``."""

    def __init__(self, game: Game[Any]) -> None:
        plain = Plain(game)
        self.broadcasts: Broadcasts = game if isinstance(game, Broadcasts) else plain
        self.chooses: Chooses = game if isinstance(game, Chooses) else plain
        self.guides: Guides = game if isinstance(game, Guides) else plain
        self.sounds: Sounds = game if isinstance(game, Sounds) else plain
        self.undoes: Undoes = game if isinstance(game, Undoes) else plain
        self.watched: Watched = game if isinstance(game, Watched) else plain


#: Decimals of positions (0.1 mm) and of rotations in the feed.
_DIGITS = 4


def plain_seats(match: Match) -> tuple[Seat, ...]:
    """Return the players of a game that has no score."""
    return tuple(
        Seat(name, seat_colour(match, number), 0, out=False, note=SILENT)
        for number, name in enumerate(match.players)
    )


def seat_colour(match: Match, seat: int) -> str:
    """Return a player's colour; empty: none was chosen."""
    shades = match.table.colours
    return hexed(shades[seat]) if seat < len(shades) else ""


def ring(radius_m: float, middle: Vec3, corners: int) -> tuple[Vec3, ...]:
    x, y, z = middle
    turn = (2.0 * math.pi * corner / corners for corner in range(corners + 1))
    return tuple((x + radius_m * math.cos(a), y + radius_m * math.sin(a), z) for a in turn)


def told_pose(pose: Pose) -> PoseRow:
    x, y, z, i, j, k, w = (round(part, _DIGITS) for part in pose.row)
    return (x, y, z, i, j, k, w)


def told_length(length_m: float | None) -> float | None:
    return None if length_m is None else round(length_m, _DIGITS)


#: Between what can be done; and between a key and what it does, in both languages.
_AND, _DOES = " · ", re.compile(r"\s?: ")


def keys_now(game: Game[Any], device: Device, *, draws_any: bool = False, undone: bool = False) -> str:
    """In the players' language; empty where nothing of this device counts, as in a game that is over.

    ``undone``: there is a turn to take back.
    """
    if game.match.over:
        return ""
    if game.match.hands_rest:  # a bot thinks, which a press cuts short, or it plays
        thinks = game.asks_for_roll and game.match.offered_at_home is not None
        return text(f"strip.{device}.enough") if thinks and device is not Device.HAND else ""
    moment = _moment(game, device)
    words = text(f"strip.{device}.{moment}")
    if moment == "roll" and undone and device in (Device.KEYS, Device.MOUSE):
        return f"{words} · {text('strip.undo')}"
    another = (
        draws_any
        and device is Device.KEYS
        and game.match.offered_at_home is not None
        and not game.match.holding
    )
    return f"{words} · {text('strip.another')}" if another else words


@lru_cache(maxsize=8)
def besides(hint: str, keys: str) -> str:
    """Return the parts of a strip of keys whose key or gesture the hint above them doesn't name already."""
    said = (re.escape(_DOES.split(part)[0]) for part in keys.split(_AND))
    named = (re.search(rf"(?<!\w){key}(?!\w)", hint, re.IGNORECASE) for key in said)
    return _AND.join(part for part, found in zip(keys.split(_AND), named, strict=True) if not found)


def _moment(game: Game[Any], device: Device) -> str:
    """Return what the game waits for: a roll, a choice, a taking grip, a releasing grip, or nothing."""
    has = game.match.has
    if game.asks_for_roll:
        return "roll"
    if Feature.CHOOSE in has and device in (Device.KEYS, Device.PAD):
        return "choose"
    tips = Feature.ATTITUDE in has
    if game.match.grip is not None and game.match.grip.source in CARRIED:
        return "wait"  # the house's hand carries
    if game.match.waiting:
        return "take_plain"
    if game.match.holding:
        return "carry" if tips else "carry_plain"
    if game.match.offered_at_home is None:
        # Where all is to be chosen from, nothing is offered until something is pointed at.
        return "take_plain" if Feature.CHOOSE in has and game.match.at_rest else "wait"
    return "take" if tips else "take_plain"
