"""The interface through which the shared tests play a game."""

from __future__ import annotations

from typing import Any, Protocol

from support.table_kit import AnyTable, IdealTable

from armoon.values.poses import Vec3


class Driver(Protocol):
    name: str
    """The game's name in the registry."""
    players: str
    """A valid value of ``--players``."""
    wrong_players: tuple[str, ...]
    """Values of ``--players`` with too few and too many players."""
    short: tuple[str, ...]
    """Options for a short game."""
    demo: tuple[str, ...] | None
    """Options for filming a turn with the demo player; None: the game has no demo."""
    bots: str
    """A bot for every seat, as ``--bots`` takes them; empty: the game has no bots."""
    lacks_keys: tuple[str, ...]
    """Keys of the README's table that the game doesn't support; pressing them causes a message."""
    lacks_options: tuple[tuple[str, ...], ...]
    """Options of `armoon play` that the game doesn't support and refuses."""

    events: Any
    """Type of the match's own events, or the union of their types."""

    def prepare_turn(self, table: AnyTable) -> None:
        """Play until a piece can be grabbed and carried."""

    def grab_point(self, table: IdealTable) -> Vec3:
        """Return the point at which to grab the piece."""

    def held_point(self, table: IdealTable) -> Vec3:
        """Return the position of the held piece."""

    def carry_points(self, table: IdealTable) -> tuple[Vec3, ...]:
        """Return the points through which to carry the piece; releasing it at the last one makes a move.

        Call this before grabbing the piece.
        """

    def play_turn(self, table: AnyTable) -> None:
        """Play one whole turn."""

    def finish_game(self, table: AnyTable) -> None:
        """Play to the end of the game, as quickly as possible."""
