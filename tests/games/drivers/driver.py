"""The interface of a game's driver for the shared tests: positions of pieces, and the keys of a turn."""

from __future__ import annotations

from typing import Any, Protocol

from support.table_kit import AnyTable, IdealTable

from armoon.values.poses import Vec3


class Driver(Protocol):
    name: str
    """Its name in the registry."""
    players: str
    """A valid value of ``--players``."""
    wrong_players: tuple[str, ...]
    """Values of ``--players`` with too few and too many players."""
    short: tuple[str, ...]
    """Options with which a game is soon over."""
    demo: tuple[str, ...] | None
    """Options for filming a turn with the demo player; None: the game has no demo."""
    bots: str
    """A bot for every seat, as ``--bots`` takes them; empty: the game has no bots."""
    lacks_keys: tuple[str, ...]
    """Keys of the README's table without meaning here; the game says so when they are pressed."""
    lacks_options: tuple[tuple[str, ...], ...]
    """Options of `armoon play` without meaning here; they are refused."""

    events: Any
    """The event of its match, or the union of them."""

    def prepare_turn(self, table: AnyTable) -> None:
        """Play until a piece can be grabbed and carried."""

    def grab_point(self, table: IdealTable) -> Vec3:
        """Return the grip point of the piece."""

    def held_point(self, table: IdealTable) -> Vec3:
        """Return the position of the held piece."""

    def carry_points(self, table: IdealTable) -> tuple[Vec3, ...]:
        """Places to carry the piece over; releasing at the last makes a move. Call it before grabbing."""

    def play_turn(self, table: AnyTable) -> None:
        """Play one whole turn."""

    def finish_game(self, table: AnyTable) -> None:
        """Play to the end of the game, as quickly as possible."""
