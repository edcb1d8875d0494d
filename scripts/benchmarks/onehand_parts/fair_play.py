"""Fair play by chance: one hand takes, carries and lets go, while other hands do what hands do beside a game.

They rest at the edge, pass behind and in front, belong to somebody across the table, reach for a cup, or come to
the structure between two grips, which is anybody's right. In the zone while a ladder is held is none of them
for longer than a passing arm is.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from armoon.synthetic_camera.look import SkinTone, StageLook
from armoon.values.poses import Vec3
from benchmarks.hand_script import HandScript
from benchmarks.onehand_parts.scenes import AWAY, OTHER_AWAY, TAKE, OneHandScene, Spot, script, violations

CLIP_S = 20.0
#: A turn's phases in seconds: come, aim, pinch, carry, then hold and move, open, leave.
COME_S, AIM_S, PINCH_S, CARRY_S, OPEN_S, LEAVE_S = 0.8, 0.2, 0.3, 0.8, 0.3, 0.8
HOLD_S = (2.0, 4.5)
PAUSE_S = (0.8, 2.0)
#: Maximum time of a passing arm in the zone.
PASSING_S = 0.3
SKINS: tuple[SkinTone, ...] = ("light", "tan", "dark")
#: Sampling rate of the truth, to tell how long something lasts.
SAMPLE_S = 1.0 / 30.0

Doing = Callable[[random.Random, str, float], list[Spot]]
"""What another hand does, by chance, seat, and the time from which no ladder is held for a while."""


def fair_clip(seed: int) -> tuple[OneHandScene, StageLook]:
    """Return the clip of this seed: seat, skin, light, hand size and everything that the hands do."""
    dice = random.Random(seed)
    seat = ("table", "mirror")[seed % 2]
    look = StageLook(
        skin=dice.choice(SKINS),
        light_gain=dice.uniform(0.6, 1.4),
        hand_scale=dice.uniform(0.9, 1.1),
        seed=seed,
    )
    playing, free_from_s = _playing(dice, seat, seed)
    while True:
        spots = dice.choice(_DOINGS)(dice, seat, free_from_s)
        others = (script(spots, seat, "left", tremor_seed=seed + 1),) if spots else ()
        scene = OneHandScene(f"fair {seed}", seat, (playing, *others), CLIP_S)
        if is_fair(scene, look.hand_scale):
            return scene, look


def is_fair(scene: OneHandScene, hand_scale: float) -> bool:
    """Whether nothing in a scene's truth lasts longer than a passing arm."""
    times = [k * SAMPLE_S for k in range(round(scene.duration_s / SAMPLE_S))]
    stretches = violations(times, [scene.is_violated(t, hand_scale) for t in times])
    return all(end - begin <= PASSING_S for begin, end in stretches)


def _playing(dice: random.Random, seat: str, seed: int) -> tuple[HandScript, float]:
    """Turn after turn for the whole clip, and when the first ladder is let go of."""
    spots: list[Spot] = [(AWAY[seat], 0.0, 0.1)]
    spent_s, first_free_s = 0.1, 0.0
    while spent_s < CLIP_S:
        turn: list[Spot] = [
            (_about(dice, TAKE, 0.01), 0.0, COME_S),
            (TAKE, 0.0, AIM_S),
            (TAKE, 1.0, PINCH_S),
        ]
        held_s = dice.uniform(*HOLD_S)
        places = [
            (dice.uniform(-0.04, 0.08), dice.uniform(-0.04, 0.04), dice.uniform(0.15, 0.24)) for _ in range(2)
        ]
        turn += [(places[0], 1.0, CARRY_S), (places[1], 1.0, held_s), (places[1], 0.0, OPEN_S)]
        turn += [(AWAY[seat], 0.0, LEAVE_S), (AWAY[seat], 0.0, dice.uniform(*PAUSE_S))]
        first_free_s = first_free_s or spent_s + sum(seconds for _, _, seconds in turn[:6])
        spent_s += sum(seconds for _, _, seconds in turn)
        spots += turn
    return script(spots, seat, tremor_seed=seed), first_free_s


def _nobody(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    return []


def _resting(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    """At the edge of the table, fidgeting."""
    edge: Vec3 = (-0.25, -0.12, 0.04) if seat == "table" else (-0.30, 0.0, 0.08)
    spots: list[Spot] = [(OTHER_AWAY[seat], 0.0, dice.uniform(0.5, 3.0))]
    for _ in range(8):
        spots.append((_about(dice, edge, 0.03), dice.uniform(0.0, 0.6), dice.uniform(1.0, 2.5)))
    return spots


def _passing_behind(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    return _passing(dice, dice.uniform(0.28, 0.45))


def _passing_before(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    return _passing(dice, dice.uniform(-0.36, -0.26))


def _passing(dice: random.Random, y: float) -> list[Spot]:
    """To and fro at this depth, at heights from just over the table to over the held ladder."""
    spots: list[Spot] = [((-0.8, y, 0.15), 0.0, dice.uniform(2.0, 4.0))]
    for k in range(5):
        x = 1.2 if k % 2 == 0 else -0.8
        height = dice.uniform(0.08, 0.30)
        spots += [
            ((x, y, height), 0.0, dice.uniform(0.9, 2.5)),
            ((x, y, height), 0.0, dice.uniform(0.5, 2.0)),
        ]
    return spots


def _across(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    """Somebody else's hand behind the structure at the picture's edge, busy with something of theirs."""
    spots: list[Spot] = [((-0.80, 0.30, 0.12), 0.0, dice.uniform(0.5, 3.0))]
    for _ in range(8):
        place = _about(dice, (-0.30, 0.26, 0.12), 0.05)
        spots.append((place, dice.uniform(0.0, 1.0), dice.uniform(0.8, 2.5)))
    return spots


def _brushing(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    """Into the zone and out again, as quickly as one brushes something away."""
    spots: list[Spot] = [((-0.6, -0.05, 0.10), 0.0, dice.uniform(2.0, 4.0))]
    for _ in range(4):
        spots += [
            ((-0.16, -0.03, 0.12), 0.0, 0.3),
            ((-0.6, -0.05, 0.10), 0.0, 0.3),
            ((-0.6, -0.05, 0.10), 0.0, dice.uniform(1.5, 3.0)),
        ]
    return spots


def _between_grips(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    """At the structure when no ladder is held."""
    return [
        ((-0.6, -0.05, 0.10), 0.0, free_from_s),
        ((-0.05, 0.0, 0.12), 0.0, 0.6),
        ((-0.6, -0.05, 0.10), 0.0, 0.6),
    ]


_DOINGS: tuple[Doing, ...] = (
    _nobody,
    _resting,
    _passing_behind,
    _passing_before,
    _across,
    _brushing,
    _between_grips,
)


def _about(dice: random.Random, point: Vec3, reach_m: float) -> Vec3:
    x, y, z = point
    return (
        x + dice.uniform(-reach_m, reach_m),
        y + dice.uniform(-reach_m, reach_m),
        z + dice.uniform(-reach_m, reach_m) / 2.0,
    )
