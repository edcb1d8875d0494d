"""A recorded log replays bit for bit, and a replay finds any change to it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.app_kit import read_start, setup_for
from support.command_line import run
from support.log_kit import lines_of
from support.programs import armoon
from support.samples import LOGS, sample_log

from armoon.errors import LogError
from armoon.games.library import verify_log
from armoon.messages import text
from armoon.world.physics import describe_build

Record = dict[str, Any]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return the log of a complete turn that costs a tear."""
    return sample_log("moon-mirror", tmp_path)


@pytest.fixture
def placed(tmp_path: Path) -> Path:
    """Return the log of a turn in which the placement is accepted."""
    return sample_log("moon-short", tmp_path)


def rewrite_log(game: Path, folder: Path, change: Callable[[list[Record]], None]) -> Path:
    records = lines_of(game)
    change(records)
    path = folder / "changed.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def find_first(records: list[Record], kind: str) -> Record:
    return next(r for r in records if r["kind"] == kind)


def test_a_log_contains_all_documented_records(game: Path) -> None:
    records = lines_of(game)
    header = records[0]
    assert {"version", "seed", "edition", "players"} <= header.keys()
    assert {r["kind"] for r in records} >= {"hands", "intent", "move", "facts", "verdict", "poses", "end"}
    assert records[-1]["kind"] == "end"
    for verdict in (r for r in records if r["kind"] == "verdict"):
        assert {"player", "die", "ok", "rulings", "touched", "tears"} <= verdict.keys()
        assert verdict["player"] in range(len(header["players"]))
        assert verdict["die"] in ("ONE", "TWO", "MOON")
        assert isinstance(verdict["ok"], bool)
    assert read_start(json.loads(json.dumps(setup_for().header()))) == setup_for()


def test_a_new_process_replays_the_same_game(game: Path, tmp_path: Path) -> None:
    result = armoon("replay", str(game), "--verify", cwd=tmp_path, env={"PYTHONHASHSEED": "12345"})
    assert result.returncode == 0, result.stderr
    assert "bit for bit" in result.stdout


def flip_last_bit(number: float) -> float:
    return math.nextafter(number, math.inf)


def tamper_verdict(records: list[Record]) -> None:
    verdict = find_first(records, "verdict")
    verdict["ok"] = not verdict["ok"]


def tamper_pose(records: list[Record]) -> None:
    poses = records[-2]["poses"]
    piece = sorted(poses)[-1]
    poses[piece][0] = flip_last_bit(poses[piece][0])


def tamper_seed(records: list[Record]) -> None:
    records[0]["seed"] += 1


def drop_verdict(records: list[Record]) -> None:
    records.remove(find_first(records, "verdict"))


def invent_line(records: list[Record]) -> None:
    records.insert(-1, {"kind": "verdict", "ok": True})


def drop_hands(records: list[Record]) -> None:
    held = next(n for n, r in enumerate(records) if r["kind"] == "intent" and r["phase"] == "hold")
    hands = [r for r in records[held:] if r["kind"] == "hands"][:30]
    for record in hands:
        records.remove(record)


@pytest.mark.parametrize("change", [tamper_pose, tamper_seed, drop_verdict, invent_line, drop_hands])
def test_every_change_is_found(game: Path, tmp_path: Path, change: Callable[[list[Record]], None]) -> None:
    verification = verify_log(rewrite_log(game, tmp_path, change))
    assert not verification.same
    assert verification.difference


def test_a_truncated_log_ends_with_a_message_and_exit_code_2(game: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(game.read_bytes()[:-40])
    verified = run("replay", str(path), "--verify")
    replayed = run("replay", str(path), "--headless")
    for result in (verified, replayed):
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert "is cut or damaged" in result.stderr
        assert "Everything before that was" in result.stderr
    assert "bit for bit" in verified.output
    assert "1 turn was played" in replayed.output


WRONG_HEADERS: dict[str, Callable[[Record], object]] = {
    "another game": lambda h: h.update(game="lake"),
    "no build": lambda h: h.pop("build"),
    "an infinite seed": lambda h: h.update(seed=float("inf")),
    "an unknown edition": lambda h: h.update(edition="first"),
    "no players": lambda h: h.update(players=[]),
    "too many players": lambda h: h.update(players=list("ABCDEFGHIJ")),
    "a camera without a lens": lambda h: h["camera"].update(fx=0.0),
    "a camera with half a position": lambda h: h["table_from_camera"].update(position=[0.0, 1.0]),
    "a lens with one coefficient": lambda h: h["camera"].update(distortion=[0.0]),
}


@pytest.mark.parametrize("wrong", WRONG_HEADERS)
def test_a_wrong_header_is_reported(game: Path, tmp_path: Path, wrong: str) -> None:
    def break_header(records: list[Record]) -> None:
        WRONG_HEADERS[wrong](records[0])
        del records[9:]

    path = rewrite_log(game, tmp_path, break_header)
    with pytest.raises(LogError) as raised:
        verify_log(path)
    assert raised.value.remedy


def shake_poses(records: list[Record]) -> None:
    records[0]["build"] = "bullet 9 win_arm64"
    for record in records:
        for row in record.get("poses", {}).values():
            row[0] = flip_last_bit(row[0])


def lift_ladder(records: list[Record]) -> None:
    poses = next(r["poses"] for r in reversed(records) if r["kind"] == "poses")
    poses[sorted(poses)[-1]][2] += 0.5


def drop_contacts(records: list[Record]) -> None:
    for record in records:
        if record["kind"] == "facts":
            record["contacts"] = record["contacts"][1:]


def break_rules(records: list[Record]) -> None:
    records.remove(find_first(records, "move"))


def test_a_log_of_another_build_can_replay_bit_for_bit(game: Path, tmp_path: Path) -> None:
    verification = verify_log(
        rewrite_log(game, tmp_path, lambda records: records[0].update(build="bullet 9"))
    )
    assert (verification.same, verification.build, verification.checked) == (True, "", None)


def test_a_log_of_another_build_is_checked_line_by_line(placed: Path, tmp_path: Path) -> None:
    log = rewrite_log(placed, tmp_path, shake_poses)
    kinds = [r["kind"] for r in lines_of(log)]
    result = run("replay", str(log), "--verify", columns=400)
    assert result.exit_code == 0, result.output
    assert text("replay.other_build", logged="bullet 9 win_arm64", here=describe_build()) in result.output
    assert (
        text("replay.holds", count=kinds.count("verdict"), structures=kinds.count("poses")) in result.output
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (tamper_verdict, "the verdict doesn't follow from the moves"),
        (break_rules, "line "),
        (lift_ladder, "don't touch here"),
        (drop_contacts, "touch here"),
    ],
)
def test_a_log_of_another_build_that_breaks_the_rules_or_physics_is_reported(
    placed: Path, tmp_path: Path, change: Callable[[list[Record]], None], fault: str
) -> None:
    def tamper_both(records: list[Record]) -> None:
        shake_poses(records)
        change(records)

    log = rewrite_log(placed, tmp_path, tamper_both)
    result = run("replay", str(log), "--verify")
    assert result.exit_code == 1, result.output
    assert "isn't consistent: line " in result.output
    assert fault in result.output


@pytest.mark.parametrize("name", [name for name in LOGS if name != "moon-mirror"])
def test_a_log_replays_bit_for_bit(name: str, tmp_path: Path) -> None:
    log = sample_log(name, tmp_path)
    verification, records = verify_log(log), lines_of(log)
    assert verification.same, verification.difference
    assert verification.ticks == records[-1]["tick"]
    counted = "move" if name == "lake" else "verdict"
    assert verification.verdicts == sum(r["kind"] == counted for r in records) > 0
    assert not verification.damage
