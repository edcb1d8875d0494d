"""Poses and lengths for spectators, and the keys of a moment."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any

from armoon.games.contract.kind import Game
from armoon.messages import text
from armoon.values.acts import Feature
from armoon.values.choices import Device
from armoon.values.pieces import CARRIED
from armoon.values.poses import Pose, PoseRow, Vec3

#: Decimals of positions (0.1 mm) and of rotations in the feed.
_DIGITS = 4


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
    """Return what the keys of a device do now; ``undone``: there is a turn to take back."""
    if game.match.over:
        return ""
    if game.match.ignores_hands:  # a bot thinks, which a press cuts short, or it plays
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
    """Return the parts of a strip of keys whose key or gesture the hint above them doesn't name."""
    said = (re.escape(_DOES.split(part)[0]) for part in keys.split(_AND))
    named = (re.search(rf"(?<!\w){key}(?!\w)", hint, re.IGNORECASE) for key in said)
    return _AND.join(part for part, found in zip(keys.split(_AND), named, strict=True) if not found)


def _moment(game: Game[Any], device: Device) -> str:
    has = game.match.has
    if game.asks_for_roll:
        return "roll"
    if Feature.CHOOSE in has and device in (Device.KEYS, Device.PAD):
        return "choose"
    tips = Feature.ATTITUDE in has
    if game.match.grip is not None and game.match.grip.source in CARRIED:
        return "wait"  # the house's hand carries
    if game.match.is_parked:
        return "take_plain"
    if game.match.holding:
        return "carry" if tips else "carry_plain"
    if game.match.offered_at_home is None:
        # Where all is to be chosen from, nothing is offered until something is pointed at.
        return "take_plain" if Feature.CHOOSE in has and game.match.at_rest else "wait"
    return "take" if tips else "take_plain"
