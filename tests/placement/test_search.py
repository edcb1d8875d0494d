"""The search in child processes: answers, cancelling, changed structures, killed processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from benchmarks.towers import Structure, list_spares, load_tower
from support.waiting import until

from armoon.errors import WorldError
from armoon.placement.search import FoundPlace, PlaceSearch, SearchEnded, SearchProgress
from armoon.placement.values import Question, is_same_structure
from armoon.values.places import LadderPlace, Requirement
from armoon.values.poses import IDENTITY_QUAT, Pose


def make_question(tower: Structure) -> Question:
    return Question(tower.standing, list_spares(tower)[0], Requirement(1, 2), seconds=400.0, drops=6)


TOWER = load_tower(2)
STANDING = TOWER.standing
QUESTION = make_question(TOWER)
#: No ladder is long enough to touch nine others.
IMPOSSIBLE = Requirement(9, 9)
SIZES = [
    2,
    pytest.param(12, marks=pytest.mark.slow),
    *(pytest.param(size, marks=pytest.mark.long) for size in (20, 28)),
]


@pytest.fixture(scope="module")
def search() -> Iterator[PlaceSearch]:
    place_search = PlaceSearch(TOWER.ladders, TOWER.base, niceness=0)
    yield place_search
    place_search.close()


def test_the_same_question_gets_the_same_answer(search: PlaceSearch) -> None:
    answers = []
    for _ in range(2):
        search.ask(QUESTION)
        answers.append(search.wait(400.0))
    assert answers[0].done
    assert answers[0].places
    assert answers[0] == answers[1]


@pytest.mark.parametrize("size", SIZES)
def test_after_a_cancelled_search_the_next_question_is_answered(search: PlaceSearch, size: int) -> None:
    tower = load_tower(size)
    search.ask(replace(make_question(tower), drops=None))
    search.cancel()
    assert search.read_answer() == search.read_answer(tower.standing)
    assert search.read_answer().done
    assert not search.read_answer().places
    search.ask(QUESTION)
    assert search.wait(400.0).places


@pytest.mark.parametrize("size", SIZES)
def test_an_answer_is_outdated_once_the_structure_has_changed(search: PlaceSearch, size: int) -> None:
    standing = load_tower(size).standing
    name, pose, fixed = standing[-1]
    x, y, z = pose.position
    changed = {
        "moved": (*standing[:-1], (name, Pose((x + 0.004, y, z), pose.rotation), fixed)),
        "removed": standing[:-1],
        "come out of its slot": ((*standing[0][:2], not standing[0][2]), *standing[1:]),
    }
    for key, now in changed.items():
        assert not is_same_structure(standing, now), key
        search.ask(make_question(load_tower(size)))
        assert not search.read_answer(standing).is_outdated
        answer = search.read_answer(now)
        assert answer.is_outdated, key
        assert answer.done
        assert not answer.places


@pytest.mark.parametrize("size", SIZES)
def test_a_search_can_end_without_a_place(search: PlaceSearch, size: int) -> None:
    search.ask(replace(make_question(load_tower(size)), wanted=IMPOSSIBLE, drops=None, seconds=0.5))
    answer = search.wait(400.0)
    assert answer.done
    assert not answer.is_outdated
    assert answer.places == ()


@pytest.mark.parametrize("size", SIZES)
def test_a_killed_process_is_replaced_and_the_search_completes(size: int) -> None:
    tower = load_tower(size)
    with closing(PlaceSearch(tower.ladders, tower.base, niceness=0)) as search:
        search.ask(make_question(tower))
        before = search.pids
        os.kill(before[0], signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        answer = search.wait(400.0)
        assert answer.done
        assert answer.places
        assert search.pids[0] != before[0]
        assert search.pids[1] == before[1]


def test_a_search_whose_processes_died_has_failed() -> None:
    with closing(PlaceSearch(TOWER.ladders, TOWER.base, niceness=0)) as search:
        search.ask(replace(QUESTION, drops=None))
        killed: set[int] = set()

        def kill_new_ones() -> None:
            for pid in set(search.pids) - killed:
                os.kill(pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
                killed.add(pid)

        until(lambda: search.read_answer().done, "the search's end", kill_new_ones)
        assert len(killed) == 4, "each process is restarted once"
        assert search.read_answer().failed
        search.ask(QUESTION)
        assert search.wait(400.0).places, "the next question restarts the processes"


def test_a_search_ends_at_its_timeout(search: PlaceSearch) -> None:
    search.ask(replace(QUESTION, drops=None, seconds=0.0))
    until(lambda: search.read_answer().done, "the search's end")


@pytest.mark.parametrize("piece", [STANDING[0][0], "L99"], ids=["already standing", "unknown ladder"])
def test_an_impossible_question_is_refused(search: PlaceSearch, piece: str) -> None:
    with pytest.raises(WorldError):
        search.ask(replace(QUESTION, piece=piece))


class FakeWorker:
    pid, is_alive, is_ready, work = 1, True, True, 0
    is_busy = has_finished = was_restarted = is_unsteady = False

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.messages: list[Any] = []

    def send(self, order: Any) -> None:
        self.sent.append(order)

    def drain_messages(self) -> list[Any]:
        messages, self.messages = self.messages, []
        return messages


def test_late_results_are_ignored_and_an_outdated_answer_stays_outdated() -> None:
    pose = Pose((0.0, 0.0, 0.1), IDENTITY_QUAT)
    place = LadderPlace(pose, pose, (), highest=True, height_m=0.1, safety=1.0)
    search, worker = PlaceSearch(TOWER.ladders, TOWER.base), FakeWorker()
    search._workers = [worker]  # type: ignore[list-item]
    search.ask(QUESTION)
    first = worker.sent[-1].number
    worker.messages = [SearchProgress(first, FoundPlace(0, place), 0.1, 1)]
    assert search.read_answer().places == (place,)
    search.ask(QUESTION)
    assert search.read_answer().places == (), "places for another question are forgotten"
    ended = SearchEnded(first, True, is_unsteady=False)
    worker.messages = [SearchProgress(first, FoundPlace(1, place), 0.1, 1), ended]
    last_answer = search.read_answer()
    assert (last_answer.places, last_answer.done) == ((), False)
    worker.messages = [SearchProgress(first + 1, FoundPlace(number, place), 0.1, 1) for number in range(2)]
    worker.messages.append(SearchEnded(first + 1, finished=True, is_unsteady=False))
    answer = search.read_answer()
    assert (answer.places, answer.done) == ((place,), True), "the same place found twice counts once"
    assert search.read_answer(STANDING[:-1]).is_outdated
    assert search.read_answer().is_outdated
