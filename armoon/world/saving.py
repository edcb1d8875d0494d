"""Saves of a structure at rest: poses as plain JSON, checked before anything is built from them.

A save isn't a game: the log is. It serves to load a position, to undo a turn and to copy a world.
"""

from __future__ import annotations

import json
import math
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armoon.errors import WorldError
from armoon.values.facts import Facts
from armoon.values.pieces import LadderSet, PieceId
from armoon.values.poses import Pose
from armoon.world.checks import check_standing
from armoon.world.structures.copying import standing_of

FORMAT = "armoon structure"
VERSION = 1


@dataclass(frozen=True)
class Save:
    """Where every ladder in play stood at rest."""

    ladder_seed: int
    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Name, pose, and whether it stands fixed in its slot: what ``LocalWorld.rebuild`` takes."""


def save_of(ladders: LadderSet, facts: Facts) -> Save:
    """The save of a world at rest; WorldError while anything moves."""
    if not facts.at_rest:
        raise WorldError(
            "The structure still moves, so it can't be saved.", remedy="Wait until it is at rest."
        )
    return Save(ladders.seed, tuple(standing_of(facts)))


def write_save(path: Path, save: Save) -> None:
    """Write a save; an older one stays whole until the new one is."""
    body = _body(save)
    record = {"format": FORMAT, "version": VERSION, "crc32": _checksum(body), **body}
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        os.replace(beside, path)
    except OSError as error:
        raise WorldError(
            f"The save {path} can't be written ({error.strerror}).",
            remedy="Choose a folder that can be written to.",
        ) from error


def read_save(path: Path, ladders: LadderSet) -> Save:
    """Read a save of this set of ladders.

    WorldError, in one sentence, for a file that can't be read, is cut short or damaged, is of another version
    or another set, or places a ladder where none can be.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _refusal(path, f"can't be read ({error.strerror})") from error
    except ValueError as error:
        raise _refusal(path, "is cut short or no save") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise _refusal(path, "is no save of a structure")
    if record.get("version") != VERSION:
        raise _refusal(path, f"is of version {record.get('version')!r}, not {VERSION}")
    try:
        save = _save_from(record)
    except (KeyError, TypeError, ValueError) as error:
        raise _refusal(path, "lacks something or holds something else than numbers") from error
    if record.get("crc32") != _checksum(_body(save)):
        raise _refusal(path, "is damaged: its checksum is wrong")
    if save.ladder_seed != ladders.seed:
        raise _refusal(path, "is of another set of ladders")
    check_standing(save.standing, {ladder.piece for ladder in ladders.ladders})
    return save


def _body(save: Save) -> dict[str, Any]:
    rows = [
        {"piece": name, "position": list(pose.position), "rotation": list(pose.rotation), "fixed": fixed}
        for name, pose, fixed in save.standing
    ]
    return {"ladder_seed": save.ladder_seed, "standing": rows}


def _save_from(record: dict[str, Any]) -> Save:
    standing = []
    for row in record["standing"]:
        x, y, z = (_number(value) for value in row["position"])
        qx, qy, qz, qw = (_number(value) for value in row["rotation"])
        if not isinstance(row["piece"], str) or not isinstance(row["fixed"], bool):
            raise TypeError("a name or a truth value")
        standing.append((row["piece"], Pose((x, y, z), (qx, qy, qz, qw)), row["fixed"]))
    return Save(int(record["ladder_seed"]), tuple(standing))


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no number")
    return float(value)


def _checksum(body: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(body, sort_keys=True).encode())


def _refusal(path: Path, what: str) -> WorldError:
    return WorldError(f"The save {path} {what}.", remedy="Nothing was loaded; choose another save.")
