"""The same orders and grips give identical facts, bit for bit, in this and in another process."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

from benchmarks.hand_script import SimulatedHand
from support.world_kit import random_quat, world_of

from armoon.geometry import quat_from_axis_angle
from armoon.values.pieces import GripPhase, Offer, Place, Remove
from armoon.values.poses import Pose

PIECES = [f"L{n:02d}" for n in range(4, 31)]


def digest_game(seed: int) -> str:
    """Return a digest of all facts of a game: dropped ladders, a noisy hand that is lost for ten ticks, a removal."""
    rng = random.Random(seed)
    digest = hashlib.sha256()
    with world_of() as world:

        def add_to_digest(facts: object) -> None:
            digest.update(repr(facts).encode())

        names = rng.sample(PIECES, 5)
        for name in names[:3]:
            position = (rng.uniform(-0.03, 0.03), rng.uniform(-0.03, 0.03), 0.2)
            world.apply(Place(name, Pose(position, random_quat(rng)), fixed=False))
            for _ in range(25):
                add_to_digest(world.tick(None))
        world.apply(Offer(names[3]))
        hand = SimulatedHand(world.tick, world.poses()[names[3]].position)
        add_to_digest(hand.grab())
        x, y, z = hand.position
        for k in range(150):
            share = k / 150.0
            noisy = [c + rng.gauss(0.0, 0.003) for c in (x * (1 - share), y, z + 0.12 * (1.0 - share))]
            turn = quat_from_axis_angle(random_quat(rng)[:3], rng.gauss(0.0, 0.05))
            phase = GripPhase.LOST if 60 <= k < 70 else GripPhase.HOLD
            add_to_digest(hand.do(phase, (noisy[0], noisy[1], noisy[2]), turn))
        add_to_digest(hand.release())
        for _ in range(40):
            add_to_digest(world.tick(None))
        world.apply(Remove(names[0]))
        for _ in range(60):
            add_to_digest(world.tick(None))
    return digest.hexdigest()


def test_other_worlds_in_the_process_do_not_matter() -> None:
    alone = digest_game(3)
    with world_of() as other:
        other.apply(Place("L09", Pose((0.0, 0.0, 0.2)), fixed=False))
        for _ in range(20):
            other.tick(None)
        assert digest_game(3) == alone


def test_another_process_agrees_bit_for_bit() -> None:
    code = "from world import test_replay; print(test_replay.digest_game(1))"
    tests = Path(__file__).parents[1]
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tests,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(tests)]), "PYTHONHASHSEED": "12345"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.split()[-1] == digest_game(1)
