"""The referee's events as plain values, and the sentences for them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from armoon.games.moon import editions
from armoon.games.moon.editions import Mode, Task, TrialMeasure
from armoon.games.moon.turn import Move, State
from armoon.messages import centimetres, format_lengths, join_names, speaking_of, text
from armoon.values.acts import Act
from armoon.values.pieces import Order


class RefereeEvent:
    """Base class of the referee's events besides verdicts and moves."""


@dataclass(frozen=True)
class TurnBegan(RefereeEvent):
    """A player's turn began; the player may roll."""

    player: int
    turn: int


@dataclass(frozen=True)
class LadderParked(RefereeEvent):
    """The ladder was parked in the air (if ``waits``; ruling T3) or taken again."""

    player: int
    ladder: editions.PieceId
    waits: bool


@dataclass(frozen=True)
class StartingLadderRestored(RefereeEvent):
    """A starting ladder that had come loose was put back into its slot (ruling M3)."""

    ladder: editions.PieceId


@dataclass(frozen=True)
class ActRefused(RefereeEvent):
    """A request was refused or, if it ``waits`` (a roll or a share), postponed until everything is at rest."""

    what: Act
    reason: editions.MoonRefusal
    waits: bool = False


@dataclass(frozen=True)
class PlayerEliminated(RefereeEvent):
    """A player is out of the game."""

    player: int
    why: editions.Elimination


@dataclass(frozen=True)
class FinalBegan(RefereeEvent):
    """The final began for these seats (ruling E4)."""

    players: tuple[int, ...]


@dataclass(frozen=True)
class GameEnded(RefereeEvent):
    outcome: editions.Outcome


@dataclass(frozen=True)
class Judgement:
    """The referee's results of one tick, each tuple in order of occurrence."""

    orders: tuple[Order, ...] = ()
    verdicts: tuple[editions.Verdict, ...] = ()
    events: tuple[RefereeEvent, ...] = ()
    moves: tuple[Move, ...] = ()
    """Moves that lead from the previous state to the new one; for the log."""


def format_hint(state: State, key: str, score: int | None) -> str:
    count = {} if score is None else {"count": score}
    return text(key, player=state.players[state.player], **count)


#: Reasons whose sentence depends on the die.
_REASONS_BY_DIE = (
    editions.Reason.HONOURED,
    editions.Reason.TOUCHES_NONE,
    editions.Reason.TOO_FEW,
    editions.Reason.TOO_MANY,
)
#: Reasons whose sentence depends on where the ladder fell.
_REASONS_BY_PLACE = (editions.Reason.HELD_TOUCHED, editions.Reason.PLACED_FELL)


def format_verdict(state: State, verdict: editions.Verdict) -> str:
    key = f"verdict.{verdict.reason.value}"
    if verdict.reason in _REASONS_BY_DIE and verdict.die is not None:
        key += f".{verdict.die.value.lower()}"
    if verdict.reason in _REASONS_BY_PLACE and verdict.fallen:
        onto = next((onto for piece, onto in verdict.fallen if piece == verdict.ladder), verdict.fallen[0][1])
        key += f".{onto.value}"
    points = sum(points for _, points in verdict.points)
    height, rival_height = format_lengths(verdict.height_m or 0.0, verdict.rival_m or 0.0)
    charged = "" if verdict.charged is None else state.players[verdict.charged]
    return text(
        key,
        player=state.players[verdict.player],
        charged=charged,
        price=text(_find_payment_key(state, verdict), charged=charged) if charged else "",
        ruling=verdict.ruling,
        # Fallen or touched ladders, or points: catalogues choose singular or plural by ``count``.
        count=len(verdict.fallen) or len(verdict.touched) or points,
        ladder=verdict.ladder or "",
        height=height,
        rival=verdict.rival or "",
        rival_height=rival_height,
        note=verdict.note,
    ).rstrip()  # a host's note may be empty


def _find_payment_key(state: State, verdict: editions.Verdict) -> str:
    if state.options.practice:
        return "payment.practice"
    if "X5" in verdict.rulings:
        return "payment.spared"
    if verdict.tears == 0:
        return "payment.final"
    is_team = state.options.mode is Mode.COOPERATIVE
    return "payment.tear" if not is_team else "payment.team" if len(state.players) > 1 else "payment.alone"


def format_elimination(state: State, player: int, reason: editions.Elimination) -> str:
    return text(f"out.{reason.value}", player=state.players[player], count=state.tears[player])


def format_outcome(state: State, outcome: editions.Outcome) -> tuple[str, str]:
    """Return a sentence for the reason why the game ended, and one for its result."""
    if state.options.practice:
        result = text("outcome.practice", count=len(state.placed))
    elif state.options.trial is not None:
        result = _format_trial(state, state.options.trial)
    elif outcome.score is not None:
        result = text(f"outcome.{'alone' if len(state.players) == 1 else 'team'}", count=outcome.score)
    else:
        key = "outcome.won" if len(outcome.winners) == 1 else "outcome.shared"
        winners = join_names([state.players[seat] for seat in outcome.winners])
        result = text(key, winners=winners, ruling=outcome.ruling)
    fields: dict[str, object] = {}
    if outcome.ending is editions.Ending.TEAR_LIMIT:
        loser = next(seat for seat, why in enumerate(outcome.out) if why is editions.Elimination.TEAR_LIMIT)
        fields = {"player": state.players[loser], "count": outcome.tears[loser]}
    return text(f"ending.{outcome.ending.value}", **fields), result


def _format_trial(state: State, task: Task) -> str:
    score = state.trial_score
    if not state.top_m and (score is None or task.measure is TrialMeasure.HEIGHT):
        return text("outcome.trial.none")
    if score is None:
        height, goal = centimetres(state.top_m), centimetres(task.goal_m or 0.0)
        return text("outcome.trial.missed", height=height, goal=goal)
    if task.measure is TrialMeasure.HEIGHT:
        return text("outcome.trial.height", height=centimetres(score / 1000.0))
    return text(f"outcome.trial.{task.measure.value}", count=score)


Result = TypeVar("Result")


def with_edition_terms(method: Callable[..., Result]) -> Callable[..., Result]:
    @functools.wraps(method)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Result:
        with speaking_of(self.terms):
            return method(self, *args, **kwargs)

    return wrapper
