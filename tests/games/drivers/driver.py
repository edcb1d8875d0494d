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
    """Options for filming a turn with the demo player; None if the game has no demo."""
    bots: str
    """A value of ``--bots`` with a bot for every seat; empty if the game has no bots."""
    lacks_keys: tuple[str, ...]
    """Keys in the README's table that the game doesn't support; pressing one causes a message."""
    lacks_options: tuple[tuple[str, ...], ...]
    """Options of `armoon play` that the game doesn't support and therefore refuses."""
    events: Any
    """The type of the match's own events, or a union of types."""

    def prepare_turn(self, table: AnyTable) -> None:
        """Play until a piece can be grabbed and carried."""

    def grab_point(self, table: IdealTable) -> Vec3:
        """Return the point at which to grab the piece."""

    def held_point(self, table: IdealTable) -> Vec3:
        """Return the position of the held piece."""

    def carry_points(self, table: IdealTable) -> tuple[Vec3, ...]:
        """Return the points through which to carry the piece; a release at the last one makes a move.

        Must be called before the piece is grabbed.
        """

    def play_turn(self, table: AnyTable) -> None:
        """Play one whole turn."""

    def finish_game(self, table: AnyTable) -> None:
        """Play to the end of the game, as quickly as possible."""
