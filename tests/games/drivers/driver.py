"""What the shared tests need to know about a game: where its pieces stand, and which keys make a turn."""

from __future__ import annotations

from typing import Any, Protocol

from support.table_kit import AnyTable, IdealTable

from armoon.values.poses import Vec3


class Driver(Protocol):
    name: str
    """As in the registry."""
    players: str
    """Enough to play, as ``--players`` takes them."""
    wrong_players: tuple[str, ...]
    """Too few, too many."""
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
        """Play on until there is a piece to grab and to carry."""

    def grab_point(self, table: IdealTable) -> Vec3:
        """Where a hand grabs the piece."""

    def held_point(self, table: IdealTable) -> Vec3:
        """Where the held piece is in the picture."""

    def carry_points(self, table: IdealTable) -> tuple[Vec3, ...]:
        """Places to carry the piece over; releasing at the last makes a move. Call it before grabbing."""

    def play_turn(self, table: AnyTable) -> None:
        """Play one whole turn."""

    def finish_game(self, table: AnyTable) -> None:
        """Play to the end of the game, as quickly as possible."""
