"""Runs a benchmark: ``python -m benchmarks NAME [--json FILE]``. The parameters of its ``run`` are its options."""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import sys
import typing
from collections.abc import Mapping
from pathlib import Path

from armoon.errors import ArmoonError, SettingsError

NAMES = (
    *("pipeline", "evening", "world", "placement", "calibration", "help", "picture"),
    *("hands", "places", "show", "party", "remote", "card", "tower"),
)

#: Period of --slow's processor quota, in microseconds; short, so that the program doesn't stutter.
PERIOD_US = 10_000


def slow_down() -> None:
    """Halve the processor time of this process and its children. Raises SettingsError if that isn't permitted."""
    quota_us = PERIOD_US * (os.cpu_count() or 1) // 2
    first = {"cpu.cfs_period_us": PERIOD_US, "cpu.cfs_quota_us": quota_us}
    second = {"cpu.max": f"{quota_us} {PERIOD_US}"}
    for folder, files in (("cpu", first), ("", second)):  # control groups of Linux, version 1 and 2
        group = Path("/sys/fs/cgroup", folder, "armoon-bench")
        try:
            group.mkdir(exist_ok=True)
            for name, text in {**files, "cgroup.procs": os.getpid()}.items():
                (group / name).write_text(str(text))
            return
        except OSError:
            continue
    raise SettingsError(
        "The processor time can't be limited here.", remedy="Use Linux as a user who may create cgroups."
    )


def main() -> int:
    words = sys.argv[1:]
    names = argparse.ArgumentParser(
        prog="scripts/bench", epilog="scripts/bench NAME --help lists its options"
    )
    names.add_argument("name", metavar="NAME", choices=NAMES, help=", ".join(NAMES))
    name = names.parse_args(words[:1]).name
    module = importlib.import_module(f"benchmarks.{name}")
    parser = argparse.ArgumentParser(prog=f"scripts/bench {name}", description=module.__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to this file")
    parser.add_argument("--slow", action="store_true", help="use at most half of the processor time")
    kinds = typing.get_type_hints(module.run)
    for option in list(inspect.signature(module.run).parameters.values())[1:]:
        flag, kind = f"--{option.name.replace('_', '-')}", kinds[option.name]
        if kind is bool:
            parser.add_argument(flag, action="store_true")
        else:
            kind_of_value = next(iter(typing.get_args(kind)), kind)  # int for "int | None"
            parser.add_argument(
                flag, type=kind_of_value, default=option.default, help=f"default: {option.default}"
            )
    options = vars(parser.parse_args(words[1:]))
    json_path: Path | None = options.pop("json")
    slow: bool = options.pop("slow")
    if (options.get("trials") or 1) < 1:
        parser.error("--trials must be at least 1")

    def save(figures: Mapping[str, object]) -> None:
        if json_path is not None:
            json_path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")

    try:
        if slow:
            slow_down()
        module.run(save, **options)
    except ArmoonError as error:
        print(f"armoon: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
