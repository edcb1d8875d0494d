"""What a match starts from: enough, with its intakes, to play it again bit for bit; the log's header."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from armoon.errors import LogError
from armoon.games.moon.rules.codec import options_from_plain, options_to_plain
from armoon.games.moon.rules.editions import Options
from armoon.games.moon.saving import Start
from armoon.geometry import CameraModel
from armoon.hands.grips.reading import READING, known_reading
from armoon.values.poses import Pose, Vec3

#: The 30 ladders are the same in every game, as in a box; they were generated from this seed.
LADDER_SEED = 7


@dataclass(frozen=True)
class MatchSetup:
    """Everything that is settled before the first roll."""

    version: str
    """The program's version that wrote it."""
    seed: int
    edition: str
    players: tuple[str, ...]
    seat: str
    mirrored: bool
    camera: CameraModel
    table_from_camera: Pose
    palm_length_m: float
    auto_roll_s: float | None
    """The die rolls by itself when the table has been at rest this long; None: only when asked to."""
    slots: str = "facing"
    """In which configuration the starting ladders stand (ruling M2)."""
    ladder_seed: int = LADDER_SEED
    options: Options = field(default_factory=Options)
    """The house options."""
    first_player: int = 0
    """The seat that begins (ruling M3)."""
    first_why: str = ""
    """Why (``rules.seating.Beginner``), to be said before the first roll; empty: nothing is said."""
    grace_s: float | None = 2.0
    """A held ladder waits so long for a hand out of sight, then it is back in the lid; None: for ever (X2)."""
    cropped: bool = False
    """The tracker looks at the part of the picture where the game is played."""
    grip: str = "pinch"
    """How a hand takes and lets go: ``"pinch"``, ``"fist"`` or ``"dwell"``."""
    depth_help: str = "share"
    """How the hand's depth moves the ladder: ``"share"``, ``"push"`` or ``"lock"``."""
    fine_gain: float = 1.0
    """How much of a slow hand's way counts; 1: no fine mode."""
    palms_m: tuple[float, ...] = ()
    """Each seat's palm, from wrist to middle knuckle, where it was measured; else ``palm_length_m`` holds."""
    hands: tuple[str, ...] = ()
    """Of two hands in view each seat's ``"right"`` or ``"left"`` one grips; ``"either"``, or none: any."""
    colours: tuple[Vec3, ...] = ()
    """Each seat's colour (display colours), for score board and result; none: names alone tell who is who."""
    reading: int = READING
    """How grips are read (``armoon.hands.grips.reading``)."""
    start: Start | None = None
    """Where a resumed game goes on; None: before the first roll."""

    def to_record(self) -> dict[str, Any]:
        """The header line of a log."""
        own = asdict(replace(self, start=None))
        start = None if self.start is None else self.start.to_record()
        options = options_to_plain(self.options)
        return {"kind": "header", "game": "moon", **own, "options": options, "start": start}

    @staticmethod
    def from_record(record: dict[str, Any]) -> MatchSetup:
        """The set-up of a header line. Raises LogError when it lacks something or is of another game."""
        try:
            if record["game"] != "moon":
                raise ValueError(f"the game {record['game']!r}")
            camera = record["camera"]
            pose = record["table_from_camera"]
            return MatchSetup(
                version=str(record["version"]),
                seed=int(record["seed"]),
                edition=str(record["edition"]),
                players=tuple(str(p) for p in record["players"]),
                seat=str(record["seat"]),
                mirrored=bool(record["mirrored"]),
                camera=CameraModel(**{**camera, "distortion": tuple(camera["distortion"])}),
                table_from_camera=Pose(tuple(pose["position"]), tuple(pose["rotation"])),
                palm_length_m=float(record["palm_length_m"]),
                auto_roll_s=record["auto_roll_s"],
                slots=str(record["slots"]),
                ladder_seed=int(record["ladder_seed"]),
                options=options_from_plain(record["options"]),
                first_player=int(record["first_player"]),
                first_why=str(record.get("first_why", "")),
                grace_s=None if record["grace_s"] is None else float(record["grace_s"]),
                cropped=bool(record["cropped"]),
                grip=str(record["grip"]),
                depth_help=str(record["depth_help"]),
                fine_gain=float(record["fine_gain"]),
                palms_m=tuple(float(p) for p in record["palms_m"]),
                # The earliest logs and saves lack these, and ``first_why``.
                hands=tuple(str(hand) for hand in record.get("hands", ())),
                colours=tuple(_colour(row) for row in record.get("colours", ())),
                reading=known_reading(record.get("reading", 1)),
                start=None if record["start"] is None else Start.from_record(record["start"]),
            )
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise LogError(
                f"The log's header can't be used ({error}).",
                remedy="Replay it with the version of armoon that wrote it.",
            ) from error


def _colour(row: Any) -> Vec3:
    red, green, blue = (float(part) for part in row)
    return (red, green, blue)
