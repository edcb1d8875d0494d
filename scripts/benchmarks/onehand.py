"""The one-hand rule, checked: scripted scenes and minutes of fair play, rendered, through the real tracker.

Every true violation of more than 0.6 s has to be warned of, and fair play must never be. Scenes are filmed
at 30 frames a second in both seats, fair play at 15: the harder rate, and half the work.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.onehand_parts.fair_play import CLIP_S, fair_clip
from benchmarks.onehand_parts.scenes import scenes
from benchmarks.onehand_parts.stage import Filmed, film, skeletons

MINUTES = 10.0
SEATS = ("table", "mirror")
SCENE_RATE_HZ = 30.0
FAIR_RATE_HZ = 15.0
#: Fair play without pictures, which costs next to nothing, is watched at all of these.
SKELETON_RATES_HZ = (30.0, 15.0, 10.0)


def run(json_path: Path | None, minutes: float = MINUTES) -> int:
    """Film, print and write; 0 whatever the figures are. ``minutes`` of fair play, 0 for none."""
    console = Console()
    filmed = []
    for seat in SEATS:
        for scene in scenes(seat):
            filmed.append(film(scene, rate_hz=SCENE_RATE_HZ))
            console.print(_sentence(filmed[-1]), highlight=False)
    fair = []
    for seed in range(math.ceil(minutes * 60.0 / CLIP_S)):
        scene, look = fair_clip(seed)
        fair.append(film(scene, rate_hz=FAIR_RATE_HZ, look=look))
        console.print(_sentence(fair[-1]), highlight=False)
    figures = summary(filmed, fair)
    figures["fair_skeletons"] = skeleton_alarms(minutes)
    console.print(_table(filmed))
    console.print(
        f"Violations of more than 0.6 s: {figures['caught']} of {figures['must_be_caught']} caught. "
        f"Fair play: {figures['fair_minutes']:.1f} minutes ({figures['fair_two_hands_minutes']:.1f} with two "
        f"hands seen, {figures['fair_held_minutes']:.1f} with a ladder held), "
        f"{figures['fair_alarms']} false alarms; without pictures {figures['fair_skeletons']}.",
        highlight=False,
    )
    if json_path is not None:
        json_path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def skeleton_alarms(minutes: float) -> dict[str, object]:
    """False alarms in as much fair play without pictures, by frame rate."""
    clips = [fair_clip(seed) for seed in range(math.ceil(minutes * 60.0 / CLIP_S))]
    found: dict[str, object] = {"minutes": len(clips) * CLIP_S / 60.0}
    for rate_hz in SKELETON_RATES_HZ:
        seen = [skeletons(scene, rate_hz=rate_hz, look=look) for scene, look in clips]
        found[f"{rate_hz:.0f}"] = sum(len(one.false_alarms_s) for one in seen)
    return found


def summary(filmed: list[Filmed], fair: list[Filmed]) -> dict[str, object]:
    """The figures of scenes and fair play."""
    delays = [delay for one in filmed for delay in one.delays_s]
    return {
        "must_be_caught": len(delays),
        "caught": sum(delay is not None for delay in delays),
        "slowest_s": max((delay for delay in delays if delay is not None), default=None),
        "scene_alarms": sum(len(one.false_alarms_s) for one in filmed),
        "scenes": [scene_figures(one) for one in filmed],
        "fair_rate_hz": FAIR_RATE_HZ,
        "fair_minutes": sum(one.scene.duration_s for one in fair) / 60.0,
        "fair_held_minutes": sum(_seconds(one, one.held) for one in fair) / 60.0,
        "fair_two_hands_minutes": sum(_seconds(one, [n > 1 for n in one.seen]) for one in fair) / 60.0,
        "fair_alarms": sum(len(one.warned_s) for one in fair),
        "fair": [scene_figures(one) for one in fair],
    }


def scene_figures(one: Filmed) -> dict[str, object]:
    """What came of one scene."""
    return {
        "seat": one.scene.seat,
        "name": one.scene.name,
        "violations_s": one.violations,
        "level": one.level.value,
        "warned_s": one.warned_s,
        "delays_s": one.delays_s,
        "false_alarms_s": one.false_alarms_s,
        "held_s": _seconds(one, one.held),
        "two_hands_seen_s": _seconds(one, [n > 1 for n in one.seen]),
    }


def _seconds(one: Filmed, said: list[bool] | tuple[bool, ...]) -> float:
    """How long something was so."""
    return sum(said) / len(said) * one.scene.duration_s


def _truth(one: Filmed) -> str:
    return ", ".join(f"{begin:.2f} s for {end - begin:.2f} s" for begin, end in one.violations) or "none"


def _delays(one: Filmed) -> str:
    return ", ".join("missed" if delay is None else f"{delay:.2f} s" for delay in one.delays_s) or "-"


def _sentence(one: Filmed) -> str:
    alarms = f", FALSE ALARM at {one.false_alarms_s}" if one.false_alarms_s else ""
    return (
        f"{one.scene.seat}, {one.scene.name}: truth {_truth(one)}; {one.level.value}, {_delays(one)}{alarms}"
    )


def _table(filmed: list[Filmed]) -> Table:
    table = Table(title="One hand: scenes through the real tracker")
    for heading in ("seat", "scene", "violation", "level", "delay", "false alarms"):
        table.add_column(heading)
    for one in filmed:
        table.add_row(
            one.scene.seat,
            one.scene.name,
            _truth(one),
            one.level.value,
            _delays(one),
            str(len(one.false_alarms_s)),
        )
    return table
