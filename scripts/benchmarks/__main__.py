"""Run ``python -m benchmarks NAME [--json FILE]``; each module's ``run(save, ...)`` has its options as parameters."""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import sys
import typing
from collections.abc import Mapping
from pathlib import Path

from armoon.errors import ArmoonError

NAMES = (
    *("pipeline", "evening", "world", "placement", "calibration", "help", "picture"),
    *("hands", "places", "show", "party", "remote", "card", "tower"),
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
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    kinds = typing.get_type_hints(module.run)
    for option in list(inspect.signature(module.run).parameters.values())[1:]:
        flag, kind = f"--{option.name.replace('_', '-')}", kinds[option.name]
        if kind is bool:
            parser.add_argument(flag, action="store_true")
        else:
            of = next(iter(typing.get_args(kind)), kind)  # of "int | None" the int
            parser.add_argument(flag, type=of, default=option.default, help=f"default: {option.default}")
    options = vars(parser.parse_args(words[1:]))
    json_path: Path | None = options.pop("json")
    if (options.get("trials") or 1) < 1:
        parser.error("--trials has to be at least 1")

    def save(figures: Mapping[str, object]) -> None:
        if json_path is not None:
            json_path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")

    try:
        module.run(save, **options)
    except ArmoonError as error:
        print(f"armoon: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
