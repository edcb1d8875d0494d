"""The course of a verdict in time: what falls is seen to its end, a tear flies, the next player waits for both."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

from armoon.games.moon import drama
from armoon.games.moon.editions import Onto, Reason, Verdict
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
FALLING = drama.FallenLadder(
    "L07",
    Pose((0.05, 0.02, 0.06), quat_from_axis_angle((1.0, 0.0, 0.0), 0.7)),
    (0.4, 0.0, -0.9),
    (3.0, 0.0, 2.0),
)
PAID = drama.LastVerdict(
    Verdict(3, 1, False, Reason.TOO_MANY, ("T4",), ladder="L07", charged=1, tears=1), 1000, (FALLING,)
)
WELL = drama.LastVerdict(Verdict(3, 1, True, Reason.HONOURED, ("T4",), ladder="L07"), 1000)
PLAYERS = tuple(ScenePlayer(name, tears, name == "C") for name, tears in (("A", 0), ("B", 2), ("C", 1)))


def facts(tick: int, *pieces: str) -> Facts:
    there = tuple(PieceFacts(p, PieceStatus.FREE, Pose((0.0, 0.0, 0.1)), 0.1, 0.1, 0.0) for p in pieces)
    return Facts(tick, there, (), None, False, None, True)


def test_the_fallen_come_to_lie_in_a_heap_and_are_red_until_their_verdict_was_read() -> None:
    """They go through neither table, base, what stands nor each other, though nothing that plays feels them."""
    stands = PieceFacts("L09", PieceStatus.FIXED, Pose((0.0, 0.0, 0.08)), 0.1, 0.0, 0.0)
    table = Facts(1000, (stands,), (), None, False, None, True)
    fallen = [
        replace(FALLING, piece=f"L{10 + k}", pose=Pose((0.02 * k - 0.03, 0.0, 0.14 + 0.02 * k), tilted(k)))
        for k in range(4)
    ]
    heap = drama.FallenHeap(LADDERS, BASE)
    seen, knocks = [], []
    try:
        heap.add_ladders(fallen, table)
        for tick in range(1001, 1000 + drama.READ_TICKS + drama.GO_TICKS):
            seen.append(heap.simulate(replace(table, tick=tick)))
            knocks.append(heap.pop_knocks())
        resting, there = seen[drama.NEXT_PLAYER], ("L09", Pose((0.0, 0.0, 0.08)))
        lie = [there, *((one.piece, one.pose) for one in resting)]
        assert heap.simulate(facts(1153, "L10", "L11"))[0].piece == "L12", (
            "what is on the table is drawn from there"
        )
        assert heap.simulate(replace(table, tick=1000 + drama.READ_TICKS + drama.GO_TICKS)) == ()
    finally:
        heap.close()
    assert all(piece.look == "fault" for piece in resting)
    assert [len(pieces) for pieces in seen] == [4] * len(seen)
    for (piece, pose), (other, elsewhere) in itertools.combinations(lie, 2):
        assert find_distance_m(LADDERS[piece].boxes, pose, LADDERS[other].boxes, elsewhere) > -0.001
    assert all(find_lowest_m(LADDERS[piece].boxes, pose) > -0.001 for piece, pose in lie)
    late = zip(resting, seen[drama.READ_TICKS], strict=True)
    assert max(math.dist(a.pose.position, b.pose.position) for a, b in late) < 0.01, "they lie by then"
    heard = list(itertools.chain.from_iterable(knocks))
    assert {cue.kind for cue in heard} >= {CueKind.KNOCK, CueKind.THUD}
    assert len({(cue.across, cue.height_m) for cue in heard}) == len(heard) >= 8, "each from where it struck"
    assert not any(knocks[drama.NEXT_PLAYER :]), "what lies is silent"
    assert {piece.size for pieces in seen[: drama.READ_TICKS] for piece in pieces} == {1.0}
    assert seen[-1][0].size < 0.05


def tilted(turns: int) -> Quat:
    return quat_from_axis_angle((math.sin(turns), math.cos(3 * turns), 0.3), 0.37 * turns)


def test_verdict_then_tear_then_next_player_within_a_second_and_a_half() -> None:
    assert 0 < drama.TEAR_LEAVES < drama.TEAR_LANDS < drama.NEXT_PLAYER <= 90
    assert drama.tear_flight(PAID, 1000 + drama.TEAR_LEAVES - 1) is None
    flights = [drama.tear_flight(PAID, 1000 + tick) for tick in range(drama.TEAR_LEAVES, drama.TEAR_LANDS)]
    assert [flight.seat for flight in flights if flight is not None] == [1] * len(flights)
    assert drama.tear_flight(PAID, 1000 + drama.TEAR_LANDS) is None
    assert [drama.tears_on_moon(PAID, 1000 + tick, 3) for tick in (0, drama.TEAR_LEAVES)] == [4, 3]
    early, landed, over = (
        drama.show_players(PLAYERS, PAID, 1000 + tick) for tick in (0, drama.TEAR_LANDS, drama.NEXT_PLAYER)
    )
    assert [p.tears for p in early] == [0, 1, 1]
    assert [p.tears for p in landed] == [0, 2, 1]
    assert [p.on_turn for p in landed] == [False, True, False]
    assert over == PLAYERS


def test_going_on_skips_all_of_it() -> None:
    skipped = replace(PAID, is_skipped=True)
    assert drama.show_players(PLAYERS, skipped, 1001) == PLAYERS
    assert drama.tear_flight(skipped, 1000 + drama.TEAR_LEAVES) is None
    assert drama.tears_on_moon(skipped, 1001, 3) == 3


def test_a_success_rings_and_its_ladder_settles_into_its_colour() -> None:
    rings = [drama.build_rings(WELL, facts(1000 + tick, "L07")) for tick in range(drama.RING_TICKS)]
    alongs = [one[0].along for one in rings]
    assert alongs == sorted(alongs)
    assert drama.build_rings(WELL, facts(1000 + drama.RING_TICKS, "L07")) == ()
    assert drama.build_rings(PAID, facts(1001, "L07")) == ()
    glows = [drama.compute_glow(WELL, 1000 + tick) for tick in range(200)]
    assert glows == sorted(glows, reverse=True)
    assert (glows[0], glows[-1]) == (1.0, 0.0)


def test_moon_and_night_take_part() -> None:
    assert drama.choose_mood(WELL, 1001, 4, won=False, ended=False).face > 0.0
    assert drama.choose_mood(PAID, 1001, 4, won=False, ended=False).face < 0.0
    assert drama.choose_mood(PAID, 9000, 4, won=False, ended=False).face == 0.0
    darks = [drama.choose_mood(None, 0, tears, won=False, ended=False).dark for tears in (5, 1, 0)]
    assert darks == sorted(darks)
    assert darks[0] < darks[1] < darks[2]
    winning = drama.choose_mood(None, 0, 0, won=True, ended=True)
    assert (winning.feast, winning.dark) == (1.0, 0.0)


def test_what_falls_on_after_a_tear_is_no_success() -> None:
    falls = replace(PAID.verdict, ok=True, reason=Reason.SAME_INCIDENT, tears=0, charged=None)
    falls = replace(falls, fallen=(("L09", Onto.TABLE),))
    last = drama.LastVerdict(falls, 1000)
    assert last.is_good is None
    assert drama.choose_mood(last, 1001, 4, won=False, ended=False).face < 0.0
    assert drama.build_rings(last, facts(1001, "L07")) == ()


def table_of(
    tick: int, heights: dict[str, float], *, at_rest: bool = False, held: str | None = None
) -> Facts:
    pieces = tuple(
        PieceFacts(
            name,
            PieceStatus.HELD if name == held else PieceStatus.FREE,
            Pose((0.04, 0.0, height)),
            height,
            height,
            0.0,
        )
        for name, height in heights.items()
    )
    return Facts(tick, pieces, (), held, False, None, at_rest)


def watched(heights: list[dict[str, float]], held: str | None = None) -> drama.SlipDetector:
    slips, before = drama.SlipDetector(), table_of(99, heights[0], at_rest=True)
    for number, now in enumerate(heights[1:]):
        facts = table_of(100 + number, now, held=held)
        slips.add_frame(before, facts)
        before = facts
    return slips


def test_what_slips_is_shown_from_near_and_then_the_whole_again() -> None:
    slips = watched([{"L07": 0.12}, {"L07": 0.11}, {"L07": 0.10}, {"L07": 0.02}])
    shown = [slips.find_fall(tick) for tick in range(101, 101 + drama.BACK_TICKS)]
    near = [slip.near for slip in shown if slip is not None]
    assert len(near) == len(shown), "from the tick in which it was 2 cm lower"
    assert near[0] == 0.0
    assert max(near) == near[drama.NEAR_TICKS] == near[drama.BACK_FROM] == 1.0
    assert near[-1] < 0.01
    assert slips.find_fall(101 + drama.BACK_TICKS) is None


def test_what_settles_or_is_carried_is_no_fall() -> None:
    assert watched([{"L07": 0.12}, {"L07": 0.115}, {"L07": 0.11}]).find_fall(102) is None
    released = watched([{}, {"L07": 0.15}, {"L07": 0.14}, {"L07": 0.12}])
    assert released.find_fall(103) is None, "a ladder that was let go of comes down on what carries it"
    released.add_frame(table_of(103, {"L07": 0.12}), table_of(104, {"L07": 0.05}))
    assert released.find_fall(104) is not None
    held = watched([{"L07": 0.12, "L08": 0.1}, {"L07": 0.02, "L08": 0.1}], held="L08")
    assert held.find_fall(101) is None, "nothing moves under a hand that holds"


def test_one_fall_has_one_slip_and_the_next_turn_ends_it() -> None:
    slips = watched([{"L07": 0.12, "L08": 0.12}, {"L07": 0.05, "L08": 0.12}, {"L07": 0.02, "L08": 0.05}])
    slips.add_verdict(PAID)
    first = slips.find_fall(130)
    assert first is not None
    assert first.ticks == 30
    slips.end_early(140)
    going = [slips.find_fall(tick) for tick in range(140, 140 + drama.BACK_TICKS - drama.BACK_FROM)]
    assert [slip.near for slip in going if slip] == sorted(
        (slip.near for slip in going if slip), reverse=True
    )
    assert slips.find_fall(140 + drama.BACK_TICKS - drama.BACK_FROM) is None


def test_a_fall_that_nobody_saw_begin_is_shown_when_it_is_judged() -> None:
    slips = drama.SlipDetector()
    slips.add_verdict(PAID)
    assert slips.find_fall(PAID.tick + 1) is not None
    led = drama.SlipDetector()
    led.add_verdict(replace(PAID, verdict=replace(PAID.verdict, reason=Reason.HELD_TOUCHED)))
    assert led.find_fall(PAID.tick + 1) is None, "a hand has led it down"
