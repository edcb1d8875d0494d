"""Every key that a game's sentences can have, so that catalogues are checked against them."""

from __future__ import annotations

from armoon.games.moon.editions import Die, Elimination, Ending, MoonRefusal, Onto, Reason
from armoon.games.moon.events import _BY_DIE, _BY_PLACE


def moon_keys() -> tuple[str, ...]:
    dice = [die.value.lower() for die in Die]
    hints = (
        "roll",
        "roll_real",
        "roll_waits",
        "share_waits",
        "roll_final",
        "roll_or_score",
        "take",
        "settling",
    )
    keys = [f"hint.{name}" for name in (*hints, "frozen", "parked", "paused", "over")]
    keys += [f"hint.place.{die}" for die in dice]
    for reason in Reason:
        if reason in _BY_DIE:
            possible = ["two"] if reason is Reason.TOO_FEW else dice
            keys += [f"verdict.{reason.value}.{die}" for die in possible]
        elif reason in _BY_PLACE:
            keys += [f"verdict.{reason.value}.{onto.value}" for onto in Onto]
        else:
            keys.append(f"verdict.{reason.value}")
    keys += [f"refusal.{refusal.value}" for refusal in MoonRefusal]
    keys += [f"out.{why.value}" for why in Elimination]
    keys += [f"ending.{ending.value}" for ending in Ending]
    keys += [f"payment.{what}" for what in ("tear", "team", "alone", "final", "practice", "spared")]
    keys += [f"outcome.trial.{what}" for what in ("height", "placed", "drops", "missed")]
    keys += [f"outcome.{who}" for who in ("won", "shared", "team", "alone", "practice")]
    return (*keys, "refusal.score_later")
