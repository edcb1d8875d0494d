"""Measures hand tracking and pinch recognition in photographs, recorded clips annotated by hand, and rendered pinches.

Clips are played at their own rate, and at 15 and 10 Hz three times with different frames. Landmarks are stored in the
user's cache folder, so the first run takes minutes and later ones take seconds.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from armoon.hands.pinch import is_pinched
from benchmarks import Save
from benchmarks.hand_checks import (
    ONE_HAND,
    film_beside_clips,
    film_fair_clips,
    list_taps,
    measure_rest,
    measure_taps,
    measure_watch,
)
from benchmarks.hand_clips import (
    Clip,
    ClipResults,
    find_media_folder,
    load_annotated_clips,
    load_photo_hands,
    load_rendered_clips,
    read_clip,
    read_manifest,
)

#: Maximum frame rates in Hz, and offsets of the used frames as shares of the frame interval, by name.
RATES: dict[str, tuple[float, tuple[float, ...]]] = {
    "30": (1000.0, (0.0,)),
    "15": (15.0, (0.0, 1.0 / 3.0, 2.0 / 3.0)),
    "10": (10.0, (0.0, 1.0 / 3.0, 2.0 / 3.0)),
}


def run(save: Save, trials: int | None = None) -> None:
    """``trials``: number of rendered clips of each kind, of taps, and of ladders held still (by default 10)."""
    console = Console()
    folder = find_media_folder()
    real, rendered, taps = load_annotated_clips(folder), load_rendered_clips(trials), list_taps()
    clips = {rate: measure_clips(real, rate) for rate in RATES}
    alone = [clip for clip in real if clip.name in ONE_HAND] + rendered
    figures = {
        "photos": measure_photos(folder),
        "clips": clips,
        "rendered": {rate: measure_clips(rendered, rate) for rate in RATES},
        "watch_s": clips["30"]["watch_s"],
        "watch": measure_watch(film_beside_clips(trials), alone, film_fair_clips(trials), RATES),
        "tap_cases": measure_taps(taps[:: 1 if trials is None else max(1, len(taps) // trials)]),
        "rest": measure_rest(range(trials or 10)),
    }
    _print_all(console, figures)
    save(figures)


def measure_photos(folder: Path) -> dict[str, Any]:
    """Return the shares of hands found and of pinches recognised; ring gestures count separately."""
    entries = [entry for entry in read_manifest(folder) if entry["kind"] == "photo"]
    total = found = 0
    counts: Counter[tuple[str, bool]] = Counter()
    for entry, hands in zip(entries, load_photo_hands(folder, entries), strict=True):
        total += entry["hands"]
        found += len(hands.hands)
        counts.update((entry["gesture"], is_pinched(hand)) for hand in hands.hands)
    true, missed = counts["pinch", True], counts["pinch", False]
    others = {gesture for gesture, _ in counts} - {"pinch", "o-pinch"}
    false = sum(counts[gesture, True] for gesture in others)
    rings = counts["o-pinch", True]
    return {
        "hands": total,
        "found": _divide(found, total),
        "precision": _divide(true, true + false),
        "recall": _divide(true, true + missed),
        "rings": _divide(rings, rings + counts["o-pinch", False]),
        "pinches": true + missed,
        "others": sum(counts[gesture, shut] for gesture in others for shut in (True, False)),
        "false_pinches": false,
    }


def measure_clips(clips: Sequence[Clip], rate: str) -> dict[str, Any]:
    """Return the clips' figures at a frame rate: medians, and 90th percentiles of delays and offsets."""
    rate_hz, parts = RATES[rate]
    results = ClipResults()
    for clip in clips:
        for part in parts:
            read_clip(clip, clip.thin(rate_hz, part), results)
    delays = [delay for delay in results.watch_s if delay is not None]
    return {
        "minutes": results.minutes / len(parts),
        "false_grabs_per_min": _divide(results.false_grabs, results.minutes),
        "false_at": results.false_at,
        "pinches": results.pinches // len(parts),
        "missed": _divide(results.missed, results.pinches),
        "dropped": _divide(results.dropped, results.pinches),
        "grab_early_s": _find_median(results.grab_early_s),
        "grab_earliest_s": max(results.grab_early_s, default=None),
        "release_late_s": _find_median(results.release_late_s),
        "release_late_p90_s": _find_p90(results.release_late_s),
        "release_off_mm": _find_median(results.release_off_mm),
        "release_off_p90_mm": _find_p90(results.release_off_mm),
        "release_off_depth_mm": _find_median(results.release_off_depth_mm),
        "release_off_depth_p90_mm": _find_p90(results.release_off_depth_mm),
        "releases": len(results.release_late_s),
        "watch_s": max(delays) if delays and len(delays) == len(results.watch_s) else None,
    }


def make_clips_table(figures: Mapping[str, Any]) -> Table:
    table = Table(
        *("", "Hz", "false", "n", "miss", "lost", "early", "late", "p90", "off", "deep", "watch"),
        title="Real and rendered clips: false grabs per minute, pinches, shares missed and lost, seconds from grab to "
        "contact and from parting to release (median, 90 %), error of the release across and along the view in mm",
        box=SIMPLE,
        padding=(0, 1, 0, 0),  # otherwise it doesn't fit into 80 columns
    )
    for kind in ("clips", "rendered"):
        for rate, row in figures[kind].items():
            table.add_row(
                *(kind, rate, _fmt(row["false_grabs_per_min"]), str(row["pinches"])),
                *(_fmt(row[key]) for key in ("missed", "dropped", "grab_early_s", "release_late_s")),
                *(_fmt(row[key]) for key in ("release_late_p90_s", "release_off_mm", "release_off_depth_mm")),
                _fmt(row["watch_s"]),
            )
    return table


def _divide(count: float, whole: float) -> float | None:
    return count / whole if whole else None


def _find_median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def _find_p90(values: Sequence[float]) -> float | None:
    return sorted(values)[int(0.9 * (len(values) - 1))] if values else None


def _print_all(console: Console, figures: dict[str, Any]) -> None:
    photos = figures["photos"]
    console.print(
        f"Photographs: {photos['found']:.1%} of {photos['hands']} hands found; {photos['recall']:.1%} of pinches "
        f"seen; wrongly in {photos['false_pinches']} of {photos['others']} others, {photos['rings']:.1%} of rings.",
        highlight=False,
    )
    console.print(make_clips_table(figures))
    watch = figures["watch"]
    title = "Watch for a second hand, by its depth or angle: share of warnings, and their median delay"
    table = Table("second hand", *(f"{rate} Hz" for rate in RATES), title=title)
    for way, rates in watch["ways"].items():
        table.add_row(way, *(f"{_fmt(row['warned'])}, {_fmt(row['warned_s'])} s" for row in rates.values()))
    console.print(table)
    alarms = ", ".join(f"{count} at {rate} Hz" for rate, count in watch["false_alarms"].items())
    console.print(f"False alarms in {watch['minutes']:.1f} minutes: {alarms}.", highlight=False)
    taps = figures["tap_cases"]
    console.print(
        f"Of {taps['taps']} taps at a ladder, {taps['taken']} grabbed it, {taps['dropped']} dropped it and "
        f"{taps['charged']} cost a tear; it moved by at most {taps['moved_most_mm']:.1f} mm.",
        highlight=False,
    )
    rest = {key: f"{value:.1f} mm" for key, value in figures["rest"].items()}
    console.print(
        f"Noise moves a ladder held still by at most {rest['along_most_mm']} along the view (median "
        f"{rest['along_mm']}) and {rest['across_most_mm']} across it.",
        highlight=False,
    )
    for rate, row in figures["clips"].items():
        if row["false_at"]:
            console.print(f"False grabs at {rate} Hz: {', '.join(row['false_at'])}", highlight=False)


def _fmt(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
