"""The landing pose of the held ladder if it were let go now: straight down, at the first contact."""

from __future__ import annotations

from armoon.games.moon.referee.status import TableStatus
from armoon.games.moon.rules.turn import judge_die
from armoon.games.moon.rules.values import Reason
from armoon.games.moon.table.match import MoonMatch
from armoon.messages import text
from armoon.values.pieces import BASE, TABLE
from armoon.values.poses import Pose
from armoon.values.scene import Ghost

#: Nearer than this to the ground below it the ladder itself shows where it comes down.
SHOWN_ABOVE_M = 0.002


def landing_ghost(match: MoonMatch, status: TableStatus, wanted: str) -> tuple[Ghost, ...]:
    """Return the held ladder's ghost, none in the lid; ``wanted`` is how many touches the die asks for, in words."""
    facts = match.facts
    if facts.held is None or match.state.die is None or status.rival_m is None:
        return ()
    held = facts[facts.held]
    if match.in_lid(held):
        return ()
    landing = match.ground().about_under(match.ladders[held.piece], held.pose)
    if landing.fall_m < SHOWN_ABOVE_M:
        return ()
    others = tuple(name for name in landing.touched if name not in (BASE, TABLE))
    on_ground = len(others) < len(landing.touched)
    highest = held.highest_m - landing.fall_m > status.rival_m
    honoured = not on_ground and judge_die(match.state.die, len(others), highest) is Reason.HONOURED
    x, y, z = held.pose.position
    return (
        Ghost(
            held.piece,
            Pose((x, y, z - landing.fall_m), held.pose.rotation),
            others,
            landing.points,
            honoured,
            text("hud.touching", count=len(others), wanted=wanted),
            landing=True,
        ),
    )
