"""A logged game turn by turn: the structure at each release, the place, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from armoon.engine.intake import Intake
from armoon.games.moon.rules.moves import LetGo
from armoon.games.moon.rules.values import Die, Reason, Verdict
from armoon.games.moon.table.match import MoonMatch
from armoon.values.facts import Facts
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose
from armoon.world.structures.copying import standing_of

#: Verdicts that end no turn.
_ASIDE = (
    *(Reason.LATE_FALL, Reason.SAME_INCIDENT, Reason.NOBODY, Reason.SCORED, Reason.TIME_WARNED),
    *(Reason.TWO_HANDS_NOTED, Reason.TWO_HANDS_WARNED, Reason.TEAR_GIVEN_BACK, Reason.TEAR_ADDED),
    Reason.TURN_PUT_BACK,
)

Standing = tuple[tuple[PieceId, Pose, bool], ...]


@dataclass(frozen=True)
class Played:
    """One turn as it was played."""

    number: int
    seat: int
    player: str
    die: Die
    piece: PieceId
    standing: Standing
    """What stood before."""
    release: Pose | None
    """Where the ladder was let go of; None: it never was."""
    verdict: Verdict


def played_turns(match: MoonMatch, intakes: Iterable[Intake]) -> Iterator[Played]:
    """Step a logged match, and tell each turn when it has ended."""
    before: Facts = match.facts
    die: Die | None = None
    piece: PieceId | None = None
    release: Pose | None = None
    standing: Standing = ()
    for intake in intakes:
        out = match.advance(intake)
        if out.of(LetGo) and before.held is not None:
            release = before[before.held].pose
        for verdict in out.of(Verdict):
            if verdict.reason in _ASIDE or die is None or piece is None:
                continue
            player = match.players[verdict.player]
            yield Played(verdict.turn, verdict.player, player, die, piece, standing, release, verdict)
            release = None
        before = match.facts
        if match.state.die is not None and match.state.ladder is not None:
            die, piece = match.state.die, match.state.ladder
            if release is None:
                standing = tuple(standing_of(before))
