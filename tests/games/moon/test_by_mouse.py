"""A person with a mouse brings a ladder in flat, edge on, leaning away and upside down, with at most two grips."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from support.app_kit import FRAME_S, FRAME_TICKS, HEIGHT, WIDTH, setup_for

from armoon.camera.profiles import SEATS
from armoon.engine.setup import Intake
from armoon.games.moon.editions import Verdict
from armoon.geometry import pose_apply, pose_inverse, project_table_points, quat_rotate
from armoon.inputs.mouse import MouseGrip
from armoon.values.acts import Act
from armoon.values.choices import AirRelease
from armoon.values.pieces import BASE, TABLE, Command, PieceStatus
from armoon.values.poses import Pose, Vec2, Vec3


class MousePlayer:
    """Moves the mouse by the difference between the ladder's drawn and wanted places."""

    def __init__(self, where: str) -> None:
        self.match = setup_for(seat=where, air=AirRelease.WAITS).match()
        self.seat = SEATS[where](WIDTH, HEIGHT)
        self.mouse = MouseGrip(self.seat.camera, self.seat.table_from_camera, self.seat.mirrored)
        self.place: Vec2 = (0.5, 0.5)
        self.closed = False
        self.time_s = 0.0
        self.grips = 0
        self.verdicts: list[Verdict] = []
        while not self.offered:
            self.frame()
        (self.piece,) = self.offered

    @property
    def offered(self) -> list[str]:
        return [p.piece for p in self.match.facts.pieces if p.status is PieceStatus.OFFERED]

    @property
    def position(self) -> Vec3:
        return pose_apply(self.match.home_from_table(), self.match.facts[self.piece].pose.position)

    def axis(self, own: Vec3) -> Vec3:
        return quat_rotate(self.match.facts[self.piece].pose.rotation, own)

    def frame(self, *commands: Command, wheel: float = 0.0) -> None:
        self.time_s += FRAME_S
        self.mouse.move_pointer(self.place, self.closed, wheel)
        grips = self.mouse.collect_grips(self.time_s, self.match.offered_at_home)
        out = self.match.advance(Intake(self.time_s, FRAME_TICKS, None, commands, grips))
        self.verdicts += out.events_of(Verdict)

    def rest(self, seconds: float, *commands: Command) -> None:
        self.frame(*commands)
        for _ in range(round(seconds / FRAME_S)):
            self.frame()

    def to_screen(self, point: Vec3) -> Vec2:
        ((x, y),) = project_table_points(self.seat.camera, self.seat.table_from_camera, [point])
        across = (x + 0.5) / self.seat.camera.width
        return (1.0 - across if self.seat.mirrored else across, (y + 0.5) / self.seat.camera.height)

    def grab(self) -> None:
        self.grips += 1
        self.place = self.to_screen(self.position)
        self.rest(0.2)
        self.closed = True
        self.rest(0.3)
        assert self.match.in_hand

    def release(self) -> None:
        self.closed = False
        self.rest(0.3)

    def carry_to(self, to: Vec3, seconds: float = 3.0) -> None:
        end_s = self.time_s + seconds
        while self.time_s < end_s:
            position = self.position
            here, there = self.to_screen(position), self.to_screen(to)
            self.place = (
                self.place[0] + 0.15 * (there[0] - here[0]),
                self.place[1] + 0.15 * (there[1] - here[1]),
            )
            in_camera = pose_inverse(self.seat.table_from_camera)
            deeper_m = pose_apply(in_camera, to)[2] - pose_apply(in_camera, position)[2]
            self.frame(wheel=max(-0.5, min(0.5, deeper_m / 0.004)) if abs(deeper_m) > 0.002 else 0.0)


@pytest.fixture
def player(request: pytest.FixtureRequest) -> Any:
    made = MousePlayer(getattr(request, "param", "mirror"))
    yield made
    made.match.close()


def test_a_ladder_is_laid_flat_over_the_others_in_two_grips(player: MousePlayer) -> None:
    player.rest(0.2, Command(Act.TIP, value=2))
    player.grab()
    began_s = player.time_s
    top_m = player.match.status.structure_top_m
    player.carry_to((0.0, 0.0, top_m + 0.06))
    player.release()
    assert player.match.is_parked, "it is parked while the table turns"
    player.rest(1.2, Command(Act.TURN, value=30))
    player.grab()
    assert abs(player.axis((0.0, 0.0, 1.0))[2]) < 0.15, "its length lies level"
    assert abs(player.axis((0.0, 1.0, 0.0))[2]) > 0.95, "and so do its rungs"
    player.carry_to((0.0, 0.0, top_m + 0.014), 2.0)
    fall_m = player.match.find_landing(player.match.facts[player.piece]).fall_m
    x, y, z = player.position
    player.carry_to((x, y, z - max(0.0, fall_m - 0.006)), 1.5)
    touched = set(player.match.find_landing(player.match.facts[player.piece]).touched)
    assert touched & {"L01", "L02"}, "the ghost shows the ladders that it would touch"
    player.release()
    assert not player.match.is_parked
    assert player.time_s - began_s < 10.0
    assert player.grips == 2


@pytest.mark.parametrize("player", ["table"], indirect=True)
def test_pushing_a_starting_ladder_out_costs_a_tear_and_it_is_stood_back(player: MousePlayer) -> None:
    """F2: with a held ladder against its rungs, until it comes out of its slot."""
    stood = {p.piece: p.pose for p in player.match.facts.pieces if p.status is PieceStatus.FIXED}
    x, y, z = stood["L01"].position
    player.grab()
    player.carry_to((x + 0.12, y, z + 0.03))
    assert not player.verdicts
    while not player.verdicts and player.time_s < 20.0:
        player.carry_to((x - 0.12, y, z + 0.03), FRAME_S / 2.0)
    assert len(player.verdicts) == 1
    assert player.match.state.tears == (1, 0)
    player.closed = False
    player.rest(4.0)
    assert {piece: player.match.facts[piece].pose for piece in stood} == stood


#: Sideways places to search for a ladder below, the middle first.
STARTS_X_M = (0.0, 0.02, -0.02, 0.03, -0.03, 0.04, -0.04)


def find_place_over_another(player: MousePlayer) -> Vec3:
    ladder = player.match.facts[player.piece]
    for x in STARTS_X_M:
        above = replace(ladder, pose=Pose((x, 0.0, 0.30), ladder.pose.rotation))
        landing = player.match.find_landing(above)
        if set(landing.touched) - {BASE, TABLE}:
            return (x, 0.0, 0.30 - landing.fall_m)
    raise AssertionError("no place is over another ladder")


@pytest.mark.parametrize(
    ("player", "side", "axis", "along"),
    [
        ("table", 2, (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        ("mirror", 3, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
        ("table", 4, (0.0, 0.0, 1.0), (0.0, math.sqrt(0.5), math.sqrt(0.5))),
        ("mirror", 5, (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)),
    ],
    indirect=["player"],
    ids=["flat", "edge on", "leaning away", "upside down"],
)
def test_a_ladder_is_lowered_on_another_in_its_attitude_in_the_lid(
    player: MousePlayer, side: int, axis: Vec3, along: Vec3
) -> None:
    player.rest(0.2, Command(Act.TIP, value=side))
    player.grab()
    began_s = player.time_s
    player.carry_to((0.0, 0.0, player.match.status.structure_top_m + 0.10), 2.0)
    points = sum(a * b for a, b in zip(player.axis(axis), along, strict=True))
    assert (points if side > 3 else abs(points)) > 0.98
    x, y, z = find_place_over_another(player)
    player.carry_to((x, y, player.position[2]), 1.5)
    player.carry_to((x, y, z + 0.004), 2.0)
    facts = player.match.facts
    landing = player.match.find_landing(facts[player.piece])
    assert set(landing.touched) & {"L01", "L02"} or facts.touching(player.piece)
    player.release()
    assert not player.match.is_parked, "so near it is released, not parked"
    assert player.time_s - began_s < 10.0
    assert player.grips == 1
    player.rest(8.0)
    assert player.verdicts, "the referee judges the result"
