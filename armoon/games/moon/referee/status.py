"""What is to be shown of the table at one tick besides the game's state and verdicts, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.moon.referee import sight
from armoon.games.moon.referee.sentences import Line, hint_line
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.turn import judge_die
from armoon.games.moon.rules.values import Phase, PieceId, Reason
from armoon.values.facts import Facts


@dataclass(frozen=True)
class TableStatus:
    """How the table stands. Before the first facts it is empty."""

    hint: Line
    """What to do now."""
    score: int | None
    """What the team would score now (C2); None while scoring would be refused."""
    asks_face: bool
    """A real die is to be thrown, and its face told."""
    roll_waits: bool
    structure_top_m: float = 0.0
    touching: tuple[PieceId, ...] = ()
    """The ladders that the held or settling ladder touches now."""
    height_m: float | None = None
    """Highest point of the held or settling ladder."""
    rival_m: float | None = None
    """Highest point of the others; MOON must beat it."""
    now: Reason | None = None
    """Why the held or settling ladder would honour the die as things stand, or wouldn't; None where there is none."""

    @property
    def would_honour(self) -> bool | None:
        """Whether it would."""
        return None if self.now is None else self.now is Reason.HONOURED


def table_status(
    state: State, facts: Facts | None, *, score: int | None, asks_face: bool, roll_waits: bool, paused: bool
) -> TableStatus:
    """Return the status of a game as these facts show it."""
    frozen, parked = (False, False) if facts is None else (facts.held_frozen, facts.held_waits)
    hint = hint_line(state, score=score, roll_waits=roll_waits, paused=paused, frozen=frozen, parked=parked)
    if facts is None:
        return TableStatus(hint, score, asks_face, roll_waits)
    top_m, ladder = sight.top_m(state, facts), sight.seen(facts, state.ladder)
    if ladder is None or state.die is None or state.phase not in (Phase.HOLD, Phase.SETTLE):
        return TableStatus(hint, score, asks_face, roll_waits, top_m)
    place = sight.placement(state, facts, ladder.piece)
    now = judge_die(state.die, len(place.touched), place.height_m > place.rival_m)
    judged = (place.touched, place.height_m, place.rival_m, now)
    return TableStatus(hint, score, asks_face, roll_waits, top_m, *judged)
