"""Which trials the placement benchmark makes, and their outcomes so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from typing import Any

from armoon.synthetic_camera.look import HANDS
from armoon.values.choices import Steadiness
from benchmarks.placement_parts.cases import STANDING
from benchmarks.placement_parts.figures import shares, summary
from benchmarks.placement_parts.setting import (
    EXACT,
    EYES,
    HELPS,
    REAL,
    SCREEN,
    Setting,
)
from benchmarks.placement_parts.tables import (
    BUILDER_KINDS,
    COUNTING,
    GOAL_KINDS,
    TABLES_V1,
    Tables,
    cases_of,
    digest,
    read_tables,
)
from benchmarks.placement_parts.trial import Outcome

#: Trials of each eye, size and seat; a help is left out in a part of them, a factor varied in another.
TRIALS = 25
HELPS_PART, VARIED_PART = 3, 5
#: Number of standing ladders with which helps are left out.
HELPS_AT = 8
FIRST_SEED = 0
SEATS = ("table", "mirror")
#: What is varied, one factor at a time: hand size, skin, light, distance, frame rate, tremor.
VARIATIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("small hand", {"hand_scale": 0.88}),
    ("large hand", {"hand_scale": 1.12}),
    ("dark skin", {"skin": "dark"}),
    ("dim light", {"light_gain": 0.5}),
    ("bright light", {"light_gain": 1.5}),
    ("near", {"distance": 0.85}),
    ("far", {"distance": 1.2}),
    ("15 Hz", {"rate_hz": 15.0}),
    ("60 Hz", {"rate_hz": 60.0}),
    ("no tremor", {"tremor_m": 0.0}),
    ("strong tremor", {"tremor_m": 0.0015}),
)
#: Amplitude of a shaking hand, in millimetres; tried by the exact eye, so that only the hand is measured.
SHAKING_MM = (2, 5, 10)


Key = tuple[str, str]
"""A setting's name and its seat."""


def main_name(eye: str, standing: int, tracker: str = REAL) -> str:
    """Return the name of a setting without variations; it names the tracker, unless that is the real one."""
    name = f"{eye}, {standing} standing"
    return name if tracker == REAL else f"{name}, {tracker}"


def lacking_name(without: str) -> str:
    """Return the name of the honest eye's setting without a help."""
    return f"{SCREEN}, {HELPS_AT} standing, without {without}"


@dataclass(frozen=True)
class Plan:
    """The trials to make."""

    seats: tuple[str, ...] = SEATS
    eyes: tuple[str, ...] = EYES
    trials: int = TRIALS
    first_seed: int = FIRST_SEED
    tracker: str = REAL
    quick: bool = False

    def rows(self) -> Iterator[tuple[str, Setting, int]]:
        """Yield name, setting and number of trials: the main ones first."""
        usual = [Setting(seat=seat, tracker=self.tracker) for seat in self.seats]
        for standing in STANDING:
            for eye in self.eyes:
                for setting in usual:
                    name = main_name(eye, standing, self.tracker)
                    yield name, replace(setting, eye=eye, standing=standing), self.trials
        if self.quick or SCREEN not in self.eyes:
            return
        for without in HELPS:
            for setting in usual:
                lacking = replace(setting, standing=HELPS_AT, without=without)
                yield lacking_name(without), lacking, -(-self.trials // HELPS_PART)
        for name, changes in VARIATIONS:
            for setting in usual:
                yield name, replace(setting, **changes), -(-self.trials // VARIED_PART)  # type: ignore[arg-type]
        for shaking_mm, steadiness in product(SHAKING_MM, Steadiness):
            for setting in usual:
                shaken = replace(setting, eye=EXACT, shaking_m=shaking_mm / 1000.0, steadiness=steadiness)
                name = f"shaking {shaking_mm} mm, steadiness {steadiness.value}"
                yield name, shaken, -(-self.trials // VARIED_PART)


class Results:
    """The outcomes so far, by setting; None stands for a table without a place that forgives enough."""

    def __init__(self, plan: Plan, tables: Tables | None = None) -> None:
        self.plan = plan
        tables = read_tables() if tables is None else tables
        self.cases = {
            (standing, seat): [case for case in cases_of(tables, standing) if case.seat == seat]
            for standing, seat in product(STANDING, plan.seats)
        }
        self.settings = {(name, setting.seat): setting for name, setting, _ in plan.rows()}
        self.wanted = {
            (name, setting.seat): min(
                trials, len(self.cases[setting.standing, setting.seat]) - plan.first_seed
            )
            for name, setting, trials in plan.rows()
        }
        self.tried: dict[Key, dict[int, Outcome | None]] = {key: {} for key in self.settings}
        self._main = {main_name(eye, standing, plan.tracker) for eye in plan.eyes for standing in STANDING}

    def outcomes(self, *, name: str | None = None, seat: str | None = None) -> list[Outcome]:
        """Return the outcomes of all settings, or of those of a name or a seat."""
        keys = [k for k in self.tried if name in (None, k[0]) and seat in (None, k[1])]
        return [outcome for key in keys for outcome in self.tried[key].values() if outcome is not None]

    def passed_over(self, key: Key) -> int:
        """Return how many tables offered no place."""
        return sum(outcome is None for outcome in self.tried[key].values())

    def next_key(self) -> Key | None:
        """Return the setting of the next trial: the main ones in rounds, then the others; None when all is done."""
        missing = [key for key, trials in self.wanted.items() if self._count(key) < trials]
        main = [key for key in missing if key[0] in self._main]
        return min(main or missing, key=self._count, default=None)

    def next_seed(self, key: Key) -> int:
        """Return the number of the first table that this setting hasn't seen."""
        return self.plan.first_seed + len(self.tried[key])

    def row(self, name: str) -> dict[str, Any]:
        """Return a setting's figures in all seats, and in each."""
        seats = {
            seat: {
                **summary(self.outcomes(name=name, seat=seat)),
                "passed_over": self.passed_over((name, seat)),
            }
            for seat in self.plan.seats
        }
        passed = sum(figures["passed_over"] for figures in seats.values())
        return {**summary(self.outcomes(name=name)), "passed_over": passed, "by_seat": seats}

    def eye(self, eye: str) -> dict[str, Any]:
        """Return an eye's figures by how many ladders stand; of the honest one also what each help adds."""
        found: dict[str, Any] = {
            "standing": {
                str(standing): self.row(main_name(eye, standing, self.plan.tracker)) for standing in STANDING
            }
        }
        if eye == SCREEN and not self.plan.quick:
            found["helps"] = {help_: self._without(help_) for help_ in HELPS}
        return found

    def _without(self, help_: str) -> dict[str, Any]:
        """Return the figures without a help, and of the same tables with it."""
        name, whole = lacking_name(help_), main_name(SCREEN, HELPS_AT, self.plan.tracker)
        without, beside = self.outcomes(name=name), []
        for seat in self.plan.seats:
            seen = self.tried[name, seat]
            beside += [o for seed, o in self.tried[whole, seat].items() if seed in seen and o is not None]
        a, b = summary(without), summary(beside)
        adds = b["placed"] / b["trials"] - a["placed"] / a["trials"] if a["trials"] and b["trials"] else None
        return {"standing": HELPS_AT, "without": a, "with": b, "adds": adds}

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows for the page, each of a way of playing, a tracker and a size."""
        return [
            {
                "name": eye,
                "tracker": self.plan.tracker,
                "standing": standing,
                **shares(outcomes),
                "by_seat": {seat: shares(self.outcomes(name=name, seat=seat)) for seat in self.plan.seats},
                "by_kind": {kind: shares([o for o in outcomes if o.kind == kind]) for kind in GOAL_KINDS},
                "by_builder": {b: shares([o for o in outcomes if o.builder == b]) for b in BUILDER_KINDS},
                "by_tower": {
                    str(tower): shares([o for o in outcomes if o.tower == tower])
                    for tower in sorted({o.tower for o in outcomes})
                },
                "by_hand": {h.name: shares([o for o in outcomes if o.hand == h.name]) for h in HANDS},
            }
            for eye in self.plan.eyes
            for standing in STANDING
            for name in [main_name(eye, standing, self.plan.tracker)]
            for outcomes in [self.outcomes(name=name)]
            if outcomes
        ]

    def to_plain(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "tables": digest(TABLES_V1),
            "rows": self.rows(),
            "first_seed": self.plan.first_seed,
            "tracker": self.plan.tracker,
            "eyes": {eye: self.eye(eye) for eye in self.plan.eyes},
            "settings": [
                {
                    "name": key[0],
                    "setting": asdict(self.settings[key]),
                    "passed_over": self.passed_over(key),
                    **summary(self.outcomes(name=key[0], seat=key[1])),
                }
                for key in self.settings
            ],
            "all": summary(self.outcomes()),
            "trials": [
                {
                    "name": key[0],
                    "seat": key[1],
                    "seed": seed,
                    "outcome": None if outcome is None else asdict(outcome),
                }
                for key, tried in self.tried.items()
                for seed, outcome in tried.items()
            ],
        }

    def take_over(self, written: dict[str, Any]) -> None:
        """Take over the trials of an earlier file; those of other settings and other tables are left out."""
        names = {field.name for field in fields(Outcome)}
        if written.get("tracker") != self.plan.tracker or written.get("tables") not in COUNTING:
            return
        for trial in written["trials"]:
            key = (trial["name"], trial["seat"])
            if key not in self.tried or trial["seed"] != self.next_seed(key):
                continue
            values = trial["outcome"]
            if values is None:
                self.tried[key][trial["seed"]] = None
                continue
            known = {name: value for name, value in values.items() if name in names}
            known["wanted"], known["touched"] = tuple(known["wanted"]), tuple(known["touched"])
            self.tried[key][trial["seed"]] = Outcome(**known)

    def _count(self, key: Key) -> int:
        return len(self.tried[key]) - self.passed_over(key)
