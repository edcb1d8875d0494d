"""Every game's log replays bit for bit, can be filmed, and can be reviewed if the game has reviews."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import av
import pytest
from games.drivers import DRIVERS
from games.drivers.driver import Driver
from games.every_game.steps import play_by_hand
from support.programs import armoon
from support.table_kit import IdealTable, Seats, command, one_sentence

from armoon.games import game_options
from armoon.messages import text

#: Code that registers the toy game in a separate process.
WITH_TOY = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from armoon.games import GAMES
GAMES["toy"] = "games.toy_game"
"""


@pytest.fixture(params=["mirror", pytest.param("table", marks=pytest.mark.long)])
def played_table(request: pytest.FixtureRequest, driver: Driver, seat: Seats) -> IdealTable:
    """Play a turn by hand, undo it, play a turn by keys, and close the table."""
    table = seat(driver.name, "--players", driver.players, "--seat", request.param)
    play_by_hand(driver, table)
    table.press("u")
    table.rest(1.0)
    driver.play_turn(table)
    table.close()
    return table


def test_a_log_verifies_and_replays_and_a_change_is_found(played_table: IdealTable) -> None:
    result = command("replay", str(played_table.log), "--verify")
    assert result.exit_code == 0, result.output
    result = command("replay", str(played_table.log), "--headless")
    assert result.exit_code == 0, result.output
    for sentence in played_table.sentences[-2:]:
        assert sentence.strip() in result.output
    lines = [json.loads(line) for line in played_table.log.read_text(encoding="utf-8").splitlines()]
    grab = next(line for line in lines if line["kind"] == "intent" and line["phase"] == "grab")
    grab["position"][0] += 1e-9
    played_table.log.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    assert command("replay", str(played_table.log), "--verify").exit_code == 1


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.parametrize("played_table", ["table"], indirect=True)
@pytest.mark.parametrize(
    "driver",
    [name if name == "toy" else pytest.param(name, marks=pytest.mark.long) for name in DRIVERS],
    indirect=True,
)
def test_a_log_can_be_filmed(played_table: IdealTable, tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    arguments = ("replay", str(played_table.log), "--headless", "--record", str(film))
    result = armoon(*arguments, cwd=tmp_path, prelude=WITH_TOY)
    assert result.returncode == 0, result.stderr
    assert film_duration_s(film) == pytest.approx(played_table.now_s, abs=1.0)
    with av.open(str(film)) as opened:
        stream = opened.streams.video[0]
        *_, last = opened.decode(stream)
    assert (stream.width, stream.height) == (640, 360)
    assert last.to_ndarray(format="bgr24").std() > 10.0  # not a plain colour


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize("name", [pytest.param("moon", marks=pytest.mark.long), "lake"])
def test_the_demo_plays_and_is_filmed(name: str, tmp_path: Path) -> None:
    film, log = tmp_path / "film.mp4", tmp_path / "game.jsonl"
    arguments = ("--camera", "demo", "--headless", "--size", "480x270", "--turns", "1", "--seed", "3")
    result = armoon(
        *(
            "play",
            "--game",
            name,
            *arguments,
            *(DRIVERS[name].demo or ()),
            "--players",
            DRIVERS[name].players,
        ),
        *("--record", str(film), "--log", str(log)),
        cwd=tmp_path,
    )
    assert result.returncode == 0, result.stderr
    assert film_duration_s(film) > 3.0
    verified = armoon("replay", str(log), "--verify", cwd=tmp_path)
    assert verified.returncode == 0, verified.stderr


@pytest.mark.parametrize("name", [d.name for d in DRIVERS.values() if d.demo is None])
def test_a_game_without_demo_is_reported(name: str, home: Path) -> None:
    arguments = ("--camera", "demo", "--headless", "--players", DRIVERS[name].players)
    assert text("game.no_demo") in one_sentence(command("play", "--game", name, *arguments))


def film_duration_s(film: Path) -> float:
    with av.open(str(film)) as opened:
        assert opened.duration is not None
        return float(opened.duration / av.time_base)


REVIEWED_GAMES = ("moon",)


@pytest.mark.parametrize("name", REVIEWED_GAMES)
def test_a_review_lists_and_draws_each_turn(name: str, seat: Seats, tmp_path: Path) -> None:
    driver = DRIVERS[name]
    table = seat(name, "--players", driver.players)
    driver.play_turn(table)
    driver.play_turn(table)
    table.close()
    picture = tmp_path / "curve.svg"
    result = command("review", str(table.log), "--picture", str(picture), "--think", "0.5")
    assert result.exit_code == 0, result.output
    rows = [line for line in result.output.splitlines() if line[:3].strip().isdigit()]
    assert len(rows) == 2
    assert text("review.kept", path=picture) in result.output
    drawn = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    assert sum(element.tag.endswith("polyline") for element in drawn) == 2


@pytest.mark.parametrize("name", REVIEWED_GAMES)
def test_a_bots_turn_is_reviewed_like_any_other(name: str, seat: Seats) -> None:
    driver = DRIVERS[name]
    bot = game_options(name).bot_kinds().words[0]
    table = seat(name, "--players", driver.players, "--bots", f"hand,{bot}")
    driver.play_turn(table)
    table.until(lambda: table.on_turn == 1, "the bot's turn")
    table.until(lambda: table.on_turn == 0 and table.game.match.at_rest, "the hand's turn", 60.0)
    table.close()
    result = command("review", str(table.log), "--think", "0.5")
    assert result.exit_code == 0, result.output
    rows = [line for line in result.output.splitlines() if line[:3].strip().isdigit()]
    assert [name in line for name, line in zip(table.game.match.players, rows, strict=True)] == [True, True]


@pytest.mark.parametrize("name", [name for name in DRIVERS if name not in REVIEWED_GAMES])
def test_a_game_without_review_is_reported(name: str, seat: Seats) -> None:
    table = seat(name, "--players", DRIVERS[name].players)
    table.close()
    assert text("review.none_remedy") in one_sentence(command("review", str(table.log)))


def test_a_file_that_is_not_a_log_is_refused(home: Path, tmp_path: Path) -> None:
    broken = tmp_path / "no.jsonl"
    broken.write_text("{}\n", encoding="utf-8")
    assert "no.jsonl" in one_sentence(command("review", str(broken)))
