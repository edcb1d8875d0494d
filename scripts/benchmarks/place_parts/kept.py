"""What the benchmark of places has measured so far, in its JSON file: a run that was cut off goes on from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from armoon.codec import MalformedError, convert, encode, encode_json, parse
from armoon.errors import SettingsError
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose
from benchmarks.place_parts.figures import Case, to_plain

Rows = tuple[tuple[PieceId, Pose, bool], ...]


@dataclass(frozen=True)
class Grown:
    """A structure that was grown for the measurement."""

    seed: int
    standing: Rows


@dataclass(frozen=True)
class Kept:
    """All that was grown and measured."""

    seconds: float
    """Seconds for which every case was searched and dropped at random."""
    structures: tuple[Grown, ...] = ()
    cases: tuple[Case, ...] = ()

    def grown(self, seed: int) -> Mapping[int, Rows]:
        """Return the structures of a seed, by their sizes."""
        return {len(one.standing): one.standing for one in self.structures if one.seed == seed}

    def has(self, seed: int, ladders: int, die: str) -> bool:
        """Whether a case was measured."""
        return any((one.seed, one.ladders, one.die) == (seed, ladders, die) for one in self.cases)

    def with_structure(self, seed: int, standing: Rows) -> Kept:
        """Return the same with one structure more; one that is there stays."""
        if len(standing) in self.grown(seed):
            return self
        return replace(self, structures=(*self.structures, Grown(seed, standing)))

    def with_case(self, case: Case) -> Kept:
        """Return the same with one case more."""
        return replace(self, cases=(*self.cases, case))


def read(path: Path, seconds: float) -> Kept:
    """Read kept figures. SettingsError for another kind of file, or one measured for another time."""
    try:
        plain = parse(path.read_bytes())
        kept = convert(Kept, plain["kept"] if isinstance(plain, dict) else plain)
    except (OSError, KeyError, MalformedError) as error:
        raise SettingsError(
            f"{path} holds no measurement of places that could go on.", remedy="Name another file."
        ) from error
    if kept.seconds != seconds:
        raise SettingsError(
            f"{path} was measured for {kept.seconds:g} s a case, not {seconds:g} s.",
            remedy="Name another file.",
        )
    return kept


def write(path: Path, kept: Kept) -> None:
    """Write the figures, and all that a run needs to go on."""
    beside = path.with_name(f"{path.name}.part")
    beside.write_bytes(encode_json({**to_plain(kept.cases), "kept": encode(kept)}, indent=1) + b"\n")
    beside.replace(path)
