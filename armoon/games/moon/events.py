"""The referee's events, as plain values for sound, speech, overlay and log, and their sentences."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from armoon.games.moon import editions
from armoon.games.moon.editions import Counts, DieSource, Mode, Task
from armoon.games.moon.turn import Move, State
from armoon.games.shared import Field, Line
from armoon.messages import centimetres, enumerated, speaking_of, text, two_lengths
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
    """The ladder was parked in the air (``waits``, ruling T3), or taken again."""

    player: int
    ladder: editions.PieceId
    waits: bool


@dataclass(frozen=True)
class StartingLadderRestored(RefereeEvent):
    """A starting ladder that had come loose was put back into its slot (ruling M3)."""

    ladder: editions.PieceId


@dataclass(frozen=True)
class ActRefused(RefereeEvent):
    """A request was refused; one that ``waits``, a roll or a share, is granted at rest."""

    what: Act
    reason: editions.MoonRefusal
    waits: bool = False


@dataclass(frozen=True)
class PlayerEliminated(RefereeEvent):
    """A player was eliminated."""

    player: int
    why: editions.Elimination


@dataclass(frozen=True)
class FinalBegan(RefereeEvent):
    """The final began for these seats (ruling E4)."""

    players: tuple[int, ...]


@dataclass(frozen=True)
class GameEnded(RefereeEvent):
    """The game ended."""

    outcome: editions.Outcome


@dataclass(frozen=True)
class Judgement:
    """The referee's results of one tick, each tuple in order of occurrence."""

    orders: tuple[Order, ...] = ()
    verdicts: tuple[editions.Verdict, ...] = ()
    events: tuple[RefereeEvent, ...] = ()
    moves: tuple[Move, ...] = ()
    """Moves that, applied to the previous state, give the new one; for the log."""


def hint_line(
    state: State,
    *,
    score: int | None = None,
    roll_waits: bool,
    share_waits: bool = False,
    paused: bool,
    frozen: bool,
    parked: bool = False,
) -> Line:
    player = (("player", state.players[state.player]),)
    if state.over:
        return Line("hint.over")
    if paused:
        return Line("hint.paused")
    if frozen:
        return Line("hint.frozen", player)
    if parked:
        return Line("hint.parked", player)
    if share_waits:
        return Line("hint.share_waits")
    if state.phase is editions.Phase.ROLL:
        real = state.options.die is DieSource.REAL and not state.options.practice
        if score is not None and not roll_waits and not real:
            return Line("hint.roll_or_score", (*player, ("count", score)))
        if real and state.fixed_face is None and not roll_waits:
            return Line("hint.roll_real", player)
        if state.options.die is DieSource.EITHER and state.fixed_face is None and not roll_waits:
            return Line("hint.roll_either", player)
        begin = "hint.roll_waits" if roll_waits else "hint.roll_final" if state.final else "hint.roll"
        return Line(begin, player)
    if state.phase is editions.Phase.DRAW:
        return Line("hint.take", player)
    if state.phase is editions.Phase.HOLD and state.die is not None:
        return Line(f"hint.place.{state.die.value.lower()}", player)
    return Line("hint.settling", player)


#: Reasons whose sentence depends on the die.
_BY_DIE = (
    editions.Reason.HONOURED,
    editions.Reason.TOUCHES_NONE,
    editions.Reason.TOO_FEW,
    editions.Reason.TOO_MANY,
)
#: Reasons whose sentence depends on where the first ladder fell.
_BY_PLACE = (editions.Reason.HELD_TOUCHED, editions.Reason.PLACED_FELL)


def verdict_line(state: State, verdict: editions.Verdict) -> Line:
    key = f"verdict.{verdict.reason.value}"
    if verdict.reason in _BY_DIE and verdict.die is not None:
        key += f".{verdict.die.value.lower()}"
    if verdict.reason in _BY_PLACE and verdict.fallen:
        own = next((onto for piece, onto in verdict.fallen if piece == verdict.ladder), verdict.fallen[0][1])
        key += f".{own.value}"
    points = sum(points for _, points in verdict.points)
    return Line(
        key,
        (
            ("player", state.players[verdict.player]),
            ("charged", "" if verdict.charged is None else state.players[verdict.charged]),
            ("payment", _payment(state, verdict)),
            ("ruling", verdict.ruling),
            # Fallen or touched ladders, or points: catalogues choose singular or plural by ``count``.
            ("count", len(verdict.fallen) or len(verdict.touched) or points),
            ("ladder", verdict.ladder or ""),
            ("height", verdict.height_m or 0.0),
            ("rival", verdict.rival or ""),
            ("rival_height", verdict.rival_m or 0.0),
            ("note", verdict.note),
        ),
    )


def _payment(state: State, verdict: editions.Verdict) -> str:
    if state.options.practice:
        return "payment.practice"
    if "X5" in verdict.rulings:
        return "payment.spared"
    if verdict.tears == 0:
        return "payment.final"
    team = state.options.mode is Mode.COOPERATIVE
    return "payment.tear" if not team else "payment.team" if len(state.players) > 1 else "payment.alone"


def elimination_line(state: State, player: int, reason: editions.Elimination) -> Line:
    return Line(f"out.{reason.value}", (("player", state.players[player]), ("count", state.tears[player])))


def outcome_lines(state: State, outcome: editions.Outcome) -> tuple[Line, Line]:
    winners = tuple(state.players[seat] for seat in outcome.winners)
    if state.options.practice:
        result = Line("outcome.practice", (("count", len(state.placed)),))
    elif state.options.trial is not None:
        result = _trial_line(state, state.options.trial)
    elif outcome.score is not None:
        whose = "alone" if len(state.players) == 1 else "team"
        result = Line(f"outcome.{whose}", (("count", outcome.score),))
    else:
        key = "outcome.won" if len(outcome.winners) == 1 else "outcome.shared"
        result = Line(key, (("winners", winners), ("ruling", outcome.ruling)))
    fields: tuple[tuple[str, Field], ...] = ()
    if outcome.ending is editions.Ending.TEAR_LIMIT:
        loser = next(seat for seat, why in enumerate(outcome.out) if why is editions.Elimination.TEAR_LIMIT)
        fields = (("player", state.players[loser]), ("count", outcome.tears[loser]))
    return Line(f"ending.{outcome.ending.value}", fields), result


def _trial_line(state: State, task: Task) -> Line:
    score = state.trial_score
    if not state.top_m and (score is None or task.counts is Counts.HEIGHT):
        return Line("outcome.trial.none")
    if score is None:
        return Line("outcome.trial.missed", (("height", state.top_m), ("goal", task.goal_m or 0.0)))
    if task.counts is Counts.HEIGHT:
        return Line("outcome.trial.height", (("height", score / 1000.0),))
    return Line(f"outcome.trial.{task.counts.value}", (("count", score),))


Result = TypeVar("Result")


def in_edition_terms(method: Callable[..., Result]) -> Callable[..., Result]:
    @functools.wraps(method)
    def wrapper(self: Any, *args: Any, **more: Any) -> Result:
        with speaking_of(self.terms):
            return method(self, *args, **more)

    return wrapper


def to_text(line: Line) -> str:
    values = dict(line.fields)
    fields: dict[str, object] = {}
    for name, field in values.items():
        if isinstance(field, tuple):
            fields[name] = enumerated([item for item in field if isinstance(item, str)])
        else:
            fields[name] = centimetres(field) if isinstance(field, float) else field
    height, rival = values.get("height"), values.get("rival_height")
    if isinstance(height, float) and isinstance(rival, float):
        fields["height"], fields["rival_height"] = two_lengths(height, rival)
    if fields.get("charged") and "payment" in fields:
        fields["price"] = text(str(fields["payment"]), charged=fields["charged"])
    return text(line.key, **fields).rstrip()  # a host's note may be empty
