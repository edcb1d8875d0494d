"""A person with a mouse places a ladder flat, edge on, leaning away and upside down, with at most two grips."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.app_kit import FRAME_S
from support.table_kit import IdealTable, screen_place

from armoon.games.moon.editions import Verdict
from armoon.games.moon.ladder_forecast import LadderForecaster
from armoon.games.moon.match import MoonMatch
from armoon.geometry import pose_apply, pose_inverse, quat_rotate
from armoon.values.acts import Act
from armoon.values.pieces import BASE, TABLE, PieceStatus
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.view.window import MousePointer


class MousePlayer(IdealTable):
    """Moves the mouse by the difference between the ladder's drawn and wanted places."""

    def __init__(self, where: str) -> None:
        super().__init__("moon", "--seat", where, "--players", "Ann,Ben")
        self.place: Vec2 = (0.5, 0.5)
        self.pressed = False
        self.grips = 0
        self.press("space")
        self.until(lambda: bool(self.offered), "a ladder")
        (self.piece,) = self.offered

    @property
    def match(self) -> MoonMatch:
        match = self.game.match
        assert isinstance(match, MoonMatch)
        return match

    @property
    def verdicts(self) -> list[Verdict]:
        return [verdict for out in self.outs for verdict in out.events_of(Verdict)]

    @property
    def offered(self) -> list[str]:
        return [p.piece for p in self.match.facts.pieces if p.status is PieceStatus.OFFERED]

    @property
    def position(self) -> Vec3:
        return self.home_point(self.match.facts[self.piece].pose.position)

    def axis(self, own: Vec3) -> Vec3:
        return quat_rotate(self.match.facts[self.piece].pose.rotation, own)

    def frame(self, wheel: float = 0.0) -> None:
        self.controls.handle_pointer(MousePointer(self.place, self.pressed, wheel, self.place))
        self.step()

    def grab(self) -> None:
        self.grips += 1
        self.place = screen_place(self.seat, self.position)
        self.rest(0.2)
        self.pressed = True
        self.rest(0.3)
        assert self.match.in_hand

    def release(self) -> None:
        self.pressed = False
        self.rest(0.3)

    def carry_to(self, to: Vec3, seconds: float = 3.0) -> None:
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            position = self.position
            here, there = screen_place(self.seat, position), screen_place(self.seat, to)
            self.place = (
                self.place[0] + 0.15 * (there[0] - here[0]),
                self.place[1] + 0.15 * (there[1] - here[1]),
            )
            in_camera = pose_inverse(self.seat.table_from_camera)
            deeper_m = pose_apply(in_camera, to)[2] - pose_apply(in_camera, position)[2]
            self.frame(wheel=max(-0.5, min(0.5, deeper_m / 0.004)) if abs(deeper_m) > 0.002 else 0.0)


@pytest.fixture
def player(
    request: pytest.FixtureRequest, home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MousePlayer]:
    monkeypatch.setattr(LadderForecaster, "_is_helped", False)  # forecasts take most of the time
    made = MousePlayer(getattr(request, "param", "mirror"))
    yield made
    made.close()


def test_a_ladder_is_laid_flat_over_the_others_in_two_grips(player: MousePlayer) -> None:
    player.ask(Act.TIP, 2)
    player.rest(0.2)
    player.grab()
    began_s = player.now_s
    top_m = player.match.status.structure_top_m
    player.carry_to((0.0, 0.0, top_m + 0.06))
    player.release()
    assert player.match.is_parked, "it is parked while the table turns"
    player.ask(Act.TURN, 30)
    player.rest(1.2)
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
    assert player.now_s - began_s < 10.0
    assert player.grips == 2


@pytest.mark.parametrize("player", ["table"], indirect=True)
def test_pushing_a_starting_ladder_out_costs_a_tear_and_it_is_stood_back(player: MousePlayer) -> None:
    """F2: with a held ladder against its rungs, until it comes out of its slot."""
    stood = {p.piece: p.pose for p in player.match.facts.pieces if p.status is PieceStatus.FIXED}
    x, y, z = stood["L01"].position
    player.grab()
    player.carry_to((x + 0.12, y, z + 0.03))
    assert not player.verdicts
    while not player.verdicts and player.now_s < 20.0:
        player.carry_to((x - 0.12, y, z + 0.03), FRAME_S / 2.0)
    assert len(player.verdicts) == 1
    assert player.match.state.tears == (1, 0)
    player.pressed = False
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
    player.ask(Act.TIP, side)
    player.rest(0.2)
    player.grab()
    began_s = player.now_s
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
    assert player.now_s - began_s < 10.0
    assert player.grips == 1
    player.rest(8.0)
    assert player.verdicts, "the referee judges the result"
