"""Scores of real people: a folder of landmark files that players of trials gave away, task by task."""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import math
import statistics
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from armoon.hands.tracking.landmarks import hands_of
from armoon.sinks.landmarks import SUFFIX, VERSION

#: Quantile of the normal distribution for an interval of 95 %.
_Z = 1.959964


def wilson(part: int, whole: int) -> tuple[float, float]:
    """Return the ends of Wilson's 95 % interval of a share."""
    if whole == 0:
        return 0.0, 1.0
    share, z2 = part / whole, _Z * _Z
    middle = (share + z2 / (2.0 * whole)) / (1.0 + z2 / whole)
    half = _Z / (1.0 + z2 / whole) * math.sqrt(share * (1.0 - share) / whole + z2 / (4.0 * whole * whole))
    return max(0.0, middle - half), min(1.0, middle + half)


def read_file(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    """Return a file's header, frames and verdicts. Raises ValueError or OSError for one that can't be used."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        header, *lines = [json.loads(line) for line in file]
    if header.get("kind") != "landmarks" or header.get("version") != VERSION:
        raise ValueError("it is no landmark file of this version")
    frames = [line for line in lines if line["kind"] == "hands"]
    for frame in frames:
        hands_of({name: value for name, value in frame.items() if name != "kind"})
    return header, frames, [line for line in lines if line["kind"] == "verdict"]


def scores(paths: Iterable[Path]) -> dict[str, Any]:
    """Return the rows, one for each task by its name and digest, and why files were passed over."""
    rows: dict[str, Any] = defaultdict(lambda: {"tries": 0, "judged": 0, "honoured": 0, "fallen": 0})
    paces: dict[str, list[float]] = defaultdict(list)
    hands: dict[str, list[bool]] = defaultdict(list)
    seconds: dict[str, float] = defaultdict(float)
    troubles = []
    for path in paths:
        try:
            header, frames, verdicts = read_file(path)
            key = f"{header['trial']} {header['task'][:12]}"
            honoured = sum(bool(verdict["ok"]) for verdict in verdicts)
            fallen = sum(len(verdict["fallen"]) for verdict in verdicts)
            lasted_s = verdicts[-1]["time_s"] if verdicts else 0.0
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
            troubles.append(f"{path.name}: {error}")
            continue
        row = rows[key]
        row["tries"] += 1
        row["judged"] += len(verdicts)
        row["honoured"] += honoured
        row["fallen"] += fallen
        seconds[key] += lasted_s
        hands[key] += [bool(frame["hands"]) for frame in frames]
        paces[key] += [later["time_s"] - frame["time_s"] for frame, later in itertools.pairwise(frames)]
    for key, row in rows.items():
        row["honoured_95"] = wilson(row["honoured"], row["judged"])
        row["seconds_each"] = seconds[key] / row["judged"] if row["judged"] else None
        row["in_view"] = statistics.fmean(hands[key]) if hands[key] else None
        row["rate_hz"] = 1.0 / statistics.median(paces[key]) if paces[key] else None
    return {"rows": dict(rows), "troubles": troubles}


def main() -> None:
    """Score the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="score-landmarks", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    told = scores(sorted(asked.folder.glob(f"*{SUFFIX}")))
    for name, row in sorted(told["rows"].items()):
        low, high = row["honoured_95"]
        each = "-" if row["seconds_each"] is None else f"{row['seconds_each']:.1f} s"
        print(
            f"{name}: {row['tries']} tries, {row['honoured']} of {row['judged']} ladders honoured "
            f"({low:.0%} to {high:.0%}), {row['fallen']} fallen, {each} each"
        )
    print(*told["troubles"], sep="\n")
    if asked.json is not None:
        asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
