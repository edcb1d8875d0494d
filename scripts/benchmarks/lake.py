"""The lake played through the rendered camera: a bot's moves by a rendered hand, seen by the real tracker.

For each seat one whole game of two: how many moves were made, how many grips slipped (they took or let go of what
the player didn't mean), and in how many frames no hand was found.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from armoon import __version__
from armoon.camera.seat import SEATS, Seat
from armoon.clock import TICKS_PER_SECOND
from armoon.engine.events import Output
from armoon.engine.intake import Intake
from armoon.engine.setup import table_at
from armoon.games.lake.play import LakeGame
from armoon.games.lake.player import LakePlayer
from armoon.games.lake.rules.game import initial
from armoon.games.lake.rules.moves import MOVE_KINDS
from armoon.games.lake.rules.strength import Strength
from armoon.games.lake.table.events import FlewHome, Refused
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.setup import LakeSetup
from armoon.hands.tracking.tracker import HandTracker, play_region
from armoon.players.demo import hand_habits
from armoon.synthetic_camera.anatomy import HandState, palm_for_grip
from armoon.synthetic_camera.look import StageLook
from armoon.synthetic_camera.rendered_camera import RenderedCamera

WIDTH, HEIGHT, RATE_HZ = 640, 360, 30
FRAME_TICKS = TICKS_PER_SECOND // RATE_HZ
SEED = 3
#: A whole game takes 3,600 to 3,900 frames.
MOST_FRAMES = 9000


@dataclass(frozen=True)
class LakeFigures:
    """How a game through the camera went."""

    seat: str
    frames: int
    moves: int
    slips: int
    """Grips that were refused, and floors that flew home."""
    frames_without_hand: int
    over: bool


def lake_match(seat: Seat, names: tuple[str, ...], seed: int) -> LakeMatch:
    """Return a new game at a seat."""
    return LakeMatch(table_at(seat, __version__), LakeSetup(initial(names, seed)))


class LakeThroughCamera:
    """Player, hand, rendered camera, tracker and game, frame by frame."""

    def __init__(self, seat: Seat, names: tuple[str, ...], seed: int) -> None:
        """Seconds. Raises DisplayError without OpenGL, TrackerError without mediapipe."""
        self.game = LakeGame(lake_match(seat, names, seed))
        self.figures = LakeFigures(seat.name, 0, 0, 0, 0, False)
        self._player = LakePlayer(hand_habits(seat), (Strength.WEAK,))
        look = StageLook(seed=seed)
        self._camera = RenderedCamera(seat.camera, seat.table_from_camera, look)
        region = play_region(seat.camera, seat.table_from_camera)
        self._tracker = HandTracker(watch_second_hand=False, region=region)

    def step(self) -> Output:
        """One frame."""
        frame = self.figures.frames
        time_s = frame / RATE_HZ
        aim = self._player.look(self.game.sight(time_s))
        hand = HandState(palm_for_grip(aim.grip.position, aim.grip.rotation), aim.closing)
        hands = self._tracker.track(self._camera.render([hand]), time_s, frame)
        out = self.game.advance(Intake(time_s, FRAME_TICKS, hands))
        self.figures = replace(
            self.figures,
            frames=frame + 1,
            moves=self.figures.moves + len(out.of(*MOVE_KINDS)),
            slips=self.figures.slips + len(out.of(FlewHome, Refused)),
            frames_without_hand=self.figures.frames_without_hand + (not hands.hands),
            over=self.game.match.over,
        )
        return out

    def close(self) -> None:
        """Give camera and tracker back."""
        self._tracker.close()
        self._camera.close()
        self.game.close()


def play_through_camera(
    seat: str, most_frames: int = MOST_FRAMES, say: Callable[[str], object] = print
) -> LakeFigures:
    """Return a game of two at a seat, told move by move."""
    made = LakeThroughCamera(SEATS[seat](WIDTH, HEIGHT), ("Ann", "Ben"), SEED)
    try:
        while made.figures.frames < most_frames and not made.game.match.over:
            for sentence in made.game.sentences(made.step()):
                say(f"{made.figures.frames:5} {sentence}")
        return made.figures
    finally:
        made.close()


def run(json_path: Path | None) -> int:
    """Play at both seats and print the table; 1 if a game didn't come to its end."""
    console = Console()
    rows = [play_through_camera(seat, say=console.print) for seat in sorted(SEATS)]
    table = Table(title="The lake through camera and tracker")
    for heading in ("seat", "frames", "moves", "slips", "frames without a hand", "over"):
        table.add_column(heading)
    for row in rows:
        table.add_row(*(str(value) for value in asdict(row).values()))
    console.print(table)
    if json_path is not None:
        json_path.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")
    return 0 if all(row.over for row in rows) else 1
