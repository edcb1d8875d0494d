"""Another table's turn is drawn as smoothly as it was played, at any frame rate and packet loss."""

from __future__ import annotations

import itertools
import math
import random
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from support.remote_kit import Conditions, LoggedGame, Network, OrderedNetwork, SimulatedTable

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.engine.setup import Intake
from armoon.geometry import pose_between
from armoon.remote.playout import MAX_SPEED_CHANGE
from armoon.values.poses import Vec3

#: First seconds of a turn, in which the connection isn't measured yet.
SETTLE_S = 1.5
LENGTH_S = 16.0


@dataclass(frozen=True)
class DrawnFrame:
    now_s: float
    ticks: float
    """Progress of the game in it."""
    ladder: Vec3 | None
    """Place of the drawn ladder."""


class MixedRates(LoggedGame):
    """The host's loop runs every one to three ticks, the guest's loop whenever a screen needs a picture."""

    def __init__(self, network: Network, picture_s: tuple[float, ...]) -> None:
        super().__init__(network, count=2, log="moon-short")
        self._chance = random.Random(7)
        self._picture_s = picture_s
        self._last_picture = -1
        self.pictures: list[list[DrawnFrame]] = [[], []]

    def run_for(self, length_s: float) -> None:
        """Run both loops for this long, in the order in which each is due."""
        due_s = [self.network.now_s, self.network.now_s]
        ticks = played = 0
        end_s = self.network.now_s + length_s
        while min(due_s) < end_s:
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
                due_s[1] += self._chance.choice(self._picture_s)
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


LINES = {
    "good": Conditions(0.025, 0.005),
    "lossy": Conditions(0.025, 0.005, 0.05),
    "jittery": Conditions(0.075, 0.06),
    "far": Conditions(0.2, 0.04),
    "far and lossy": Conditions(0.2, 0.04, 0.05),
}


#: The hardest case without loss, and the hardest of all.
USUAL = ("jittery", "far and lossy")


@pytest.fixture(
    name="game",
    scope="module",
    params=[name if name in USUAL else pytest.param(name, marks=pytest.mark.long) for name in LINES],
)
def uneven_game(request: pytest.FixtureRequest) -> Iterator[MixedRates]:
    mixed = MixedRates(OrderedNetwork(LINES[request.param]), (TICK_S, 2 * TICK_S, 0.9 * TICK_S, 1.3 * TICK_S))
    mixed.run_for(LENGTH_S)
    yield mixed
    mixed.close()


def settled_pictures(pictures: list[DrawnFrame]) -> list[tuple[DrawnFrame, DrawnFrame]]:
    moves_s = next(picture.now_s for picture in pictures if picture.ticks > 0.0)
    pairs = itertools.pairwise(pictures)
    return [(a, b) for a, b in pairs if a.now_s > moves_s + SETTLE_S and b.now_s < LENGTH_S]


def test_a_remote_turn_advances_as_much_as_the_clock(game: MixedRates) -> None:
    speeds = [
        (b.ticks - a.ticks) / ((b.now_s - a.now_s) * TICKS_PER_SECOND)
        for a, b in settled_pictures(game.pictures[1])
    ]
    assert len(speeds) > 500
    assert max(speeds) <= 1.0 + MAX_SPEED_CHANGE + 1e-6
    slow = sum(speed < 1.0 - MAX_SPEED_CHANGE - 1e-6 for speed in speeds)
    assert slow <= (0.01 * len(speeds) if game.network.conditions.lost_share else 0)


def test_a_remote_turn_is_shown_little_later_than_the_slowest_packet_arrives(game: MixedRates) -> None:
    conditions = game.network.conditions
    again_s = 0.2 + 2.0 * conditions.delay_s if conditions.lost_share else 0.0
    frames = [(picture.ticks, picture.now_s) for picture in game.pictures[0]]
    late_s = sorted(
        now.now_s - frames[bisect(frames, (now.ticks, 0.0))][1]
        for _, now in settled_pictures(game.pictures[1])
    )
    assert len({*game.network.sent}) == len(game.network.sent), "a late packet isn't sent again"
    assert late_s[len(late_s) // 2] <= conditions.delay_s + conditions.jitter_s + again_s + 0.15


def test_the_largest_step_of_a_drawn_ladder_equals_the_local_one(game: MixedRates) -> None:
    def largest_step_m_s(number: int) -> float:
        steps = [
            math.dist(a.ladder, b.ladder) / (b.now_s - a.now_s)
            for a, b in settled_pictures(game.pictures[number])
            if a.ladder is not None and b.ladder is not None
        ]
        assert len(steps) > 100, "a ladder is carried"
        return max(steps)

    assert largest_step_m_s(1) <= 1.1 * largest_step_m_s(0)
