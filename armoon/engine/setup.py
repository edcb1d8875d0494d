"""The set-up of one table for any game: the seats and views of players, and how hands are read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from armoon.camera.profiles import CameraSeat
from armoon.codec import convert, encode
from armoon.geometry import CameraModel
from armoon.hands.landmarks import Hands
from armoon.options.option import options_of, read_record, shared
from armoon.settings import preferences
from armoon.values.choices import Air, DepthHelp, GripKind, OneHand, SeatName
from armoon.values.pieces import Command, GripIntent
from armoon.values.player_settings import Movement
from armoon.values.poses import Pose, Vec3
from armoon.values.text import repr_of
from armoon.world.physics import build
from armoon.world.process import FactsChange, Replaced

#: A line of the log.
Record = dict[str, Any]


@dataclass(frozen=True)
class Intake:
    """Everything that comes into one frame of the loop."""

    now_s: float
    """The camera's clock at the end of this frame."""
    ticks: int
    hands: Hands | None
    """A tracker's result that wasn't seen before, if there is one."""
    commands: tuple[Command, ...] = ()
    """Each is heard at the next tick; where none is due in this frame, at the first of a later one."""
    grips: tuple[GripIntent, ...] = ()
    """Of mouse, keys or another device, in their order."""
    table_from_camera: Pose | None = None
    """Where the table is from now on; None: where it was."""
    places: tuple[Pose, ...] | None = None
    """Where the held piece is set down if it is released near, from now on, table frame; None: as before."""
    replaced: tuple[Replaced, ...] = ()
    """In a replay: how the world's process was replaced in this frame."""
    shown: FactsChange | None = None
    """How another table's world stands after this frame's tick; this one's isn't stepped."""


#: Maximum of any number in a header: pixels, metres, seconds, parts of a quaternion, distortion.
LARGEST_NUMBER = 1e6
#: Maximum of a picture's longer side, pixels: far beyond any camera.
LARGEST_SIDE_PX = 1 << 14


@dataclass(frozen=True)
class TableSetup:
    """Everything about a table that is settled before the first tick, but for the game itself."""

    program: str
    build: str
    """On which build of the engine the ladders moved (``world.physics.build``)."""
    seat: SeatName
    mirrored: bool
    camera: CameraModel
    table_from_camera: Pose
    palm_length_m: float = shared(preferences.PALM_LENGTH)
    grace_s: float | None = shared(preferences.GRACE)
    """Seconds for which the held piece waits for a hand out of sight before it is put back.

    None: no limit (ruling X2).
    """
    cropped: bool = False
    grip: GripKind = shared(preferences.GRIP)
    depth_help: DepthHelp = shared(preferences.DEPTH_HELP)
    air: Air = shared(preferences.AIR)
    fine_gain: float = shared(preferences.FINE_GAIN)
    """How much of a slow hand's way counts; 1: no fine mode."""
    palms_m: tuple[float, ...] = ()
    """Each seat's palm, from wrist to middle knuckle, where it was measured; else ``palm_length_m`` holds."""
    movements: tuple[Movement, ...] = ()
    """How each seat's hand is followed; none: all as usual."""
    hands: tuple[str, ...] = ()
    """Of two hands in view each seat's ``"right"`` or ``"left"`` one grips; ``"either"``, or none: any."""
    colours: tuple[Vec3, ...] = ()
    """Each seat's colour (display colours), for score board and result; none: names alone tell who is who."""
    bots: tuple[str | None, ...] = ()
    """By seat, which bot plays it by itself, in its game's words; None, or nothing, where a hand does."""
    first_why: str = ""
    """Why the first player is that one (``games.shared.seating.Beginner``); empty: nothing is said."""
    one_hand: OneHand = OneHand.WARN
    gestures: bool = True
    turned_rad: float = 0.0
    """How far the table is turned to begin with (``engine.turntable``)."""
    turns_at_once: bool = False
    """A table that is turned jumps."""
    left_handed: bool = shared(preferences.LEFT_HANDED)
    """The lid lies at the other side of the base."""

    def to_record(self) -> Record:
        return dict(encode(self))

    @staticmethod
    def from_record(record: Record) -> TableSetup:
        """Read a record of ``to_record``, ignoring other fields. Raises ValueError, which names the field."""
        known = {field.name for field in fields(TableSetup)}
        values = {name: value for name, value in record.items() if name in known}
        # The options among them as every door reads them; WrongValue names the option.
        values |= read_record([one for one in preferences.GENERAL if one.name in known], values)
        setup = convert(TableSetup, values)
        if not abs(setup.turned_rad) <= LARGEST_NUMBER:
            raise ValueError(f"a table turned by {repr_of(setup.turned_rad)}")
        check_view(setup.camera, setup.table_from_camera)
        return setup


def kept_of(options: preferences.PlayOptions) -> dict[str, Any]:
    """Return the options that a set-up keeps, by name; the seat alone is the camera's to say."""
    return {one.name: getattr(options, one.name) for one in options_of(TableSetup)}


def table_at(seat: CameraSeat, program: str, **more: Any) -> TableSetup:
    return TableSetup(
        program=program,
        seat=seat.name,
        mirrored=seat.mirrored,
        camera=seat.camera,
        table_from_camera=seat.table_from_camera,
        build=build(),
        **more,
    )


def check_view(camera: CameraModel, pose: Pose) -> None:
    """Raise ValueError unless a picture can come from a camera with these numbers."""
    numbers = (
        *(camera.width, camera.height, camera.fx, camera.fy, camera.cx, camera.cy),
        *(*camera.distortion, *pose.position, *pose.rotation),
    )
    for number in numbers:
        if not abs(number) <= LARGEST_NUMBER:
            raise ValueError(f"{repr_of(number)} is out of the question")
    sides = (camera.width, camera.height)
    if min(*sides, camera.fx, camera.fy) <= 0 or max(sides) > LARGEST_SIDE_PX:
        raise ValueError("no camera sees like this")
