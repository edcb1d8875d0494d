"""The strip along the lower edge of the table: what the device that is played with can do at this moment."""

from __future__ import annotations

from typing import Any

from armoon.games.contract.kind import Game
from armoon.messages import text
from armoon.values.choices import Device
from armoon.values.features import Feature


def keys_now(game: Game[Any], device: Device, *, draws_any: bool = False) -> str:
    """In the players' language; empty where nothing of this device counts, as in a game that is over."""
    if game.match.over or game.match.hands_rest:
        return ""
    words = text(f"strip.{device}.{_moment(game, device)}")
    another = (
        draws_any
        and device is Device.KEYS
        and game.match.offered_at_home is not None
        and not game.match.holding
    )
    return f"{words} · {text('strip.another')}" if another else words


def _moment(game: Game[Any], device: Device) -> str:
    """Return what the game waits for: a roll, a choice, a taking grip, a releasing grip, or nothing."""
    has = game.match.has
    if game.asks_for_roll:
        return "roll"
    if Feature.CHOOSE in has and device in (Device.KEYS, Device.PAD):
        return "choose"
    tips = Feature.ATTITUDE in has
    if game.match.waiting:
        return "take_plain"
    if game.match.holding:
        return "carry" if tips else "carry_plain"
    if game.match.offered_at_home is None:
        # Where all is to be chosen from, nothing is offered until something is pointed at.
        return "take_plain" if Feature.CHOOSE in has and game.match.at_rest else "wait"
    return "take" if tips else "take_plain"
