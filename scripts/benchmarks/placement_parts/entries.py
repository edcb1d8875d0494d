"""Programs of others in the benchmark: a tracker, a grip or a player that answers a line of JSON with a line of JSON.

docs/benchmark.md has the protocol for whoever writes one; this is our side of it.
"""

from __future__ import annotations

import base64
import json
import selectors
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import cv2
import numpy as np

from armoon.camera.frame import Image
from armoon.camera.seat import Seat
from armoon.codec import MalformedError, convert, decode_json, parse
from armoon.errors import SettingsError
from armoon.geometry import pose_apply, pose_compose, project_table_points, vec3
from armoon.hands.tracking.landmarks import Hands, Side, hand_from_arrays, hands_to_dict
from armoon.players.sight import Habits
from armoon.values.acts import Act
from armoon.values.facts import Facts, PieceStatus
from armoon.values.intents import Command, GripIntent, GripPhase
from armoon.values.pieces import BASE, TABLE, Ladder, LadderSet, PieceId
from armoon.values.poses import Pose, Quat, Vec2, Vec3
from armoon.view.marks.inset import inset_per_metre
from benchmarks.placement_parts.eye import SHOWN_HEIGHT_PX, turned
from benchmarks.placement_parts.hand import Doing
from benchmarks.placement_parts.sight import Faint

Track = Literal["tracker", "grip", "player"]
PROTOCOL = "armoon-placement-entry/1"
#: Maximum time for a program's first answer, as it starts, and for every other, in seconds.
STARTS_S, ANSWERS_S = 60.0, 10.0
#: A player's hand goes no faster, and turns no faster.
MOST_M_S, MOST_RAD_S = 1.0, 3.0
#: Nor farther from the table's middle: well before the camera.
REACH_M = 0.40
#: What a player may press, one key a frame: with how far.
KEYS: Mapping[str, Act] = {"side": Act.TIP, "tilt": Act.TILT, "turn": Act.TURN, "park": Act.PARK}
SOURCE = "entry"


@dataclass(frozen=True)
class Entry:
    """The file with which somebody enters."""

    name: str
    track: Track
    command: tuple[str, ...]
    """The program and its arguments; it runs in the file's folder."""
    by: str = ""
    protocol: str = PROTOCOL

    def __post_init__(self) -> None:
        if not self.command or self.protocol != PROTOCOL:
            raise ValueError(f"an entry has a command, and the protocol {PROTOCOL}")


@dataclass(frozen=True)
class _Hand:
    points: tuple[Vec2, ...]
    world: tuple[Vec3, ...]
    side: Side = "right"
    score: float = 1.0


@dataclass(frozen=True)
class _Tracked:
    hands: tuple[_Hand, ...] = ()


@dataclass(frozen=True)
class _Gripped:
    phase: GripPhase | None = None
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: Quat = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class _Moved:
    move_m: Vec3 = (0.0, 0.0, 0.0)
    turn_rad: Vec3 = (0.0, 0.0, 0.0)
    closing: float = 0.0
    key: tuple[str, int] | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.closing <= 1.0:
            raise ValueError("`closing` is between 0 and 1")
        if self.key is not None and self.key[0] not in KEYS:
            raise ValueError(f"there is no key {self.key[0]!r}, only {', '.join(KEYS)}")


def read_entry(path: Path) -> Entry:
    """Return the entry of a file. SettingsError where it isn't one."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingsError(
            f"The entry {path} can't be read.", remedy="Name the file with --entry FILE."
        ) from error
    return decode_json(
        Entry,
        content,
        f"The entry {path.name} is broken",
        "docs/benchmark.md shows one.",
        error=SettingsError,
    )


class Program:
    """A running entry; close it."""

    def __init__(self, entry: Entry, folder: Path) -> None:
        """Start it. SettingsError where that can't be done."""
        self.entry = entry
        self._waits_s = STARTS_S
        self._buffer = b""
        try:
            self._process = subprocess.Popen(
                entry.command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise SettingsError(
                f"The entry's program {entry.command[0]!r} can't be started.", remedy="Correct its command."
            ) from error
        assert self._process.stdout is not None
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ)

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End it."""
        self._selector.close()
        self._process.kill()
        self._process.communicate()

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a message. SettingsError where none comes, or it is no line of JSON."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
            answer = parse(self._line())
        except (OSError, MalformedError) as error:
            raise self._wrong("gave no line of JSON") from error
        if not isinstance(answer, dict):
            raise self._wrong("answered with something else than an object")
        return answer

    def read(self, kind: type[Any], message: Mapping[str, Any]) -> Any:
        """Return the answer to a message as a value. SettingsError where it has another shape."""
        try:
            return convert(kind, self.ask(message))
        except MalformedError as error:
            raise self._wrong(f"answered wrongly ({error})") from error

    def _line(self) -> bytes:
        until = time.monotonic() + self._waits_s
        assert self._process.stdout is not None
        while b"\n" not in self._buffer:
            if not self._selector.select(max(0.0, until - time.monotonic())):
                raise self._wrong(f"took more than {self._waits_s:.0f} s")
            # The pipe is unbuffered enough: what is there is read at once.
            part = self._process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
            if not part:
                raise self._wrong("ended")
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        self._waits_s = ANSWERS_S
        return line

    def _wrong(self, what: str) -> SettingsError:
        return SettingsError(
            f"The entry {self.entry.name!r} {what}.", remedy="docs/benchmark.md has the protocol."
        )


def begin(program: Program, seat_name: str, seat: Seat, rate_hz: float) -> None:
    """Tell a program that a trial begins; nothing of the table is told."""
    camera = seat.camera
    program.ask(
        {
            "kind": "begin",
            "protocol": PROTOCOL,
            "track": program.entry.track,
            "seat": seat_name,
            "rate_hz": rate_hz,
            "camera": {name: getattr(camera, name) for name in ("width", "height", "fx", "fy", "cx", "cy")},
            "table_from_camera": [*seat.table_from_camera.position, *seat.table_from_camera.rotation],
        }
    )


class EnteredTracker:
    """Stands where ``HandTracker`` stands."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def track(self, picture: Image, time_s: float, frame_index: int) -> Hands:
        """Return what the program makes of a picture."""
        height, width = picture.shape[:2]
        _, png = cv2.imencode(".png", picture)
        message = {
            "kind": "frame",
            "time_s": time_s,
            "frame": frame_index,
            "picture": base64.b64encode(png.tobytes()).decode(),
        }
        tracked: _Tracked = self._program.read(_Tracked, message)
        try:
            hands = tuple(hand_from_arrays(h.points, h.world, h.side, h.score) for h in tracked.hands)
        except ValueError as error:
            raise SettingsError(
                f"The entry {self._program.entry.name!r} answered wrongly ({error}).",
                remedy="docs/benchmark.md has the protocol.",
            ) from error
        return Hands(time_s, frame_index, width, height, hands)


def entered_grip(program: Program, hands: Hands, seat: Seat, offered: Vec3 | None) -> tuple[GripIntent, ...]:
    """Return the grip that a program reads from landmarks."""
    message = {"kind": "frame", **hands_to_dict(hands), "offered": offered}
    grip: _Gripped = program.read(_Gripped, message)
    if grip.phase is None:
        return ()
    eye = np.array(seat.table_from_camera.position)
    line = np.array(grip.position) - eye
    axis = vec3(line / max(1e-9, float(np.linalg.norm(line))))
    closed = grip.phase in (GripPhase.GRAB, GripPhase.HOLD)
    pose = Pose(grip.position, grip.rotation)
    return (GripIntent(hands.time_s, SOURCE, grip.phase, pose, axis, closing=float(closed)),)


class EnteredPlayer:
    """Stands where ``PlacingHand`` stands: its program is shown what a screen shows, and moves the hand."""

    tries = 1
    turned = False

    def __init__(
        self,
        program: Program,
        seat: Seat,
        ladders: LadderSet,
        piece: PieceId,
        goal: Pose,
        wanted: tuple[PieceId, ...],
        habits: Habits,
        ghost: Callable[[], Faint],
    ) -> None:
        self.closing = 0.0
        self.pose = Pose(habits.rest.position, habits.reach_rotation.rotation)
        self.doing = Doing.REACHING
        self._program, self._seat, self._ladders, self._piece = program, seat, ladders, piece
        self._goal, self._wanted, self._ghost = goal, wanted, ghost
        self._opens = False

    @property
    def carries(self) -> bool:
        """Whether it means to hold and hasn't begun to open."""
        return self.closing > 0.5 and not self._opens

    def move(self, facts: Facts, home_from_table: Pose, time_s: float, dt_s: float) -> tuple[Command, ...]:
        """One frame."""
        moved: _Moved = self._program.read(_Moved, self._shown(facts, home_from_table, time_s))
        step = _limited(moved.move_m, MOST_M_S * dt_s)
        turn = _limited(moved.turn_rad, MOST_RAD_S * dt_s)
        x, y, z = self.pose.position
        reached = _limited((x + step[0], y + step[1], z + step[2]), REACH_M)
        self.pose = Pose(reached, turned(self.pose.rotation, turn))
        if moved.closing != self.closing:
            self._opens = moved.closing < self.closing
        self.closing = moved.closing
        if moved.key is None:
            return ()
        act = KEYS[moved.key[0]]
        self.turned = self.turned or act is Act.TURN
        return (Command(act, value=moved.key[1]),)

    def _shown(self, facts: Facts, home: Pose, time_s: float) -> dict[str, Any]:
        """Return what is drawn, in pixels of a picture 720 high; no depth but the side view's."""
        per_metre = SHOWN_HEIGHT_PX / self._seat.camera.height
        standing = [p for p in facts.pieces if p.status in (PieceStatus.FREE, PieceStatus.FIXED)]
        top_m = max((p.highest_m for p in standing), default=0.0)
        here = pose_compose(home, facts[self._piece].pose)
        side = inset_per_metre(SHOWN_HEIGHT_PX, top_m, here.position[2])

        def drawn(points: list[Vec3]) -> list[list[float]]:
            seen = project_table_points(self._seat.camera, self._seat.table_from_camera, points)
            return [
                [round(per_metre * float(x), 1), round(per_metre * float(y), 1)] for x, y in np.asarray(seen)
            ]

        def both(ladder: Ladder, pose: Pose) -> dict[str, Any]:
            ends = [pose_apply(pose, end) for rail in ladder.rails for end in (rail[0], rail[-1])]
            beside = [[round(side * y, 1), round(-side * z, 1)] for _, y, z in ends]
            return {"main": drawn(ends), "side": beside}

        own = self._ladders[self._piece]
        x, y, _ = here.position
        touched = [name for name in facts.touching(self._piece) if name not in (BASE, TABLE)]
        ghost = self._ghost()
        return {
            "kind": "frame",
            "time_s": time_s,
            "ladder": both(own, here),
            "goal": both(own, pose_compose(home, self._goal)),
            "structure": {
                p.piece: both(self._ladders[p.piece], pose_compose(home, p.pose)) for p in standing
            },
            "foot": drawn([(x, y, 0.0)])[0],
            "fingers": drawn([self.pose.position])[0],
            "held": facts.held is not None,
            "glows": touched,
            "ghost": list(ghost.touched),
            "fate": None if ghost.fate is None else ghost.fate.value,
            "wanted": list(self._wanted),
        }


def _limited(vector: Vec3, most: float) -> Vec3:
    length = float(np.linalg.norm(vector))
    return vector if length <= most else vec3(np.array(vector) * (most / length))
