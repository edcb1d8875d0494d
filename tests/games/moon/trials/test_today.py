"""Today's tower on any date: what it deals is sound, stands, and is the same in any process and without a network."""

from __future__ import annotations

import datetime
import hashlib
import os
import subprocess
import sys
from collections import Counter

import pytest
from trial_proofs.proving import play_task

from armoon.engine.events import Output
from armoon.games.moon.rules.task import SLOTTED, TaskKind
from armoon.games.moon.rules.values import Phase
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.trials.tasks import task_named
from armoon.values.facts import PieceStatus

FIRST = datetime.date(2026, 11, 1)
#: Four years: a leap day is among them.
DAYS = [FIRST + datetime.timedelta(days=number) for number in range(4 * 365)]
#: Of what the first hundred days deal. Nobody's best of a day may come to be of another tower.
DEALT = "516d9fa0bf86a51f840d38f107d98035dce03dd105a412776751654faa649f3e"
#: The same in a process that can't ask anybody.
ELSEWHERE = """
import datetime, hashlib, socket
def refused(*_): raise AssertionError("a day's tower asks nobody")
socket.socket = socket.create_connection = socket.getaddrinfo = refused
from armoon.games.moon.trials.tasks import task_named
days = [datetime.date(2026, 11, 1) + datetime.timedelta(days=number) for number in range(100)]
tasks = [task_named(f"today-{day.isoformat()}") for day in days]
told = [" ".join((*task.deal, *(face.value for face in task.faces))) for task in tasks]
print(hashlib.sha256("\\n".join(told).encode()).hexdigest())
"""


def digest() -> str:
    """Of what the first hundred days deal."""
    tasks = [task_named(f"today-{day.isoformat()}") for day in DAYS[:100]]
    told = [" ".join((*task.deal, *(face.value for face in task.faces))) for task in tasks]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def test_every_day_deals_a_sound_task() -> None:
    deals = set()
    for day in DAYS:
        task = task_named(f"today-{day.isoformat()}")
        assert task.kind is TaskKind.TODAY
        assert len(set(task.deal)) == len(task.deal) == len(task.faces) == 10
        assert not set(task.deal) & set(SLOTTED)
        assert set(Counter(task.faces[:6]).values()) == {2}, "the six faces of the die, shuffled"
        assert task.standing == (), "every day begins on the two ladders in their slots"
        bronze, silver, gold = task.medals
        assert bronze < silver < gold
        deals.add((task.deal, task.faces))
    assert len(deals) == len(DAYS)


@pytest.mark.parametrize(("seed", "zone"), [("1", "Pacific/Kiritimati"), ("2", "America/Los_Angeles")])
def test_other_processes_deal_the_same_without_a_network(seed: str, zone: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        env=os.environ | {"PYTHONHASHSEED": seed, "TZ": zone},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert told.stdout.strip() == digest() == DEALT


def test_what_it_begins_on_stands_and_is_the_same_on_every_day() -> None:
    begun = set()
    for day in (DAYS[0], DAYS[100], DAYS[-1]):
        frames = 0

        def look(match: MoonMatch, output: Output) -> None:
            nonlocal frames
            frames += 1
            if match.state.phase is Phase.DRAW:
                slotted = [p for p in match.facts.pieces if p.status is PieceStatus.FIXED]
                assert match.at_rest
                assert not match.state.incident
                begun.add(tuple((p.piece, p.pose) for p in slotted))
                raise EOFError
            assert frames < 600

        with pytest.raises(EOFError):
            play_task(task_named(f"today-{day.isoformat()}"), lambda match: None, look)
    assert len(begun) == 1
    assert [piece for piece, _ in begun.pop()] == list(SLOTTED)
