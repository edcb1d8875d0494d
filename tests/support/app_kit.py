"""Helps to test the composed game without camera and tracker: an ideal tracker, a demo that needs neither."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from armoon import __version__
from armoon.camera.seat import SEATS, Seat
from armoon.clock import TICKS_PER_SECOND
from armoon.engine.intake import Intake, Outturn
from armoon.engine.logbook import LogWriter
from armoon.games.moon.match import Match
from armoon.games.moon.player.demo_player import DemoPlayer
from armoon.games.moon.setup import MatchSetup
from armoon.geometry import mat_from_pose, pose_inverse
from armoon.hands.tracking.landmarks import Hands, hand_from_arrays
from armoon.players.demo import hand_habits
from armoon.players.sight import Sight
from armoon.stage.anatomy import HandState, landmarks, palm_for_grip
from armoon.values.poses import Pose

WIDTH, HEIGHT = 640, 360
#: Ticks of the game for each frame of a camera with 30 pictures a second.
FRAME_TICKS = 2
FRAME_S = FRAME_TICKS / TICKS_PER_SECOND


def setup_for(seed: int = 3, seat: str = "table", **changes: Any) -> MatchSetup:
    """What a demo's game starts from; the die rolls soon."""
    here = SEATS[seat](WIDTH, HEIGHT)
    values: dict[str, Any] = {
        "version": __version__,
        "seed": seed,
        "edition": "bombyx-2017",
        "players": ("Ann", "Ben"),
        "seat": here.name,
        "mirrored": here.mirrored,
        "camera": here.camera,
        "table_from_camera": here.table_from_camera,
        "palm_length_m": 0.0955,
        "auto_roll_s": 0.5,
    }
    return MatchSetup(**{**values, **changes})


def ideal_hands(seat: Seat, grip: Pose, closing: float, time_s: float) -> Hands:
    """What a tracker without any error says about the rendered hand whose grip frame is at ``grip``."""
    joints = landmarks(HandState(palm_for_grip(grip.position, grip.rotation), closing))
    camera_from_table = mat_from_pose(pose_inverse(seat.table_from_camera))
    in_camera = joints @ camera_from_table[:3, :3].T + camera_from_table[:3, 3]
    world = in_camera - in_camera.mean(axis=0)
    hand = hand_from_arrays(seat.camera.project(in_camera).tolist(), world.tolist(), "right", 0.97)
    return Hands(time_s, round(time_s / FRAME_S), WIDTH, HEIGHT, (hand,))


def sight_of(match: Match, time_s: float) -> Sight:
    """What a player sees of a match."""
    status = match.status
    die = None if status.die is None else status.die.value
    return Sight(time_s, status.turn, status.phase.name, die, match.facts)


class IdealDemo:
    """The demo's player before an ideal tracker: drives a match without any picture."""

    def __init__(self, match: Match, seed: int = 3) -> None:
        self.match = match
        self.seat = SEATS[match.setup.seat](WIDTH, HEIGHT)
        self.player = DemoPlayer(match.ladders, match.base, hand_habits(self.seat), seed, 4)
        self.frame = 0

    def step(self) -> Outturn:
        """One camera frame: the player looks, moves its hand, and the match goes on."""
        time_s = self.frame * FRAME_S
        self.frame += 1
        aim = self.player.look(sight_of(self.match, time_s))
        hands = ideal_hands(self.seat, aim.grip, aim.closing, time_s)
        return self.match.turn(Intake(time_s, FRAME_TICKS, hands))

    def close(self) -> None:
        self.player.close()


def record_game(
    path: Path, turns: int, setup: MatchSetup | None = None, most_frames: int = 6000
) -> list[dict[str, Any]]:
    """Play so many turns with the ideal demo into a log, closed in order; its verdict lines."""
    setup = setup or setup_for()
    match = Match(setup)
    log = LogWriter(path)
    demo = IdealDemo(match)
    verdicts: list[dict[str, Any]] = []
    try:
        for record in (setup.to_record(), *match.opening.records):
            log.write(record)
        while demo.frame < most_frames and not (len(verdicts) >= turns and match.facts.at_rest):
            for record in demo.step().records:
                log.write(record)
                if record["kind"] == "verdict":
                    verdicts.append(record)
        for record in match.finish().records:
            log.write(record)
    finally:
        log.close()
        demo.close()
        match.close()
    return verdicts


def lines_of(path: Path) -> list[dict[str, Any]]:
    """A log's records."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
