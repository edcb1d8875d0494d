"""What the doors have to know of a game to be tried on it: where its things stand, and which keys make a turn."""

from __future__ import annotations

from typing import Any, Protocol

from support.doors_kit import AnyTable, Seated

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
    """With what a turn of it is played before the rendered camera and filmed; None: nobody plays it there."""
    bots: str
    """A bot for every seat, as ``--bots`` takes them; empty: nobody plays by themselves."""
    lacks_keys: tuple[str, ...]
    """Keys of the README's table that mean nothing here: pressed, the game says so."""
    lacks_options: tuple[tuple[str, ...], ...]
    """Options of `armoon play` that mean nothing here: typed, they are refused."""

    events: Any
    """The event of its match, or the union of them."""

    def ready(self, table: AnyTable) -> None:
        """Play on until there is something to take and to carry."""

    def taken_at(self, table: Seated) -> Vec3:
        """Where a hand takes it."""

    def held_at(self, table: Seated) -> Vec3:
        """Where what is held is, as far as the picture shows."""

    def way(self, table: Seated) -> tuple[Vec3, ...]:
        """Over which places it is carried; letting go of it at the last makes a move. Asked before it is taken."""

    def turn_by_keys(self, table: AnyTable) -> None:
        """One whole turn."""

    def play_out(self, table: AnyTable) -> None:
        """On to the end of the game, as quickly as can be."""
