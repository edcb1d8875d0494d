"""The setup of a table (camera, seats, players' hands), and the intake of a frame."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from armoon.camera.profiles import CameraSeat
from armoon.codec import convert, encode
from armoon.geometry import CameraModel
from armoon.hands.landmarks import Hands
from armoon.options.option import list_options, option_field, read_record
from armoon.settings import preferences
from armoon.values.choices import AirRelease, DepthHelp, GripKind, OneHand, SeatName
from armoon.values.pieces import Command, GripIntent
from armoon.values.player_settings import Movement
from armoon.values.poses import Pose, Vec3
from armoon.values.text import short_repr
from armoon.world.physics import describe_build
from armoon.world.process import FactsChange, WorldReplaced

#: A line of the log.
Record = dict[str, Any]


@dataclass(frozen=True)
class Intake:
    """All input to a frame of the loop."""

    now_s: float
    """Time of the camera's clock at the end of the frame."""
    ticks: int
    hands: Hands | None
    """The tracker's result, if there is a new one."""
    commands: tuple[Command, ...] = ()
    """Commands to be handled at the next tick, which may be in a later frame."""
    grips: tuple[GripIntent, ...] = ()
    """Grips from the mouse, keys and other devices, in order."""
    table_from_camera: Pose | None = None
    """New pose of the camera in the table frame; None if unchanged."""
    places: tuple[Pose, ...] | None = None
    """New poses to which the held piece is guided, table frame; None if unchanged."""
    replaced: tuple[WorldReplaced, ...] = ()
    """Replacements of the world's process in this frame; only in a replay."""
    shown: FactsChange | None = None
    """State of the world at the playing table (``armoon.remote``); this table's world isn't stepped."""


#: Maximum absolute value of any number in a header, in any unit.
MAX_NUMBER = 1e6
#: Maximum length of a picture's longer side, in pixels: far more than any camera's.
MAX_SIDE_PX = 1 << 14


@dataclass(frozen=True)
class TableSetup:
    """A table's settings that are fixed before the first tick, without the game's own."""

    program: str
    build: str
    """Build of the physics engine (``world.physics.describe_build``)."""
    seat: SeatName
    mirrored: bool
    camera: CameraModel
    table_from_camera: Pose
    palm_length_m: float = option_field(preferences.PALM_LENGTH)
    grace_s: float | None = option_field(preferences.GRACE)
    """Seconds until the piece held by a lost hand is put back (ruling X2); None: no limit."""
    cropped: bool = False
    grip: GripKind = option_field(preferences.GRIP)
    depth_help: DepthHelp = option_field(preferences.DEPTH_HELP)
    air: AirRelease = option_field(preferences.AIR)
    fine_gain: float = option_field(preferences.FINE_GAIN)
    """Movement of the piece relative to that of a slow hand; 1: no fine mode."""
    palms_m: tuple[float, ...] = ()
    """Palm length by seat, from wrist to middle knuckle; further seats have ``palm_length_m``."""
    movements: tuple[Movement, ...] = ()
    """Movement settings by seat; empty: the defaults."""
    hands: tuple[str, ...] = ()
    """Gripping hand by seat when both are in view: ``"right"``, ``"left"`` or ``"either"``; empty: either."""
    colours: tuple[Vec3, ...] = ()
    """Display colour by seat, for the score board and the result page; empty: none."""
    bots: tuple[str | None, ...] = ()
    """Name of the bot by seat; None or no entry: a person."""
    first_why: str = ""
    """Why the first player begins, as in ``games.shared.FirstPlayer``."""
    one_hand: OneHand = OneHand.WARN
    gestures: bool = True
    turned_rad: float = 0.0
    """Initial rotation of the table (``engine.turntable``)."""
    turns_at_once: bool = False
    """Whether the table turns without an animation."""
    left_handed: bool = option_field(preferences.LEFT_HANDED)
    """Whether the lid lies to the left of the base."""

    def to_record(self) -> Record:
        return dict(encode(self))

    @staticmethod
    def from_record(record: Record) -> TableSetup:
        """Read a record from ``to_record``, ignoring other fields. Raises ValueError, which names the field."""
        names = {field.name for field in fields(TableSetup)}
        values = {name: value for name, value in record.items() if name in names}
        values |= read_record([option for option in preferences.GENERAL if option.name in names], values)
        setup = convert(TableSetup, values)
        if not abs(setup.turned_rad) <= MAX_NUMBER:
            raise ValueError(f"the table's rotation {short_repr(setup.turned_rad)} is out of range")
        check_view(setup.camera, setup.table_from_camera)
        return setup


def collect_setup_options(options: preferences.PlayOptions) -> dict[str, Any]:
    """Return the values of the options that a setup stores, by name."""
    return {option.name: getattr(options, option.name) for option in list_options(TableSetup)}


def make_setup(seat: CameraSeat, program: str, **more: Any) -> TableSetup:
    return TableSetup(
        program=program,
        seat=seat.name,
        mirrored=seat.mirrored,
        camera=seat.camera,
        table_from_camera=seat.table_from_camera,
        build=describe_build(),
        **more,
    )


def check_view(camera: CameraModel, pose: Pose) -> None:
    """Raise ValueError unless camera and pose have plausible numbers."""
    numbers = (
        *(camera.width, camera.height, camera.fx, camera.fy, camera.cx, camera.cy),
        *(*camera.distortion, *pose.position, *pose.rotation),
    )
    for number in numbers:
        if not abs(number) <= MAX_NUMBER:
            raise ValueError(f"{short_repr(number)} is out of range")
    sides = (camera.width, camera.height)
    if min(*sides, camera.fx, camera.fy) <= 0 or max(sides) > MAX_SIDE_PX:
        raise ValueError("the camera's size or focal length is out of range")
