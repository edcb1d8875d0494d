"""The last screen of every game's rules: the use of hand, mouse, keys and gamepad."""

from __future__ import annotations

from collections.abc import Set
from functools import partial

from armoon.games.shared.rulebook import RuleScreen, RuleStep, hand, key, mouse, pad, ramp
from armoon.messages import key_sign, text
from armoon.values.acts import Act, Feature
from armoon.values.page import Drawing, Shape

#: Keys in the picture of a game with a die, and of one whose moves are listed.
_PLAYING = (Act.ROLL_LEFT, Act.ROLL_RIGHT, Act.NOD, Act.NOD_BACK, Act.SPIN_LEFT, Act.SPIN_RIGHT)
_CHOOSING = (Act.LEFT, Act.RIGHT, Act.AWAY, Act.NEAR)
_ALWAYS = (Act.PUT_BACK, Act.PARK, Act.UNDO, Act.PAUSE, Act.RULES, Act.MENU)


def keys_screen(has: Set[Feature]) -> RuleScreen:
    """For a game of which this can be asked."""
    steps = (
        RuleStep("hand", text("rules.keys.hand_die" if Feature.ROLL in has else "rules.keys.hand"), _hand),
        RuleStep(
            "mouse", text("rules.keys.mouse_die" if Feature.ROLL in has else "rules.keys.mouse"), _mouse
        ),
        RuleStep(
            "keys",
            text("rules.keys.choose" if Feature.CHOOSE in has else "rules.keys.keys"),
            partial(_keys, _CHOOSING if Feature.CHOOSE in has else _PLAYING),
        ),
        RuleStep("always", text("rules.keys.always"), partial(_keys, _ALWAYS)),
        *(() if Feature.CHOOSE in has else (RuleStep("pad", text("rules.keys.pad"), _pad),)),
    )
    return RuleScreen("keys", text("rules.keys.heading"), steps)


def _hand(time: float) -> Drawing:
    return Drawing(hand((0.45, 0.36), ramp(time, 0.1, 0.4) - ramp(time, 0.65, 0.9), 1.6))


def _mouse(time: float) -> Drawing:
    return Drawing(mouse((0.67, 0.5), ramp(time, 0.1, 0.2) - ramp(time, 0.9, 0.98), 6.0 * time))


def _keys(acts: tuple[Act, ...], time: float) -> Drawing:
    shapes: list[Shape] = []
    for number, act in enumerate(acts):
        pressed = 1.0 if int(time * len(acts)) == number else 0.0
        shapes += key(
            key_sign(act), (0.37 + 0.3 * (number % 3), 0.38 + 0.28 * (number // 3)), pressed, (0.11, 0.10)
        )
    return Drawing(tuple(shapes))


def _pad(time: float) -> Drawing:
    return Drawing(pad((0.67, 0.5), 1.0 if time > 0.7 else 0.0, (ramp(time, 0.1, 0.6) * 2.0 - 1.0, 0.0)))
