"""Another table's turn is drawn as smoothly as it was played, at any frame rate and packet loss."""

from __future__ import annotations

import itertools
import math
import random
from bisect import bisect
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

import pytest
from support.remote_kit import Conditions, LoggedGame, Network, OrderedNetwork, SimulatedTable

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.engine.setup import Intake
from armoon.geometry import pose_between
from armoon.remote.shared import CATCH_UP_SPEED, MAX_SPEED_CHANGE, Playout
from armoon.values.poses import Vec3

#: First seconds of a turn, in which the connection isn't measured yet.
SETTLE_S = 1.5
LENGTH_S = 16.0


class DrawnFrame(NamedTuple):
    now_s: float
    ticks: float
    """Shown progress of the game."""
    ladder: Vec3 | None


class MixedRates(LoggedGame):
    """The host's loop runs every one to three ticks, the guest's loop whenever a screen needs a picture."""

    def __init__(self, network: Network) -> None:
        super().__init__(network, log="moon-short")
        self._chance = random.Random(7)
        self._last_picture = -1
        self.pictures: list[list[DrawnFrame]] = [[], []]

    def run_loops(self) -> None:
        """Run both loops, in the order in which each is due."""
        due_s = [0.0, 0.0]
        ticks = played = 0
        while min(due_s) < LENGTH_S:
            number = due_s.index(min(due_s))
            self.network.now_s = due_s[number]
            table = self.tables[number]
            if number == 0:
                table.play(self._frame(played, ticks))
                played += ticks
                ticks = self._chance.choice((1, 2, 3))
                due_s[0] += ticks * TICK_S
            else:
                table.play(Intake(2000.0 + self.network.now_s, 0, None))
                due_s[1] += self._chance.choice((1.0, 2.0, 0.9, 1.3)) * TICK_S
            self.pictures[number].append(self._draw_frame(table))

    def _frame(self, played: int, ticks: int) -> Intake:
        """Return the log's frame at this tick of the turn; the camera takes 30 pictures a second."""
        frame = self.frames[min(played // 2, len(self.frames) - 1)]
        if played // 2 == self._last_picture:
            frame = replace(frame, hands=None)
        self._last_picture = played // 2
        now_s = 1000.0 + self.network.now_s
        hands = frame.hands and replace(frame.hands, time_s=now_s + frame.hands.time_s - frame.now_s)
        return replace(frame, now_s=now_s, ticks=ticks, hands=hands)

    def _draw_frame(self, table: SimulatedTable) -> DrawnFrame:
        fraction = 1.0 if table.shared.is_playing else table.shared.playout.fraction
        match = table.match
        held = match.facts.held
        poses = {piece.piece: piece.pose for piece in match.previous.pieces}
        ladder = None
        if held is not None and held in poses:
            ladder = pose_between(poses[held], match.facts[held].pose, fraction).position
        return DrawnFrame(self.network.now_s, match.tick - 1.0 + fraction, ladder)


CONNECTIONS = {
    "good": Conditions(0.025, 0.005),
    "lossy": Conditions(0.025, 0.005, 0.05),
    "far": Conditions(0.2, 0.04),
    # The hardest case without loss, and the hardest of all.
    "jittery": Conditions(0.075, 0.06),
    "far and lossy": Conditions(0.2, 0.04, 0.05),
}
LONG = [pytest.param(name, marks=pytest.mark.long) for name in ("good", "lossy", "far")]


@pytest.fixture(name="game", scope="module", params=["jittery", "far and lossy", *LONG])
def uneven_game(request: pytest.FixtureRequest) -> Iterator[MixedRates]:
    with closing(MixedRates(OrderedNetwork(CONNECTIONS[request.param]))) as mixed:
        mixed.run_loops()
        yield mixed


def list_settled_pictures(pictures: list[DrawnFrame]) -> list[tuple[DrawnFrame, DrawnFrame]]:
    first_move_s = next(picture.now_s for picture in pictures if picture.ticks > 0.0)
    return [(a, b) for a, b in itertools.pairwise(pictures) if a.now_s > first_move_s + SETTLE_S]


def test_a_remote_turn_runs_at_the_speed_of_the_clock(game: MixedRates) -> None:
    speeds = [
        (b.ticks - a.ticks) / ((b.now_s - a.now_s) * TICKS_PER_SECOND)
        for a, b in list_settled_pictures(game.pictures[1])
    ]
    assert len(speeds) > 500
    assert max(speeds) <= 1.0 + MAX_SPEED_CHANGE + 1e-6
    slow = sum(speed < 1.0 - MAX_SPEED_CHANGE - 1e-6 for speed in speeds)
    assert slow <= (0.01 * len(speeds) if game.network.conditions.lost_share else 0)


def test_a_remote_turn_is_shown_little_later_than_the_slowest_packet_arrives(game: MixedRates) -> None:
    conditions = game.network.conditions
    resend_s = 0.2 + 2.0 * conditions.delay_s if conditions.lost_share else 0.0
    frames = [(picture.ticks, picture.now_s) for picture in game.pictures[0]]
    late_s = sorted(
        now.now_s - frames[bisect(frames, (now.ticks, 0.0))][1]
        for _, now in list_settled_pictures(game.pictures[1])
    )
    assert len({*game.network.sent}) == len(game.network.sent), "a late packet isn't sent again"
    assert late_s[len(late_s) // 2] <= conditions.delay_s + conditions.jitter_s + resend_s + 0.15


def test_a_drawn_ladder_is_hardly_faster_than_the_local_one(game: MixedRates) -> None:
    def top_speed_m_s(number: int) -> float:
        speeds = [
            math.dist(a.ladder, b.ladder) / (b.now_s - a.now_s)
            for a, b in list_settled_pictures(game.pictures[number])
            if a.ladder is not None and b.ladder is not None
        ]
        assert len(speeds) > 100, "a ladder is carried"
        return max(speeds)

    assert top_speed_m_s(1) <= 1.1 * top_speed_m_s(0)


class ReceivedTurn:
    def __init__(self) -> None:
        self.playout = Playout()
        self.now_s = 0.0
        self.waiting = 0
        self.steps: list[int] = []

    def pass_ticks(self, count: int, arrived: int = 0, *, steps: bool = True) -> None:
        """Pass this many ticks, in each of which ``arrived`` ticks arrive; ``steps``: the due ones are stepped."""
        for _ in range(count):
            self.now_s += TICK_S
            self.waiting += arrived
            due = self.playout.advance(self.now_s, self.waiting)
            if not steps:
                continue
            self.playout.count_steps(due)
            self.waiting -= due
            self.steps.append(due)
            assert self.waiting >= 0
            assert 0.0 <= self.playout.fraction <= 1.0


def test_a_table_too_slow_to_play_due_frames_does_not_jump() -> None:
    turn = ReceivedTurn()
    turn.pass_ticks(120, 1)
    turn.pass_ticks(30, 1, steps=False)
    turn.pass_ticks(120, 1)
    assert max(turn.steps) <= 2


def test_a_large_backlog_is_played_in_fast_motion() -> None:
    turn = ReceivedTurn()
    turn.pass_ticks(1, 600)
    turn.pass_ticks(200, 1)
    assert turn.waiting < 100
    assert max(turn.steps) <= CATCH_UP_SPEED + 1
    turn.pass_ticks(400, 1)
    assert max(turn.steps[-60:]) <= 1 + round(1.0 + MAX_SPEED_CHANGE)
