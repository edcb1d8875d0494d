"""``scripts/prove-trials``: searches for proofs and stores those with a better score (``docs/trials.md``)."""

from __future__ import annotations

import argparse
import datetime
import json
from collections.abc import Sequence
from pathlib import Path

from armoon.games.moon.trials import find_task, load_tasks
from trial_proofs.proving import PERSON, STEADIEST, search_places


def prove(arguments: Sequence[str] | None = None) -> None:
    """Search, print a line for each try, and store improvements."""
    parser = argparse.ArgumentParser(prog="scripts/prove-trials")
    parser.add_argument("names", nargs="*", metavar="NAME", help="tasks; default: all")
    parser.add_argument("--folder", type=Path, required=True, help="folder of the proofs")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time per turn")
    parser.add_argument("--tries", type=int, default=1, help="searches per task")
    parser.add_argument("--person", action="store_true", help="slip as a person does; store nothing")
    options = parser.parse_args(arguments)
    tasks = load_tasks(datetime.date.today())[0]
    for name in options.names or tasks:
        task, path = find_task(name), options.folder / f"{name}.json"
        best = json.loads(path.read_text(encoding="utf-8"))["score"] if path.is_file() else None
        for number in range(options.tries):
            hand = PERSON if options.person else STEADIEST
            proof = search_places(task, options.seconds, seed=1000 * number, hand=hand)
            scored = proof.score is not None and (best is None or task.is_better(proof.score, best))
            improves = scored and not options.person
            if improves:
                best = proof.score
                rows = [None if release is None else release.row for release in proof.releases]
                path.write_text(json.dumps({"score": best, "releases": rows}) + "\n", encoding="utf-8")
            medal = task.find_medal(proof.score) or "no medal"
            print(f"{name}: {proof.score}, {medal}{', stored' if improves else ''}", flush=True)


if __name__ == "__main__":
    prove()
