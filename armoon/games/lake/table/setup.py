"""What a lake match starts from: enough, with its intakes, to play it again bit for bit; the log's header."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from armoon.errors import LogError
from armoon.games.lake.bots.strength import Strength
from armoon.games.lake.options import LakeOptions
from armoon.games.lake.rules.codec import move_from_plain, move_to_plain, setup_from_plain, setup_to_plain
from armoon.games.lake.rules.game import replay
from armoon.games.lake.rules.moves import Move
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import IllegalMove
from armoon.geometry import CameraModel
from armoon.settings.option import read_record
from armoon.settings.table import GENERAL
from armoon.values.choices import GripKind
from armoon.values.poses import Pose

GAME = "lake"


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
    bots: tuple[Strength | None, ...] = ()
    """By seat, the strength of the bot that plays it by itself; None, or nothing, where a hand does."""
    grace_s: float | None = 2.0
    """What is held waits so long for a hand out of sight, then it flies home; None: for ever (ruling X2)."""
    grip: GripKind = GripKind.PINCH
    hands: tuple[str, ...] = ()
    """Of two hands in view each seat's ``"right"`` or ``"left"`` one grips; ``"either"``, or none: any."""
    first_why: str = ""
    """Why the first to choose is that one (``rules.seating.Beginner``); empty: nothing is said."""
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
            read = read_record((*GENERAL, *LakeOptions.options()), record)
            setup = LakeSetup(
                version=str(record["version"]),
                first=setup_from_plain(record["rules"]),
                seat=read["seat"],
                mirrored=bool(record["mirrored"]),
                camera=CameraModel(**{**camera, "distortion": tuple(camera["distortion"])}),
                table_from_camera=Pose(tuple(pose["position"]), tuple(pose["rotation"])),
                palm_length_m=read["palm_length_m"],
                bots=read["bots"],
                grace_s=read["grace_s"],
                grip=read["grip"],
                # The earliest logs lack these two.
                hands=tuple(str(hand) for hand in record.get("hands", ())),
                first_why=str(record.get("first_why", "")),
                moves=tuple(move_from_plain(plain) for plain in record["moves"]),
            )
            setup.start()
        except (KeyError, TypeError, ValueError, OverflowError, IllegalMove) as error:
            raise LogError(
                f"The log's header can't be used ({error}).",
                remedy="Replay it with the version of armoon that wrote it.",
            ) from error
        return setup
