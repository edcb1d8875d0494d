"""The world in its own process gives identical results and errors, and a lost process is replaced."""

from __future__ import annotations

import math
import os
import random
import signal
from collections.abc import Iterator

import pytest
from support.world_kit import base, grip, ladders, random_quat, world_of

from armoon.errors import WorldError
from armoon.values import pieces
from armoon.values.poses import Pose
from armoon.world import process
from armoon.world.local import LocalWorld
from armoon.world.process import ProcessWorld, SteppedWorld, WorldLostError

Call = pieces.Order | pieces.GripIntent | None


@pytest.fixture
def world() -> Iterator[ProcessWorld]:
    process_world = ProcessWorld(ladders(), base())
    yield process_world
    process_world.close()


def make_calls(seed: int) -> list[Call]:
    """Return the orders and grips of a short, busy game; each grip or None is a tick."""
    rng = random.Random(seed)
    calls: list[Call] = [
        pieces.Place(ladder.piece, slot, fixed=True)
        for ladder, slot in zip(ladders().ladders, base().slots, strict=False)
    ]
    for name in ("L04", "L09"):
        position = (rng.uniform(-0.03, 0.03), rng.uniform(-0.03, 0.03), 0.18)
        calls += [pieces.Place(name, Pose(position, random_quat(rng)), fixed=False), *[None] * 20]
    calls += [pieces.Offer("L12"), grip(pieces.GripPhase.GRAB, (0.17, 0.0, 0.08))]
    for k in range(60):
        calls.append(grip(pieces.GripPhase.HOLD, (0.17 - 0.0028 * k, 0.0, 0.08 + 0.001 * k)))
    calls += [
        grip(pieces.GripPhase.RELEASE, (0.0, 0.0, 0.14)),
        *[None] * 30,
        pieces.Remove("L04"),
        pieces.LockGrips(True),
    ]
    return [*calls, *[None] * 30]


@pytest.fixture
def stepped(world: ProcessWorld) -> SteppedWorld:
    return SteppedWorld(world)


def play_calls(world: LocalWorld | ProcessWorld | SteppedWorld, calls: list[Call]) -> list[pieces.Facts]:
    facts = []
    for call in calls:
        if call is None or isinstance(call, pieces.GripIntent):
            facts.append(world.tick(call))
        else:
            world.apply(call)
    return facts


def test_the_process_gives_results_identical_to_a_local_world(world: ProcessWorld) -> None:
    calls = make_calls(1)
    with world_of(starting=False) as local:
        expected = play_calls(local, calls)
        assert play_calls(world, calls) == expected
    assert any(facts.held == "L12" for facts in expected)
    assert any(facts.contacts for facts in expected)


def test_a_refused_order_raises_an_error_and_changes_nothing(world: ProcessWorld) -> None:
    world.apply(pieces.Place("L04", Pose((0.0, 0.0, 0.3)), fixed=True))
    before = world.tick(None)
    for bad in (pieces.Place("L05", Pose((math.nan, 0.0, 0.3)), fixed=False), pieces.Offer("L99")):
        with pytest.raises(WorldError, match="Nothing was moved"):
            world.apply(bad)
    with pytest.raises(WorldError, match="Nothing was moved"):
        world.rebuild([("L04", Pose((0.0, 0.0, 9.0)), True)])
    assert world.tick(None).pieces == before.pieces


# At the start, among orders, while a ladder falls, while a ladder is held, and when the grips are locked.
@pytest.mark.parametrize("cut", [0, -3, *(pytest.param(cut, marks=pytest.mark.long) for cut in (1, 30, 75))])
def test_a_killed_process_is_noticed_and_its_game_replays_bit_for_bit(
    world: ProcessWorld, stepped: SteppedWorld, cut: int
) -> None:
    calls = make_calls(2)
    facts = play_calls(stepped, calls[:cut])
    first = world.pid
    os.kill(first, signal.SIGKILL)
    with pytest.raises(WorldLostError, match="process that steps the ladders has ended"):
        world.tick(None)
    rest = play_calls(stepped, calls[cut:])
    assert world.pid != first
    (recovery,) = (replaced.recovery for replaced in stepped.pop_replaced())
    assert len(facts) + len(rest) == rest[-1].tick
    with world_of(starting=False) as local:
        assert play_calls(local, calls[:cut]) == facts
        local.resume(recovery.tick, recovery.standing, recovery.orders)
        assert play_calls(local, calls[cut:]) == rest


def test_a_recovered_world_has_its_last_known_state(world: ProcessWorld, stepped: SteppedWorld) -> None:
    calls = make_calls(2)
    grabbed = next(k for k, call in enumerate(calls) if isinstance(call, pieces.GripIntent)) + 20
    stepped_facts = play_calls(stepped, calls[:grabbed])[-1]
    assert stepped_facts.held == "L12"
    stepped.apply(pieces.LockGrips(True))
    os.kill(world.pid, signal.SIGKILL)
    last = calls[grabbed - 1]
    facts = stepped.tick(last if isinstance(last, pieces.GripIntent) else None)
    (recovery,) = (replaced.recovery for replaced in stepped.pop_replaced())
    assert recovery.tick == stepped_facts.tick
    assert {name for name, _, _ in recovery.standing} == {"L01", "L02", "L04", "L09"}
    assert facts.tick == stepped_facts.tick + 1
    assert facts["L12"].status is pieces.PieceStatus.OFFERED, "the held ladder waits in the lid"
    for name in ("L01", "L02", "L04", "L09"):
        assert math.dist(facts[name].pose.position, stepped_facts[name].pose.position) < 1e-3
    assert stepped.tick(grip(pieces.GripPhase.GRAB, facts["L12"].pose.position)).held is None, "still locked"


def test_a_tick_interrupted_by_a_kill_is_repeated(world: ProcessWorld, stepped: SteppedWorld) -> None:
    stepped.apply(pieces.Place("L04", Pose((0.0, 0.3, 0.3)), fixed=False))
    stepped.tick(None)
    os.kill(world.pid, signal.SIGSTOP)
    world.begin_tick(None)
    os.kill(world.pid, signal.SIGKILL)
    assert stepped.tick(None).tick == 2


def test_a_hanging_process_is_replaced(
    world: ProcessWorld, stepped: SteppedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "ANSWER_TIMEOUT_S", 0.3)
    os.kill(world.pid, signal.SIGSTOP)
    with pytest.raises(WorldError, match="doesn't answer"):
        world.tick(None)
    assert stepped.tick(None).tick == 1


def test_the_process_ends_when_its_world_is_closed_and_can_be_closed_twice() -> None:
    world = ProcessWorld(ladders(), base())
    pid = world.pid
    world.close()
    world.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(WorldError):
        world.tick(None)
