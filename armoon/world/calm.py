"""How free ladders are brought to rest, and to sleep exactly where they stand."""

from __future__ import annotations

from collections.abc import Iterable

from armoon.world.bullet import ANGULAR_DAMPING, LINEAR_DAMPING, STEPS_TO_SLEEP, Bullet
from armoon.world.piece import Piece
from armoon.world.rest import HONEY_ANGULAR_DAMPING, HONEY_LINEAR_DAMPING, Calming


def calm(engine: Bullet, free: Iterable[Piece], before: Calming, calming: Calming) -> None:
    """Bring in or lift the damping of the free ladders, wake them to be firmed, or put them to sleep."""
    thick = (Calming.HONEY, Calming.STOP)
    honey = calming in thick
    stirred = honey is not (before in thick)
    for piece in free:
        assert piece.body is not None
        if calming in (Calming.STOP, Calming.SLEEP) and (piece.loose or calming is Calming.STOP):
            engine.send_to_sleep(piece.body)
            piece.loose = False
        elif calming is Calming.FIRM is not before and piece.loose:
            engine.wake(piece.body)
        if stirred:
            engine.set_damping(
                piece.body,
                HONEY_LINEAR_DAMPING if honey else LINEAR_DAMPING,
                HONEY_ANGULAR_DAMPING if honey else ANGULAR_DAMPING,
            )


def fall_asleep(engine: Bullet, free: Iterable[Piece]) -> None:
    """Make the steps that Bullet makes before what is sent to sleep sleeps, and undo what they moved."""
    for _ in range(STEPS_TO_SLEEP):
        engine.step()
    for piece in free:
        assert piece.body is not None
        engine.set_pose(piece.body, piece.pose)
        engine.send_to_sleep(piece.body)
