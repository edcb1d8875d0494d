"""Reads the format of all playthroughs: a header of ``key: value`` lines, then ``---``, then a line per step."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Step:
    number: int
    event: str
    expected: tuple[str, ...]


def read_steps(path: Path) -> tuple[dict[str, str], tuple[Step, ...]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    cut = lines.index("---")
    head = {
        key.strip(): value.strip()
        for key, _, value in (line.partition(":") for line in lines[:cut] if not line.startswith("#"))
    }
    steps = []
    for number, line in enumerate(lines[cut + 1 :], start=cut + 2):
        text = "" if line.startswith("#") else line.strip()
        if text:
            event, _, expected = text.partition("=>")
            parts = tuple(part.strip() for part in expected.split(";") if part.strip())
            steps.append(Step(number, event.strip(), parts))
    return head, tuple(steps)
