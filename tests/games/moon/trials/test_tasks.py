"""Built-in, own and unusable task files; daily tasks, which are the same everywhere."""

from __future__ import annotations

import datetime
import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from armoon.games.moon.editions import SLOT_LADDERS, Die, Task, TaskKind, make_trial_options
from armoon.games.moon.events import format_outcome
from armoon.games.moon.records import list_trials
from armoon.games.moon.rules import create_state, replay_moves
from armoon.games.moon.scene import describe_trial
from armoon.games.moon.trials import find_task, load_tasks
from armoon.games.moon.turn import Draw, GiveUp, LetGo, Rest, Roll, Settle, State, Take, find_outcome
from armoon.messages import text

DAY = datetime.date(2026, 11, 22)
GOOD = """
kind = "place"
title = { en = "Mine" }
tears = 2
medals = [1, 2, 3]
faces = ["ONE", "MOON"]
deal = ["L05", "L06", "L07"]
"""


def test_a_player_can_add_a_task(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD, encoding="utf-8")
    tasks, _ = load_tasks(DAY, tmp_path)
    task, title = tasks["mine"]
    assert title == "Mine"
    assert task.get_face(3) is Die.ONE
    assert len(tasks) == len(load_tasks(DAY)[0]) + 1
    (tmp_path / "mine.toml").write_text(GOOD.replace("tears = 2", "tears = 12"), encoding="utf-8")
    assert load_tasks(DAY, tmp_path)[0]["mine"] != (task, title)


BROKEN_TASKS = {
    "no toml": "kind = ",
    "no text": "\x00\x01",
    "nothing": "",
    "no kind": GOOD.replace('"place"', '"dance"'),
    "unknown field": GOOD + "colour = 3\n",
    "unknown ladder": GOOD.replace("L07", "L77"),
    "twice": GOOD.replace("L07", "L06"),
    "in a slot": GOOD.replace("L07", "L01"),
    "no face": GOOD.replace('"ONE", "MOON"', ""),
    "wrong face": GOOD.replace('"ONE"', '"SIX"'),
    "no tears": GOOD.replace("tears = 2", "tears = 0"),
    "tears in words": GOOD.replace("tears = 2", 'tears = "two"'),
    "decreasing medals": GOOD.replace("[1, 2, 3]", "[3, 2, 1]"),
    "an unreachable gold": GOOD.replace("[1, 2, 3]", "[1, 2, 4]"),
    "two medals": GOOD.replace("[1, 2, 3]", "[1, 2]"),
    "a goal": GOOD + "goal_m = 0.2\n",
    "no title": GOOD.replace('en = "Mine"', 'fr = "La mienne"'),
    "a long title": GOOD.replace("Mine", "M" * 60),
    "ladders of a daily task": GOOD + "ladders = 5\n",
    "a place of six numbers": GOOD + 'standing = [["L09", [0.0, 0.0, 0.1, 0.0, 0.0, 1.0]]]\n',
    "nowhere": GOOD + 'standing = [["L09", [inf, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0]]]\n',
    "far away": GOOD + 'standing = [["L09", [1e6, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0]]]\n',
    "no rotation": GOOD + 'standing = [["L09", [0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0]]]\n',
    "stands and is dealt": GOOD + 'standing = [["L05", [0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0]]]\n',
    "huge": GOOD + "#" * 100_000,
}


@pytest.mark.parametrize("name", BROKEN_TASKS)
def test_a_broken_file_is_reported_in_one_sentence_and_the_others_load(name: str, tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text(BROKEN_TASKS[name], encoding="utf-8")
    (tmp_path / "mine.toml").write_text(GOOD, encoding="utf-8")
    tasks, (trouble,) = load_tasks(DAY, tmp_path)
    assert str(tmp_path / "broken.toml") in trouble
    assert "\n" not in trouble
    assert len(trouble) < len(str(tmp_path)) + 200
    assert "broken" not in tasks
    assert "mine" in tasks


@pytest.mark.parametrize("word", ["", "nobody", "today-", "today-2026-13-40", "../place-three"])
def test_an_unknown_trial_is_refused(word: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any ValueError will do: the option turns it into a sentence
        find_task(word)


def test_scores_earn_medals() -> None:
    high = Task("a", TaskKind.HIGHEST, ("L05",), (Die.ONE,), 3, (100, 150, 200))
    assert high.compute_score(turn=9, tears=2, top_m=0.1804) == 180
    assert [high.find_medal(score) for score in (None, 99, 100, 199, 200, 999)] == [
        None, None, "bronze", "silver", "gold", "gold",
    ]  # fmt: skip
    drops = Task("b", TaskKind.DROPS, ("L05", "L06", "L07"), (Die.ONE,), 3, (3, 2, 1), 0.15)
    assert drops.compute_score(turn=3, tears=0, top_m=0.1499) is None
    assert drops.compute_score(turn=3, tears=1, top_m=0.15) == 2
    assert [drops.find_medal(score) for score in (4, 3, 2, 1)] == [None, "bronze", "silver", "gold"]
    assert drops.is_better(1, 2)
    place = Task("c", TaskKind.PLACE, ("L05", "L06", "L07"), (Die.ONE,), 3, (1, 2, 3))
    assert place.compute_score(turn=4, tears=1, top_m=0.2) == 2
    assert place.compute_score(turn=2, tears=2, top_m=0.2) == 0


def play_turns(
    task: Task, *turns: tuple[tuple[str, ...], float], rises: Sequence[float | None] = ()
) -> State:
    state = create_state(("Ann",), "bombyx-2017", 1, make_trial_options(task))
    for number, (touched, height_m) in enumerate(turns):
        assert state.fixed_face is not None
        settled = Settle(touched, height_m, "L01", 0.124, rises[number] if rises else None)
        state = replay_moves(state, (Roll(state.fixed_face), Draw(state.supply[0]), Take(), LetGo(), settled))
    return state


@pytest.mark.parametrize("name", ["highest-twos", "drops-twos"])
def test_a_mistake_wins_no_medal_at_any_height(name: str) -> None:
    task = find_task(name)
    state = play_turns(task, (("L01",), 0.40))
    assert state.tears == (1,)
    assert not state.over
    assert task.find_medal(state.trial_score) is None
    assert task.find_medal(play_turns(task, (("L01", "L02"), 0.40)).trial_score) == "gold"


@pytest.mark.parametrize("name", ["highest-twos", "drops-twos"])
def test_no_height_is_shown_while_no_ladder_counts(name: str) -> None:
    task = find_task(name)
    state = play_turns(task)
    while not state.over:
        assert not any("0.0 cm" in line for line in describe_trial(state, task))
        assert state.fixed_face is not None
        state = replay_moves(state, (Roll(state.fixed_face), Draw(state.supply[0]), Take(), GiveUp()))
        state = replay_moves(state, () if state.over else (Rest(),))
    result = find_outcome(state)
    assert result is not None
    assert format_outcome(state, result)[1] == text("outcome.trial.none")


def test_only_rising_ladders_that_honour_the_die_count() -> None:
    task = find_task("aslant-first")
    one, two = (("L01",), 0.15), (("L01", "L02"), 0.15)
    assert play_turns(task, one, two, one, rises=(25.0, 60.0, 24.9)).trial_score == 2
    mistaken = play_turns(task, one, one, one, rises=(60.0, 60.0, 60.0))
    assert (mistaken.rises, mistaken.tears, mistaken.trial_score) == (2, (1,), 1)


def test_the_towers_of_the_last_days_can_be_played() -> None:
    today = [trial for trial in list_trials().lines if trial.name.startswith("today-")]
    assert not any("oday" in trial.title for trial in today), "the date names the day"
    assert len(today) == 7
    assert today[0].name == f"today-{datetime.date.today()}"
    assert len({trial.title for trial in today}) == 7
    assert all(find_task(trial.name).name == trial.name for trial in today)


FIRST = datetime.date(2026, 11, 1)
#: Four years, including a leap day.
DAYS = [FIRST + datetime.timedelta(days=number) for number in range(4 * 365)]
#: Digest of the first hundred days' deals, pinned because a player's best must stay with its tower.
DEAL_DIGEST = "516d9fa0bf86a51f840d38f107d98035dce03dd105a412776751654faa649f3e"


def test_the_deal_of_a_day_never_changes() -> None:
    tasks = [find_task(f"today-{day.isoformat()}") for day in DAYS[:100]]
    deals = [" ".join((*task.deal, *(face.value for face in task.faces))) for task in tasks]
    assert hashlib.sha256("\n".join(deals).encode()).hexdigest() == DEAL_DIGEST


def test_every_day_deals_a_valid_task() -> None:
    deals = set()
    for day in DAYS:
        task = find_task(f"today-{day.isoformat()}")
        assert task.kind is TaskKind.TODAY
        assert len(set(task.deal)) == len(task.deal) == len(task.faces) == 10
        assert not set(task.deal) & set(SLOT_LADDERS)
        assert set(Counter(task.faces[:6]).values()) == {2}, "the six faces of the die, shuffled"
        assert task.standing == (), "every day begins with the two ladders in their slots"
        bronze, silver, gold = task.medals
        assert bronze < silver < gold
        deals.add((task.deal, task.faces))
    assert len(deals) == len(DAYS)
