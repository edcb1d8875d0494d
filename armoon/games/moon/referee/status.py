"""The state of the table at one tick, for the glass besides verdicts, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.moon.referee import sight
from armoon.games.moon.referee.sentences import Line, hint_line
from armoon.games.moon.rules.game import outcome
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.turn import contacts_wanted, judge_die
from armoon.games.moon.rules.values import Die, Outcome, Phase, PieceId, Reason
from armoon.values.facts import Facts


@dataclass(frozen=True)
class TableStatus:
    """Everything to be shown of a game at one tick."""

    phase: Phase
    turn: int
    player: int
    die: Die | None
    ladder: PieceId | None
    touching: tuple[PieceId, ...]
    """The ladders that the held or settling ladder touches now."""
    wanted: tuple[int, int] | None
    """Least and most contacts that the die allows; None before the roll."""
    would_honour: bool | None
    """Whether it would honour the die as things stand; None where nothing is held or settling."""
    now: Reason | None
    """Why it would, or would not."""
    height_m: float | None
    """Highest point of the held or settling ladder."""
    rival_m: float | None
    """Highest point of the others; MOON must beat it."""
    structure_top_m: float
    hint: Line
    """What to do now."""
    score: int | None
    """What the team would score now (C2); None while scoring would be refused."""
    asks_face: bool
    """A real die is to be thrown, and its face told."""
    scorings: tuple[int, ...]
    """The scores until now; the best counts (C3)."""
    tears: tuple[int, ...]
    tears_left: int
    ladders_left: int
    roll_waits: bool
    paused: bool
    frozen: bool
    parked: bool
    """The drawn ladder hangs in the air where it was let go of."""
    seconds_left: float | None
    final: bool
    outcome: Outcome | None


def table_status(
    state: State,
    facts: Facts | None,
    *,
    score: int | None,
    asks_face: bool,
    roll_waits: bool,
    paused: bool,
    seconds_left: float | None,
) -> TableStatus:
    """Return the status of a game as these facts show it; before the first facts, of the empty table."""
    ladder = sight.seen(facts, state.ladder) if facts is not None else None
    judged = state.phase in (Phase.HOLD, Phase.SETTLE)
    touching: tuple[PieceId, ...] = ()
    now: Reason | None = None
    height_m: float | None = None
    rival_m: float | None = None
    if facts is not None and ladder is not None and judged and state.die is not None:
        place = sight.placement(state, facts, ladder.piece)
        touching, height_m, rival_m = place.touched, place.height_m, place.rival_m
        now = judge_die(state.die, len(touching), height_m > rival_m)
    frozen = facts is not None and facts.held_frozen
    parked = facts is not None and facts.held_waits
    return TableStatus(
        phase=state.phase,
        turn=state.turn,
        player=state.player,
        die=state.die,
        ladder=state.ladder,
        touching=touching,
        wanted=contacts_wanted(state.die) if state.die is not None else None,
        would_honour=now is Reason.HONOURED if now is not None else None,
        now=now,
        height_m=height_m,
        rival_m=rival_m,
        structure_top_m=sight.top_m(state, facts) if facts is not None else 0.0,
        hint=hint_line(
            state, score=score, roll_waits=roll_waits, paused=paused, frozen=frozen, parked=parked
        ),
        score=score,
        asks_face=asks_face,
        scorings=state.scorings,
        tears=state.tears,
        tears_left=state.tears_left,
        ladders_left=len(state.supply),
        roll_waits=roll_waits,
        paused=paused,
        frozen=frozen,
        parked=parked,
        seconds_left=seconds_left,
        final=state.final,
        outcome=outcome(state),
    )
