"""How the demo's player lets go of a ladder: by what the faint ladder shows of one that is held still."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.app_kit import FRAME_S

from armoon.games.moon.player.placer import HEEDS_S, HOVER_M, Laying, Next
from armoon.games.moon.player.ways import UNHURRIED
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
