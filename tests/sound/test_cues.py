"""The cues of a tick: new contacts by impulse, events and verdicts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from armoon.games.moon.editions import Die, FallPlace, Reason, Verdict
from armoon.games.moon.events import FinalBegan, TurnBegan
from armoon.games.moon.presenters import list_sounds
from armoon.games.moon.turn import Draw, LetGo, Roll, Take
from armoon.sound.cues import LOUDEST_N_S, MAX_KNOCKS, CueKind
from armoon.values.pieces import BASE, TABLE, Contact, Facts, Ladder, LadderSet, PieceFacts, PieceStatus
from armoon.values.poses import Pose


def make_ladder(piece: str, length_m: float, mass_kg: float = 0.004) -> Ladder:
    return Ladder(piece, True, (), mass_kg, (1e-6, 1e-6, 1e-6), length_m, 0.5)


LADDERS = LadderSet(0, tuple(make_ladder(f"L{n:02d}", 0.08 + 0.01 * n) for n in range(1, 8)))


def make_facts(speeds: dict[str, float], *pairs: tuple[str, str], x: float = 0.0) -> Facts:
    pieces = tuple(
        PieceFacts(piece, PieceStatus.FREE, Pose((0.0, 0.0, 0.1)), 0.2, 0.1, speed)
        for piece, speed in speeds.items()
    )
    contacts = tuple(Contact(a, b, 0.0, (x, 0.0, 0.1), (0.0, 0.0, 1.0)) for a, b in pairs)
    return Facts(1, pieces, contacts, None, False, None, False)


def test_a_new_contact_knocks_once() -> None:
    apart = make_facts({"L01": 0.0, "L02": 0.4})
    touching = make_facts({"L01": 0.0, "L02": 0.4}, ("L01", "L02"), x=0.15)
    (cue,) = list_sounds(apart, touching, LADDERS)
    assert cue.kind is CueKind.KNOCK
    assert cue.length_m == pytest.approx(0.10)
    assert cue.across == pytest.approx(0.5)
    assert cue.strength == pytest.approx(0.004 * 0.4 / LOUDEST_N_S)
    assert list_sounds(touching, touching, LADDERS) == ()


def test_faster_and_heavier_contacts_are_louder_and_creeping_is_silent() -> None:
    def strength(speed: float, ladders: LadderSet = LADDERS) -> float:
        before, touching = make_facts({"L01": speed, "L02": 0.0}), make_facts({"L01": 0.0}, ("L01", "L02"))
        cues = list_sounds(before, touching, ladders)
        return cues[0].strength if cues else 0.0

    assert strength(0.01) == 0.0
    assert 0.0 < strength(0.1) < strength(0.5) <= strength(5.0) == 1.0
    heavy = replace(LADDERS, ladders=tuple(replace(p, mass_kg=0.008) for p in LADDERS.ladders))
    assert strength(0.1, heavy) == pytest.approx(2.0 * strength(0.1))


def test_the_table_thuds_and_the_number_of_simultaneous_knocks_is_limited() -> None:
    speeds = {f"L{n:02d}": 0.1 * n for n in range(1, 8)}
    (cue,) = list_sounds(make_facts(speeds), make_facts(speeds, ("L03", TABLE)), LADDERS)
    assert cue.kind is CueKind.THUD
    (cue,) = list_sounds(make_facts(speeds), make_facts(speeds, ("L03", BASE)), LADDERS)
    assert cue.kind is CueKind.SOFT, "the cloud sounds softer than wood"
    pairs = tuple((f"L{n:02d}", TABLE) for n in range(1, 8))
    cues = list_sounds(make_facts(speeds), make_facts(speeds, *pairs), LADDERS)
    assert len(cues) == MAX_KNOCKS
    assert [c.strength for c in cues] == sorted((c.strength for c in cues), reverse=True)


@pytest.mark.parametrize(
    ("event", "kinds"),
    [
        (Roll(Die.ONE), [CueKind.DIE]),
        (Draw("L01"), [CueKind.OFFER]),
        (Take(), [CueKind.GRAB]),
        (LetGo(), [CueKind.RELEASE]),
        (FinalBegan((0, 1)), [CueKind.FINAL]),
        (TurnBegan(0, 1), []),
    ],
)
def test_events_have_sounds(event: object, kinds: list[CueKind]) -> None:
    still = make_facts({})
    assert [cue.kind for cue in list_sounds(still, still, LADDERS, (event,))] == kinds


def test_verdicts_have_sounds() -> None:
    still = make_facts({})

    def kinds(verdict: Verdict) -> list[CueKind]:
        return [cue.kind for cue in list_sounds(still, still, LADDERS, (verdict,))]

    assert kinds(Verdict(1, 0, True, Reason.HONOURED, ("T4",))) == [CueKind.PLACED]
    assert kinds(Verdict(1, 0, False, Reason.TOO_MANY, ("T4",), tears=1)) == [CueKind.TEAR]
    fallen = (("L01", FallPlace.TABLE), ("L02", FallPlace.TABLE))
    fall = Verdict(1, 0, False, Reason.OTHERS_FELL, ("F2",), tears=1, fallen=fallen)
    assert kinds(fall) == [CueKind.CLATTER, CueKind.TEAR]
    assert list_sounds(still, still, LADDERS, (fall,))[0].count == 2
    assert kinds(Verdict(1, 0, True, Reason.TWO_HANDS_WARNED, ("F3",))) == [CueKind.WARNING]
    assert kinds(Verdict(1, 0, True, Reason.TEAR_GIVEN_BACK, ("X4",), tears=-1)) == []
