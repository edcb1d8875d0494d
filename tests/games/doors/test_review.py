"""A played game is looked at again: turn by turn, with a picture; and a game of which nobody can say so says it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from games.drivers import DRIVERS
from support.doors_kit import Seats, command, in_one_sentence

from armoon.games import game_options
from armoon.messages import text

REVIEWED = ("moon",)


@pytest.mark.parametrize("name", REVIEWED)
def test_each_turn_is_told_and_drawn(name: str, seat: Seats, tmp_path: Path) -> None:
    driver = DRIVERS[name]
    table = seat(name, "--players", driver.players)
    driver.turn_by_keys(table)
    driver.turn_by_keys(table)
    table.close()
    picture = tmp_path / "curve.svg"
    done = command("review", str(table.log), "--picture", str(picture), "--think", "0.5")
    assert done.exit_code == 0, done.output
    told = [line for line in done.output.splitlines() if line[:3].strip().isdigit()]
    assert len(told) == 2
    assert text("review.kept", path=picture) in done.output
    drawn = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    assert sum(one.tag.endswith("polyline") for one in drawn) == 2


@pytest.mark.parametrize("name", REVIEWED)
def test_a_bots_turn_is_weighed_as_everybodys(name: str, seat: Seats) -> None:
    driver = DRIVERS[name]
    bot = game_options(name).bot_kinds().words[0]
    table = seat(name, "--players", driver.players, "--bots", f"hand,{bot}")
    driver.turn_by_keys(table)
    table.until(lambda: table.on_turn == 1, "the bot's turn")
    table.until(lambda: table.on_turn == 0 and table.game.match.at_rest, "the hand's turn", 60.0)
    table.close()
    done = command("review", str(table.log), "--think", "0.5")
    assert done.exit_code == 0, done.output
    told = [line for line in done.output.splitlines() if line[:3].strip().isdigit()]
    assert [name in line for name, line in zip(table.game.match.players, told, strict=True)] == [True, True]


@pytest.mark.parametrize("name", [name for name in DRIVERS if name not in REVIEWED])
def test_where_nobody_can_say_that_is_said(name: str, seat: Seats) -> None:
    table = seat(name, "--players", DRIVERS[name].players)
    table.close()
    assert text("review.none_remedy") in in_one_sentence(command("review", str(table.log)))


def test_a_file_that_is_no_log_is_refused(home: Path, tmp_path: Path) -> None:
    broken = tmp_path / "no.jsonl"
    broken.write_text("{}\n", encoding="utf-8")
    assert "no.jsonl" in in_one_sentence(command("review", str(broken)))
