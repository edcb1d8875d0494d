"""How the demo's player lets go of a ladder: by what the faint ladder shows of one that is held still."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from support.app_kit import FRAME_S

from armoon.games.moon.player.placer import FUNNEL_M, HEEDS_S, HOVER_M, Laying, Next
from armoon.games.moon.player.ways import UNHURRIED
from armoon.geometry import quat_from_axis_angle
from armoon.values.poses import Pose
from armoon.values.scene import Fate

EAGER = replace(UNHURRIED, eager=True)
PLACE = Pose((0.0, 0.0, 0.2))
OVER = Pose((0.0, 0.0, 0.2 + HOVER_M))


def shown(laying: Laying, fate: Fate | None, held: Pose, speed_m_s: float = 0.0) -> tuple[Next, int]:
    """Hold a ladder there, or move it away at a speed; what is decided, and after how many frames."""
    for frame in range(900):
        x, y, z = held.position
        pose = Pose((x + speed_m_s * frame * FRAME_S, y, z))
        laying.see(pose, PLACE, as_planned=False, lies=False, dt_s=FRAME_S)
        decided = laying.decide(fate)
        if decided is not Next.GO_ON:
            return decided, frame
    return Next.GO_ON, 900


@pytest.mark.parametrize(
    ("fate", "elsewhere", "decided"),
    [
        (Fate.HOLDS, True, Next.LET_GO),
        (Fate.HOLDS, False, Next.LET_GO),
        (Fate.DOUBTFUL, True, Next.LOOK_ELSEWHERE),
        (Fate.DOUBTFUL, False, Next.LET_GO),
        (Fate.FAILS, True, Next.LOOK_ELSEWHERE),
        (Fate.FAILS, False, Next.PUT_ASIDE),
        (None, True, Next.LET_GO),
    ],
)
def test_the_faint_ladder_decides(fate: Fate | None, elsewhere: bool, decided: Next) -> None:
    assert shown(Laying(EAGER, heeds=True, elsewhere=elsewhere), fate, OVER)[0] is decided


def test_what_holds_is_let_go_of_at_once_and_doubt_is_heeded_once_the_hand_is_still() -> None:
    assert shown(Laying(EAGER, heeds=True, elsewhere=True), Fate.HOLDS, OVER)[1] == 0
    frames = shown(Laying(EAGER, heeds=True, elsewhere=True), Fate.DOUBTFUL, OVER)[1]
    assert frames * FRAME_S > HEEDS_S
    moving = shown(Laying(EAGER, heeds=True, elsewhere=True), Fate.DOUBTFUL, Pose((-0.06, 0.0, 0.2)), 0.02)[1]
    assert moving * FRAME_S > 2.0, "a moving one only once it is there, or late"


def test_one_that_is_to_hold_far_from_its_place_isnt_let_go_of() -> None:
    laying = Laying(EAGER, heeds=True, elsewhere=True)
    laying.see(Pose((0.02, 0.0, 0.2)), PLACE, as_planned=False, lies=False, dt_s=FRAME_S)
    assert not laying.holds(Fate.HOLDS)
    assert laying.decide(Fate.HOLDS) is Next.GO_ON


@pytest.mark.parametrize("elsewhere", [True, False])
def test_one_that_turns_on_what_is_in_its_way_isnt_pressed_on(elsewhere: bool) -> None:
    laying = Laying(EAGER, heeds=True, elsewhere=elsewhere)
    turned = Pose((0.0, 0.0, 0.228), quat_from_axis_angle((0.0, 1.0, 0.0), 1.0))
    frames = 0
    while laying.decide(None) is Next.GO_ON:
        laying.see(turned, PLACE, as_planned=False, lies=True, dt_s=FRAME_S)
        frames += 1
        assert frames < 60
    assert laying.decide(None) is (Next.LOOK_ELSEWHERE if elsewhere else Next.PUT_ASIDE)


@pytest.mark.parametrize("fate", [None, *Fate])
def test_who_isnt_eager_heeds_no_faint_ladder(fate: Fate | None) -> None:
    assert shown(Laying(UNHURRIED, heeds=False, elsewhere=True), fate, PLACE)[0] is Next.LET_GO


def test_an_eager_hand_comes_down_over_the_place_and_stays_there_still() -> None:
    laying = Laying(EAGER, heeds=True, elsewhere=True)

    def wanted(x_m: float, z_m: float) -> Pose | None:
        return laying.see(Pose((x_m, 0.0, z_m)), PLACE, as_planned=False, lies=False, dt_s=FRAME_S)

    beside = wanted(0.05, 0.3)
    assert beside is not None
    assert math.isclose(beside.position[2], 0.2 + HOVER_M + FUNNEL_M)
    over = wanted(0.002, 0.22)
    assert over is not None
    assert math.isclose(over.position[2], 0.2 + HOVER_M)
    assert wanted(0.0, 0.2 + HOVER_M) is None
    assert wanted(0.002, 0.2 + HOVER_M) is None, "a little off it isn't moved again"
    assert wanted(0.004, 0.2 + HOVER_M) is not None


def test_who_means_it_to_fall_presses_it_down() -> None:
    laying = Laying(EAGER, heeds=False, elsewhere=True)
    wanted = laying.see(Pose((0.0, 0.0, 0.2)), PLACE, as_planned=False, lies=False, dt_s=FRAME_S)
    assert wanted is not None
    assert wanted.position[2] < PLACE.position[2]
