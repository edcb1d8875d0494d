"""The frozen tables are the published ones, and their places hold; programs of others enter by the page alone."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from benchmarks.place_parts.truth import Truth
from benchmarks.placement_parts import failures, making, page, results
from benchmarks.placement_parts.cases import STANDING, Case
from benchmarks.placement_parts.casting import by_chance, entered_player
from benchmarks.placement_parts.entries import REACH_M, Program, read_entry
from benchmarks.placement_parts.heldout import commitment, revealed
from benchmarks.placement_parts.setting import SKELETON, Setting, seat_at
from benchmarks.placement_parts.stages import SkeletonStage
from benchmarks.placement_parts.table import PlacementTable
from benchmarks.placement_parts.tables import (
    ADDED,
    BUILDER_KINDS,
    GOAL_KINDS,
    SEATS,
    SHA256_FIRST,
    SHA256_V1,
    Table,
    Tables,
    cases_of,
    digest,
    read_tables,
)
from benchmarks.placement_parts.trial import Outcome, run_trial
from benchmarks.structures.towers import starting_structure
from support.checkout import CHECKOUT

from armoon.codec import convert, encode_json
from armoon.errors import SettingsError
from armoon.games.contract.kind import Viewed
from armoon.games.moon.rules.values import face_of_turn
from armoon.geometry import CameraModel, pose_compose
from armoon.synthetic_camera.look import HANDS_BY_NAME
from armoon.values.intents import GripIntent, GripPhase
from armoon.values.poses import Pose
from armoon.values.scene import Scene, SceneHand, SceneHud
from armoon.world.physics import build

PAGE = CHECKOUT / "docs" / "benchmark.md"
#: Goals on which the page's player is played: it places one of them at least.
PLAYED = 3


@pytest.fixture(scope="module")
def tables() -> Tables:
    return read_tables()


def test_the_tables_are_the_published_ones(tables: Tables) -> None:
    assert digest() == SHA256_V1
    assert SHA256_V1 in PAGE.read_text(encoding="utf-8")
    assert tables.schema == "armoon-placement-tables/1"


def test_the_tables_of_version_1_1_are_in_these_bit_by_bit_and_come_first(tables: Tables) -> None:
    def known(table: Table) -> Table:
        return replace(table, goals=tuple(g for g in table.goals if g.seed % 1_000_000 < ADDED))

    first = making.dealt(known(table) for table in tables.tables)
    assert hashlib.sha256(encode_json(first, indent=1) + b"\n").hexdigest() == SHA256_FIRST
    for standing in STANDING:
        earlier = cases_of(first, standing)
        assert cases_of(tables, standing)[: len(earlier)] == earlier


@pytest.mark.parametrize("towers", [(1, 7), pytest.param((0, 7), marks=pytest.mark.slow)])
def test_the_same_physics_makes_the_same_tables(
    tables: Tables, towers: tuple[int, int], tmp_path: Path
) -> None:
    if tables.build != build():
        pytest.skip(f"made with {tables.build}")
    path, sizes = tmp_path / "tables.json", STANDING[: 1 + (0 in towers)]
    making.make(path, towers, sizes)
    frozen = {(table.tower, table.standing): table for table in tables.tables}
    again = read_tables(path).tables
    assert [(table.standing, table.tower) for table in again] == list(product(sizes, towers))
    for table in again:
        known = frozen[table.tower, table.standing]
        assert known.placed == table.placed, "bit by bit"
        # Seats and hands are dealt over all tables, and goals that other towers lack are added at the end.
        goals = known.goals[: len(table.goals)]
        undealt = [
            replace(goal, seat=one.seat, hand=one.hand) for goal, one in zip(goals, table.goals, strict=True)
        ]
        assert undealt == list(table.goals)


def test_ten_towers_of_three_kinds_of_builders_with_goals_of_all_kinds(tables: Tables) -> None:
    assert {table.tower for table in tables.tables if table.standing == 2} == set(range(10))
    towers = Counter(table.builder for table in tables.tables if table.standing == 2)
    assert towers == {"flat": 3, "climbing": 4, "wild": 3}
    cases = [case for standing in STANDING for case in cases_of(tables, standing)]
    assert {case.kind for case in cases} == set(GOAL_KINDS)
    assert {case.builder for case in cases} == set(BUILDER_KINDS)
    assert len({case.seed for case in cases}) == len(cases)
    for standing in STANDING:
        here = cases_of(tables, standing)
        seats = Counter(case.seat for case in here)
        assert abs(seats["table"] - seats["mirror"]) <= 1, "each in one seat, half in each"
        if len(here) >= 16:
            assert {(case.hand, case.seat) for case in here} == set(product(HANDS_BY_NAME, SEATS))
        assert len(here) >= 26 or standing > 8
    told = f"{tables.passed_over} of {len(cases) + tables.passed_over}"
    assert told in PAGE.read_text(encoding="utf-8")


def test_ladder_and_die_of_each_goal_are_those_that_its_game_draws(tables: Tables) -> None:
    for table in tables.tables:
        assert len(table.placed) + 2 == table.standing
        for goal, case in zip(
            table.goals, [c for c in cases_of(tables, table.standing) if c.tower == table.tower], strict=True
        ):
            state = case.state()
            assert state.supply[0] == goal.piece
            assert face_of_turn(case.game_seed, state.turn).value == goal.die


@pytest.mark.parametrize("standing", [2, 8])
def test_a_ladder_that_is_let_go_of_at_its_goal_honours_the_die(tables: Tables, standing: int) -> None:
    start = starting_structure(2)
    truth = Truth(start.ladders, start.base)
    try:
        for case in cases_of(tables, standing)[:2]:
            assert case.release is not None
            state = case.state()
            there = (*start.standing, *((name, pose, False) for name, pose in case.placed))
            die = face_of_turn(case.game_seed, state.turn)
            assert truth.honours(there, state.supply[0], case.release, die), case
    finally:
        truth.close()


def test_the_pages_rows_are_written_from_figures_of_these_tables_alone() -> None:
    share = {
        "trials": 2,
        "placed": 1,
        "placed_95": (0.09, 0.91),
        "honoured": 2,
        "dropped": 0,
        "seconds": 8.25,
    }
    none = {**share, "trials": 0, "placed": 0}
    kinds = {kind: share if kind == "flat" else none for kind in GOAL_KINDS}
    seats = {seat: share if seat == "table" else none for seat in SEATS}
    row = {"name": "practised", "tracker": "skeleton", "standing": 24, **share}
    text = PAGE.read_text(encoding="utf-8")
    by_hand = {"by_hand": {"child": share, "long": none}, "by_builder": {}, "by_tower": {"10": share}}
    whole = {**row, "by_kind": kinds, "by_seat": seats, **by_hand}
    figures = {"tables": SHA256_V1, "rows": [whole, {**whole, "standing": 2}]}
    again = page.written(page.written(text, []), [figures])
    rows = again.split(page.BEGIN)[1].split(page.END)[0].splitlines()
    assert "| practised, skeleton, 24 | 2 | 1 | 9 to 91 % | 2 | 0 | 8.2 |" in rows
    assert "| practised, skeleton, 24 | 1/2 | - | 1/2 | - | - | - |" in rows
    assert rows[-3:] == ["| hand child | 2/4 |", "| hand long | - |", "| tower 10 | 2/4 |"], "over all sizes"
    assert max(map(len, rows)) <= 80
    with pytest.raises(ValueError, match="other tables"):
        page.written(text, [{"tables": "0", "rows": []}])


# Entries ----------------------------------------------------------------------------------------------------


def written_by_the_page(folder: Path, name: str) -> Path:
    """Write the example of this name as a reader of the page would copy it; its entry file."""
    text = PAGE.read_text(encoding="utf-8")
    for file, content in re.findall(r"`(\w+\.(?:py|json))`:\n\n```\w+\n(.*?)```", text, re.DOTALL):
        (folder / file).write_text(content.replace('"python3"', json.dumps(sys.executable)), encoding="utf-8")
    return folder / f"{name}.json"


def case_of(tables: Tables) -> Case:
    return cases_of(tables, 2)[0]


@pytest.mark.parametrize("name", [pytest.param("my_player", marks=pytest.mark.slow), "my_grip"])
def test_a_program_of_the_page_plays_and_its_log_proves_what_came_of_it(
    tables: Tables, name: str, tmp_path: Path
) -> None:
    path = written_by_the_page(tmp_path, name)
    case, log = case_of(tables), tmp_path / "log.jsonl"
    with Program(read_entry(path), tmp_path) as program:
        outcome = run_trial(Setting(standing=2, tracker=SKELETON, eye="exact"), case, program, log)
    assert outcome is not None
    assert outcome.grabbed == (name == "my_player"), "the page's player takes the ladder, its grip never does"
    assert results.proved(log, case) == outcome.placed
    changed = replace(case, touched=("L99",))
    assert not results.proved(log, changed)
    log.write_text(
        log.read_text(encoding="utf-8").replace('"phase":"hover"', '"phase":"hold"', 1), encoding="utf-8"
    )
    with pytest.raises(SettingsError, match=r"isn't what was played|another table"):
        results.proved(log, case)


@pytest.mark.slow
@pytest.mark.gl
def test_a_tracker_of_the_page_is_shown_pictures(tables: Tables, tmp_path: Path) -> None:
    path = written_by_the_page(tmp_path, "my_tracker")
    with Program(read_entry(path), tmp_path) as program:
        outcome = run_trial(Setting(standing=2, eye="exact"), case_of(tables), program)
    assert outcome is not None
    assert not outcome.grabbed, "it sees no hand"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("nothing", "no line of JSON"),
        ("[]", "something else"),
        ('{"closing": 7}', "closing"),
        ('{"key": ["x", 1]}', "key"),
    ],
)
def test_a_program_that_answers_wrongly_is_told_so(
    tables: Tables, answer: str, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "wrong.py").write_text(
        f"import sys\nfor n, line in enumerate(sys.stdin):\n    print('{{}}' if n == 0 else {answer!r}, flush=True)\n",
        encoding="utf-8",
    )
    entry = tmp_path / "wrong.json"
    command = [sys.executable, "wrong.py"]
    entry.write_text(json.dumps({"name": "wrong", "track": "player", "command": command}), encoding="utf-8")
    with (
        Program(read_entry(entry), tmp_path) as program,
        pytest.raises(SettingsError, match=fault),
    ):
        run_trial(Setting(standing=2, tracker=SKELETON), case_of(tables), program)


@pytest.mark.parametrize("standing", [8, 16])
def test_a_log_that_begins_on_a_tower_can_be_stepped_again(
    tables: Tables, standing: int, tmp_path: Path
) -> None:
    case, log = cases_of(tables, standing)[0], tmp_path / "log.jsonl"
    table = PlacementTable(case.seed, seat_at(Setting(seat=case.seat)), case, log=log)
    assert table.match.state.die is not None
    assert table.match.state.die.value == case.die
    table.close()
    assert not results.proved(log, case), "nothing was placed, and every bit is the same"


@pytest.fixture
def by_skeleton(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play entries without pictures, at two ladders only."""

    def run(setting: Setting, case: Case, program: Program | None, log: Path | None) -> Outcome | None:
        return run_trial(replace(setting, tracker=SKELETON), case, program, log)

    monkeypatch.setattr(results, "run_trial", run)
    monkeypatch.setattr(results, "STANDING", (2,))


@pytest.mark.slow
@pytest.mark.usefixtures("by_skeleton")
def test_an_honest_result_of_the_pages_player_is_accepted_and_a_changed_one_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "result"
    proved, known = results.proved, dict[tuple[bytes, int], bool]()

    def proved_once(log: Path, case: Case) -> bool:
        """The same log is the same proof, and a changed one is stepped again."""
        key = (log.read_bytes(), case.seed)
        if key not in known:
            known[key] = proved(log, case)
        return known[key]

    monkeypatch.setattr(results, "proved", proved_once)
    entry = written_by_the_page(tmp_path, "my_player")
    played = results.play(entry, folder, PLAYED)
    assert results.check(folder) == played
    counts = Counter(one.placed for one in played.trials)
    assert counts[True], "the page's player places some"
    for number, one in enumerate(played.trials):
        flattered = replace(one, placed=not one.placed)
        refused(folder, played, number, flattered, "otherwise")
    first, second = played.trials[:2]
    refused(folder, played, 1, replace(second, log=first.log, sha256=first.sha256), "another table")
    log = folder / first.log
    honest = log.read_bytes()
    log.write_bytes(honest.replace(b'"phase":"hover"', b'"phase":"hold"', 1))
    refused(folder, played, 0, first, "another log")
    changed = hashlib.sha256(log.read_bytes()).hexdigest()
    refused(folder, played, 0, replace(first, sha256=changed), r"isn't what was played")
    log.write_bytes(honest)
    (folder / results.RESULT).write_bytes(encode_json(played))
    assert results.check(folder) == played
    assert len(known) == len(played.trials), "each honest log was stepped again, and no other proves anything"


def refused(folder: Path, honest: results.Result, number: int, trial: results.Played, fault: str) -> None:
    """Write a result with one trial changed, and see it refused."""
    trials = (*honest.trials[:number], trial, *honest.trials[number + 1 :])
    (folder / results.RESULT).write_bytes(encode_json(replace(honest, trials=trials)))
    with pytest.raises(SettingsError, match=fault):
        results.check(folder)


def test_a_result_that_leaves_goals_out_is_refused(tables: Tables, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"no result\.json"):
        results.check(tmp_path)
    second = cases_of(tables, 2)[1]
    played = results.Played(2, second.seat, second.seed, True, False, 1.0, "log.jsonl", "")
    picked = results.Result("mine", "me", "player", digest(), "", (played,))
    (tmp_path / results.RESULT).write_bytes(encode_json(picked))
    with pytest.raises(SettingsError, match="first 1 goals at 2"):
        results.check(tmp_path)


def test_the_film_of_a_failure_shows_goal_and_fingers(tables: Tables, tmp_path: Path) -> None:
    case = cases_of(tables, 24)[0]
    named = [
        failures.case_of(tmp_path / name.format(case.seed), [case]) for name in ("{}.x", "a-24-{}-table.x")
    ]
    assert named == [case, case]
    with pytest.raises(SettingsError, match="names no goal"):
        failures.case_of(tmp_path / "a-24-1-table.jsonl", [case])
    points = tuple((100.0 + k, 50.0) for k in range(21))
    hand = SceneHand(points, (0.5,) * 21, None, 1.0, 0.0)
    home = Pose((0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0))
    shown = failures.with_goal(Scene(0, (), (hand,), SceneHud(), home_from_table=home), case)
    assert case.release is not None
    assert not shown.hands
    assert [ghost.pose for ghost in shown.ghosts] == [pose_compose(home, case.release)]
    camera = CameraModel.from_field_of_view(640, 360, 1.0)
    for mirrored, phase in product((False, True), GripPhase):
        picture = np.zeros((720, 1280, 3), dtype=np.uint8)
        viewed = Viewed(camera, Pose((0.0, 0.0, 1.0)), mirrored)
        grip = GripIntent(0.0, "hand:1", phase, Pose((0.0, 0.0, 0.0)), (0.0, 0.0, 1.0))
        failures.mark_fingers(picture, [hand], grip, viewed)
        colour = failures.CLOSED if phase in (GripPhase.GRAB, GripPhase.HOLD) else failures.OPEN
        drawn = np.argwhere((picture == colour).all(axis=2))
        across = 1279 - drawn[:, 1] if mirrored else drawn[:, 1]
        assert 195 <= across.min() <= across.max() <= 226, "twice as large as the camera's picture"
        assert (np.ptp(drawn[:, 0]) > 10) == (colour == failures.CLOSED), "a ring around fingers that hold"


def test_chance_lets_go_above_any_ladder_that_stands(tables: Tables) -> None:
    case = cases_of(tables, 8)[0]
    table = PlacementTable(case.seed, seat_at(Setting(seat=case.seat)), case)
    standing = {p.piece for p in table.facts.pieces if p.piece != table.piece}
    plans = [by_chance(table, random.Random(seed)) for seed in range(8)]
    table.close()
    assert all(plan.touched and set(plan.touched) <= standing for plan in plans)
    assert len({plan.touched for plan in plans}) > 3


class Bold:
    """A program that goes straight for the camera."""

    def read(self, kind: type[Any], message: Mapping[str, Any]) -> Any:
        return convert(kind, {"move_m": (0.0, -1.0, 0.0)})


@pytest.mark.parametrize("seat", SEATS)
def test_no_entered_hand_goes_into_the_camera(tables: Tables, seat: str) -> None:
    case = case_of(tables)
    stage = SkeletonStage(Setting(seat=seat))
    table = PlacementTable(case.seed, stage.seat, case)
    assert case.plan is not None
    player = entered_player(cast("Program", Bold()), stage, table, case.plan)
    for frame in range(60):
        player.move(table.facts, table.match.home_from_table(), frame / 30.0, 1.0 / 30.0)
    table.close()
    assert math.hypot(*player.pose.position) <= REACH_M + 1e-9
    assert player.pose.position[1] < -0.25


def test_an_entry_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "entry.json"
    with pytest.raises(SettingsError, match=r"entry\.json"):
        read_entry(path)
    path.write_text('{"name": "x", "track": "dance", "command": ["true"]}', encoding="utf-8")
    with pytest.raises(SettingsError, match="track"):
        read_entry(path)


def test_what_was_committed_to_is_recognised_when_it_is_revealed() -> None:
    hashed = commitment("a salt of one's own", 24)
    assert revealed("a salt of one's own", 24, hashed) == revealed("a salt of one's own", 24, hashed)
    assert len(set(revealed("a salt of one's own", 24, hashed))) == 24
    with pytest.raises(SettingsError, match="not what was committed"):
        revealed("another salt", 24, hashed)
