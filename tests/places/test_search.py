"""The search in its processes: answers, cancelling, a structure that changed, a process that is killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from armoon.errors import WorldError
from armoon.places.question import Question, same_structure
from armoon.places.search import PlaceSearch
from armoon.values.places import Wanted
from armoon.values.poses import Pose
from armoon.world.structures.towers import load_tower

TOWER = load_tower(2)
STANDING = tuple(TOWER.standing)
FREE = [one.piece for one in TOWER.ladders.ladders if one.piece not in {name for name, _, _ in STANDING}]
ASKED = Question(STANDING, FREE[0], Wanted(1, 1), seconds=400.0, drops=6)


@pytest.fixture(scope="module")
def search() -> Iterator[PlaceSearch]:
    made = PlaceSearch(TOWER.ladders, TOWER.base, niceness=0)
    yield made
    made.close()


def test_the_same_question_gets_the_same_answer(search: PlaceSearch) -> None:
    answers = []
    for _ in range(2):
        search.ask(ASKED)
        answers.append(search.wait(400.0))
    assert answers[0].done
    assert answers[0].places
    assert answers[0] == answers[1]


def test_cancelled_it_knows_nothing_and_answers_the_next_question(search: PlaceSearch) -> None:
    search.ask(replace(ASKED, drops=None))
    search.cancel()
    assert search.answers() == search.answers(STANDING)
    assert search.answers().done
    assert not search.answers().places
    search.ask(ASKED)
    assert search.wait(400.0).places


def test_a_structure_that_changed_makes_the_answer_void(search: PlaceSearch) -> None:
    search.ask(ASKED)
    name, pose, fixed = STANDING[-1]
    x, y, z = pose.position
    moved = (*STANDING[:-1], (name, Pose((x + 0.004, y, z), pose.rotation), fixed))
    assert not search.answers(STANDING).void
    answer = search.answers(moved)
    assert answer.void
    assert answer.done
    assert not answer.places
    assert not same_structure(STANDING, STANDING[:-1])


def test_a_killed_process_costs_no_answer() -> None:
    search = PlaceSearch(TOWER.ladders, TOWER.base, niceness=0)
    try:
        search.ask(ASKED)
        before = search.pids
        os.kill(before[0], signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        answer = search.wait(400.0)
        assert answer.done
        assert answer.places
        assert search.pids[0] != before[0]
        assert search.pids[1] == before[1]
    finally:
        search.close()


def test_time_ends_a_search(search: PlaceSearch) -> None:
    search.ask(replace(ASKED, drops=None, seconds=0.0))
    until = time.monotonic() + 30.0
    while not search.answers().done and time.monotonic() < until:
        time.sleep(0.01)
    assert search.answers().done


@pytest.mark.parametrize("piece", [STANDING[0][0], "L99"], ids=["stands already", "in no set"])
def test_what_cannot_be_asked_is_refused(search: PlaceSearch, piece: str) -> None:
    with pytest.raises(WorldError):
        search.ask(replace(ASKED, piece=piece))
