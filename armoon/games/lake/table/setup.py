"""What a lake match starts from: enough, with its intakes, to play it again bit for bit; the log's header."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from armoon.errors import LogError
from armoon.games.lake.rules.codec import move_from_plain, move_to_plain, setup_from_plain, setup_to_plain
from armoon.games.lake.rules.game import replay
from armoon.games.lake.rules.moves import Move
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import IllegalMove
from armoon.geometry import CameraModel
from armoon.hands.grips.reading import READING, known_reading
from armoon.values.poses import Pose

GAME = "lake"
#: How a hand may take and let go (``armoon.hands.grips.kinds``).
GRIPS = ("pinch", "fist", "dwell")


@dataclass(frozen=True)
class LakeSetup:
    """Everything that is settled before the first tick."""

    version: str
    """The program's version that wrote it."""
    first: State
    """The position before the first colour is chosen."""
    seat: str
    mirrored: bool
    camera: CameraModel
    table_from_camera: Pose
    palm_length_m: float
    bots: tuple[str | None, ...] = ()
    """By seat, the strength of the bot that plays it by itself; None, or nothing, where a hand does."""
    grace_s: float | None = 2.0
    """What is held waits so long for a hand out of sight, then it flies home; None: for ever (ruling X2)."""
    grip: str = "pinch"
    """How a hand takes and lets go: ``"pinch"``, ``"fist"`` or ``"dwell"``."""
    hands: tuple[str, ...] = ()
    """Of two hands in view each seat's ``"right"`` or ``"left"`` one grips; ``"either"``, or none: any."""
    first_why: str = ""
    """Why the first to choose is that one (``rules.seating.Beginner``); empty: nothing is said."""
    reading: int = READING
    """How grips are read (``armoon.hands.grips.reading``)."""
    moves: tuple[Move, ...] = ()
    """What was played before, where a saved game goes on."""

    def start(self) -> State:
        """The position at the first tick. Raises IllegalMove where the moves don't go together."""
        return replay(self.first, self.moves)

    def to_record(self) -> dict[str, Any]:
        """The header line of a log."""
        return {
            "kind": "header",
            "game": GAME,
            "version": self.version,
            "seat": self.seat,
            "mirrored": self.mirrored,
            "camera": asdict(self.camera),
            "table_from_camera": asdict(self.table_from_camera),
            "palm_length_m": self.palm_length_m,
            "bots": list(self.bots),
            "grace_s": self.grace_s,
            "grip": self.grip,
            "hands": list(self.hands),
            "first_why": self.first_why,
            "reading": self.reading,
            "rules": setup_to_plain(self.first),
            "moves": [move_to_plain(move) for move in self.moves],
        }

    @staticmethod
    def from_record(record: dict[str, Any]) -> LakeSetup:
        """The set-up of a header line. Raises LogError when it lacks something or is of another game."""
        try:
            if record["game"] != GAME:
                raise ValueError(f"the game {record['game']!r}")
            camera, pose = record["camera"], record["table_from_camera"]
            bots = tuple(None if bot is None else str(bot) for bot in record["bots"])
            setup = LakeSetup(
                version=str(record["version"]),
                first=setup_from_plain(record["rules"]),
                seat=str(record["seat"]),
                mirrored=bool(record["mirrored"]),
                camera=CameraModel(**{**camera, "distortion": tuple(camera["distortion"])}),
                table_from_camera=Pose(tuple(pose["position"]), tuple(pose["rotation"])),
                palm_length_m=float(record["palm_length_m"]),
                bots=bots,
                grace_s=None if record["grace_s"] is None else float(record["grace_s"]),
                grip=str(record["grip"]),
                # The earliest logs lack these.
                hands=tuple(str(hand) for hand in record.get("hands", ())),
                first_why=str(record.get("first_why", "")),
                reading=known_reading(record.get("reading", 1)),
                moves=tuple(move_from_plain(plain) for plain in record["moves"]),
            )
            if setup.grip not in GRIPS:
                raise ValueError(f"the grip {setup.grip!r}")
            setup.start()
        except (KeyError, TypeError, ValueError, OverflowError, IllegalMove) as error:
            raise LogError(
                f"The log's header can't be used ({error}).",
                remedy="Replay it with the version of armoon that wrote it.",
            ) from error
        return setup
