"""Effects of a verdict: fallen ladders form a heap, a tear flies, then it is the next player's turn."""

from __future__ import annotations

import itertools
import math
from contextlib import closing
from dataclasses import replace

from armoon.games.moon import verdict_effects as effects
from armoon.games.moon.editions import FallPlace, Reason, Verdict
from armoon.geometry import quat_from_axis_angle
from armoon.sound.cues import CueKind
from armoon.values.pieces import Facts, PieceFacts, PieceStatus
from armoon.values.poses import Pose, Quat
from armoon.values.scene import ScenePlayer
from armoon.world.base import make_base
from armoon.world.exact import find_distance_m, find_lowest_m
from armoon.world.ladders import BOX_SEED, make_ladder_set

LADDERS = make_ladder_set(BOX_SEED)
BASE = make_base(LADDERS.ladders[:2])
FALLING = effects.FallenLadder(
    "L07",
    Pose((0.05, 0.02, 0.06), quat_from_axis_angle((1.0, 0.0, 0.0), 0.7)),
    (0.4, 0.0, -0.9),
    (3.0, 0.0, 2.0),
)
CHARGED = effects.LastVerdict(
    Verdict(3, 1, False, Reason.TOO_MANY, ("T4",), ladder="L07", charged=1, tears=1), 1000, (FALLING,)
)
HONOURED = effects.LastVerdict(Verdict(3, 1, True, Reason.HONOURED, ("T4",), ladder="L07"), 1000)
PLAYERS = tuple(ScenePlayer(name, tears, name == "C") for name, tears in (("A", 0), ("B", 2), ("C", 1)))


def make_facts(tick: int, *pieces: str) -> Facts:
    return make_falling_facts(tick, dict.fromkeys(pieces, 0.1), at_rest=True)


def test_fallen_ladders_form_a_red_heap_while_the_verdict_is_read() -> None:
    """They don't pass through the table, the base, standing ladders or each other."""
    standing = PieceFacts("L09", PieceStatus.FIXED, Pose((0.0, 0.0, 0.08)), 0.1, 0.0, 0.0)
    table = Facts(1000, (standing,), (), None, False, None, True)
    fallen = [
        replace(FALLING, piece=f"L{10 + k}", pose=Pose((0.02 * k - 0.03, 0.0, 0.14 + 0.02 * k), make_tilt(k)))
        for k in range(4)
    ]
    heap = effects.FallenHeap(LADDERS, BASE)
    heaps, knocks = [], []
    with closing(heap):
        heap.add_ladders(fallen, table)
        for tick in range(1001, 1000 + effects.SHOWN_TICKS + effects.SHRINK_TICKS):
            heaps.append(heap.simulate(replace(table, tick=tick)))
            knocks.append(heap.pop_knocks())
        resting, placed = heaps[effects.NEXT_TURN_TICK], ("L09", Pose((0.0, 0.0, 0.08)))
        lying = [placed, *((p.piece, p.pose) for p in resting)]
        left = heap.simulate(make_facts(1153, "L10", "L11"))
        assert left[0].piece == "L12", "ladders on the table leave the heap"
        assert heap.simulate(replace(table, tick=1000 + effects.SHOWN_TICKS + effects.SHRINK_TICKS)) == ()
    assert all(piece.look == "fault" for piece in resting)
    assert [len(pieces) for pieces in heaps] == [4] * len(heaps)
    for (piece, pose), (other, elsewhere) in itertools.combinations(lying, 2):
        assert find_distance_m(LADDERS[piece].boxes, pose, LADDERS[other].boxes, elsewhere) > -0.001
    assert all(find_lowest_m(LADDERS[piece].boxes, pose) > -0.001 for piece, pose in lying)
    late = zip(resting, heaps[effects.SHOWN_TICKS], strict=True)
    assert max(math.dist(a.pose.position, b.pose.position) for a, b in late) < 0.01, (
        "they are at rest by then"
    )
    cues = list(itertools.chain.from_iterable(knocks))
    assert {cue.kind for cue in cues} >= {CueKind.KNOCK, CueKind.THUD}
    assert len({(cue.across, cue.height_m) for cue in cues}) == len(cues) >= 8, "each at a different place"
    assert not any(knocks[effects.NEXT_TURN_TICK :]), "lying ladders are silent"
    assert {piece.size for pieces in heaps[: effects.SHOWN_TICKS] for piece in pieces} == {1.0}
    assert heaps[-1][0].size < 0.05


def make_tilt(turns: int) -> Quat:
    return quat_from_axis_angle((math.sin(turns), math.cos(3 * turns), 0.3), 0.37 * turns)


def test_verdict_tear_and_next_player_follow_within_a_second_and_a_half() -> None:
    assert 0 < effects.TEAR_LEAVES_TICK < effects.TEAR_LANDS_TICK < effects.NEXT_TURN_TICK <= 90
    leaves, lands = effects.TEAR_LEAVES_TICK, effects.TEAR_LANDS_TICK
    flights = [effects.find_tear_flight(CHARGED, 1000 + tick) for tick in range(leaves - 1, lands + 1)]
    assert [flight and flight.seat for flight in flights] == [None, *[1] * (lands - leaves), None]
    assert [effects.count_tears_on_moon(CHARGED, 1000 + tick, 3) for tick in (0, leaves)] == [4, 3]
    ticks = (0, lands, effects.NEXT_TURN_TICK)
    early, landed, over = (effects.delay_changes(PLAYERS, CHARGED, 1000 + tick) for tick in ticks)
    assert [[p.tears for p in players] for players in (early, landed)] == [[0, 1, 1], [0, 2, 1]]
    assert [p.on_turn for p in landed] == [False, True, False]
    assert over == PLAYERS


def test_a_skipped_verdict_has_no_effects() -> None:
    skipped = replace(CHARGED, is_skipped=True)
    assert effects.delay_changes(PLAYERS, skipped, 1001) == PLAYERS
    assert effects.find_tear_flight(skipped, 1000 + effects.TEAR_LEAVES_TICK) is None
    assert effects.count_tears_on_moon(skipped, 1001, 3) == 3


def test_rings_run_along_an_honoured_ladder_and_its_glow_fades() -> None:
    rings = [
        effects.build_rings(HONOURED, make_facts(1000 + tick, "L07")) for tick in range(effects.RING_TICKS)
    ]
    positions = [ring[0].progress for ring in rings]
    assert positions == sorted(positions)
    late = make_facts(1000 + effects.RING_TICKS, "L07")
    assert effects.build_rings(HONOURED, late) == effects.build_rings(CHARGED, make_facts(1001, "L07")) == ()
    glows = [effects.compute_glow(HONOURED, 1000 + tick) for tick in range(200)]
    assert (glows[0], glows[-1], glows) == (1.0, 0.0, sorted(glows, reverse=True))


def test_the_moons_face_and_the_night_change_with_the_game() -> None:
    assert effects.choose_mood(HONOURED, 1001, 4, won=False, ended=False).face > 0.0
    assert effects.choose_mood(CHARGED, 1001, 4, won=False, ended=False).face < 0.0
    assert effects.choose_mood(CHARGED, 9000, 4, won=False, ended=False).face == 0.0
    darkness = [effects.choose_mood(None, 0, tears, won=False, ended=False).dark for tears in (5, 1, 0)]
    assert darkness == sorted(darkness)
    assert darkness[0] < darkness[1] < darkness[2]
    winning = effects.choose_mood(None, 0, 0, won=True, ended=True)
    assert (winning.celebration, winning.dark) == (1.0, 0.0)


def test_further_falls_after_a_tear_are_not_a_success() -> None:
    falls = replace(CHARGED.verdict, ok=True, reason=Reason.SAME_INCIDENT, tears=0, charged=None)
    falls = replace(falls, fallen=(("L09", FallPlace.TABLE),))
    last = effects.LastVerdict(falls, 1000)
    assert last.is_good is None
    assert effects.choose_mood(last, 1001, 4, won=False, ended=False).face < 0.0
    assert effects.build_rings(last, make_facts(1001, "L07")) == ()


def make_falling_facts(
    tick: int, heights: dict[str, float], *, at_rest: bool = False, held: str | None = None
) -> Facts:
    def make_piece(name: str, height: float) -> PieceFacts:
        status = PieceStatus.HELD if name == held else PieceStatus.FREE
        return PieceFacts(name, status, Pose((0.04, 0.0, height)), height, height, 0.0)

    pieces = tuple(make_piece(name, height) for name, height in heights.items())
    return Facts(tick, pieces, (), held, False, None, at_rest)


def detect_slips(heights: list[dict[str, float]], held: str | None = None) -> effects.SlipDetector:
    slips, before = effects.SlipDetector(), make_falling_facts(99, heights[0], at_rest=True)
    for number, now in enumerate(heights[1:]):
        facts = make_falling_facts(100 + number, now, held=held)
        slips.add_facts(before, facts)
        before = facts
    return slips


def test_a_slip_is_shown_close_up_and_then_the_whole_table() -> None:
    slips = detect_slips([{"L07": 0.12}, {"L07": 0.11}, {"L07": 0.10}, {"L07": 0.02}])
    falls = [slips.find_fall(tick) for tick in range(101, 101 + effects.BACK_TICKS)]
    near = [slip.near for slip in falls if slip is not None]
    assert len(near) == len(falls), "from the tick in which it was 2 cm lower"
    assert near[0] == 0.0
    assert max(near) == near[effects.NEAR_TICKS] == near[effects.BACK_START_TICK] == 1.0
    assert near[-1] < 0.01
    assert slips.find_fall(101 + effects.BACK_TICKS) is None


def test_settling_and_carried_ladders_are_not_a_fall() -> None:
    assert detect_slips([{"L07": 0.12}, {"L07": 0.115}, {"L07": 0.11}]).find_fall(102) is None
    released = detect_slips([{}, {"L07": 0.15}, {"L07": 0.14}, {"L07": 0.12}])
    assert released.find_fall(103) is None, "a released ladder comes down on its supports"
    released.add_facts(make_falling_facts(103, {"L07": 0.12}), make_falling_facts(104, {"L07": 0.05}))
    assert released.find_fall(104) is not None
    held = detect_slips([{"L07": 0.12, "L08": 0.1}, {"L07": 0.02, "L08": 0.1}], held="L08")
    assert held.find_fall(101) is None, "no slip while a hand holds a ladder"


def test_one_fall_has_one_slip_and_the_next_turn_ends_it() -> None:
    slips = detect_slips([{"L07": 0.12, "L08": 0.12}, {"L07": 0.05, "L08": 0.12}, {"L07": 0.02, "L08": 0.05}])
    slips.add_verdict(CHARGED)
    first = slips.find_fall(130)
    assert first is not None
    assert first.ticks == 30
    slips.end_early(140)
    falls = [slips.find_fall(tick) for tick in range(140, 140 + effects.BACK_TICKS - effects.BACK_START_TICK)]
    near = [slip.near for slip in falls if slip]
    assert near == sorted(near, reverse=True)
    assert slips.find_fall(140 + effects.BACK_TICKS - effects.BACK_START_TICK) is None


def test_an_unnoticed_fall_is_shown_when_it_is_judged() -> None:
    slips = effects.SlipDetector()
    slips.add_verdict(CHARGED)
    assert slips.find_fall(CHARGED.tick + 1) is not None
    carried = effects.SlipDetector()
    carried.add_verdict(replace(CHARGED, verdict=replace(CHARGED.verdict, reason=Reason.HELD_TOUCHED)))
    assert carried.find_fall(CHARGED.tick + 1) is None, "a hand carried it down"
