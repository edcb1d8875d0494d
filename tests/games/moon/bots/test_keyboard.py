"""A person's seat without a camera: places by number, typed; the hand of the house carries the ladder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

import pytest

from armoon.engine.setup import Intake
from armoon.errors import ArmoonError
from armoon.games.moon import bots
from armoon.games.moon.bot_protocol import BotLine
from armoon.games.moon.bots import TypedPlayer
from armoon.games.moon.editions import Reason
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.options import TYPED, MoonOptions
from armoon.games.moon.play import bot_match, play_bots
from armoon.games.moon.records import begin, summary
from armoon.messages import text
from armoon.placement.values import Answer, Question
from armoon.saves.game_file import GameFile
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.values.places import LadderPlace
from armoon.values.poses import Pose


def place(height_m: float, slips: int = 8) -> LadderPlace:
    pose = Pose((0.0, 0.0, height_m))
    return LadderPlace(pose, pose, ("L01",), True, height_m, 1.0, slips)


#: Of the first search and of the second; what was hardly tried isn't offered.
FOUND = ([place(0.15), place(0.2), place(0.9, slips=2)], [place(0.3)])


class Found:
    asked: list[Question]
    found: Sequence[Sequence[LadderPlace]] = FOUND

    def __init__(self, *_: object, **__: object) -> None:
        Found.asked = []

    def ask(self, question: Question) -> None:
        self.asked.append(question)

    def wait(self, seconds: float) -> Answer:
        return Answer(tuple(self.found[len(self.asked) - 1]), done=True)

    def close(self) -> None:
        """Nothing runs."""


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> Iterator[MoonMatch]:
    monkeypatch.setattr(bots, "PlaceSearch", Found)
    monkeypatch.setattr(Found, "found", FOUND)
    made = bot_match(MoonOptions(bots=(TYPED, "pip")), ("Ann", "Pip"), 3)
    made.advance(Intake(0.1, 2, None, (Command(Act.ROLL),)))
    while made.state.ladder is None:
        made.advance(Intake(0.1, 2, None))
    yield made
    made.close()


Choose = Callable[..., tuple[list[BotLine], list[str]]]


@pytest.fixture
def choose(match: MoonMatch) -> Choose:
    def chosen(*lines: str) -> tuple[list[BotLine], list[str]]:
        said: list[str] = []
        waiting = list(lines)

        def read() -> str:
            if not waiting:
                raise EOFError
            return waiting.pop(0)

        player = TypedPlayer(match, said.append, read)
        assert player.poll_lines() == [], "nobody has asked"
        player.send_turn((), 8.0)
        heard = player.poll_lines()
        assert player.poll_lines() == []
        assert not waiting, "all was read"
        player.close()
        return heard, said

    return chosen


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (("2",), BotLine("place", pose=Pose((0.0, 0.0, 0.2)))),
        (("",), BotLine("place", pose=Pose((0.0, 0.0, 0.15)))),
        ((" 1 ",), BotLine("place", pose=Pose((0.0, 0.0, 0.15)))),
        (("0",), BotLine("pass")),
        (("M", "1"), BotLine("place", pose=Pose((0.0, 0.0, 0.3)))),
    ],
)
def test_a_number_is_a_place(lines: tuple[str, ...], answer: BotLine, choose: Choose) -> None:
    heard, said = choose(*lines)
    assert heard == [answer]
    assert "15 cm" in said[1]
    assert len({question.seed for question in Found.asked}) == len(Found.asked), "others are looked for"


@pytest.mark.parametrize("wrong", ["3", "-1", "two", "²", "1 2", "٣"])
def test_what_is_no_number_of_the_list_is_asked_for_again(wrong: str, choose: Choose) -> None:
    heard, said = choose(wrong, "1")
    assert heard == [BotLine("place", pose=Pose((0.0, 0.0, 0.15)))]
    assert said[-1] == text("bots.typed.again", count=2)


def test_where_nothing_holds_it_can_be_given_up(choose: Choose, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Found, "found", [[]])
    heard, said = choose("1", "", "0")
    assert heard == [BotLine("pass")]
    assert text("places.none") in said
    assert said[-1] == text("bots.typed.ask_none")


def test_when_nobody_types_any_more_one_sentence_says_so(choose: Choose) -> None:
    with pytest.raises(ArmoonError, match="--bots"):
        choose()


def test_two_people_play_to_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bots, "PlaceSearch", Found)
    monkeypatch.setattr(Found, "found", [FOUND[0]] * 9)
    said: list[str] = []
    bout = play_bots(
        MoonOptions(bots=(None, None)),
        ("Ann", "Ben"),
        3,
        lambda line: said.append(line.strip()),
        read=lambda: "0",
        keep=lambda match: begin(
            cast(MoonMatch, match), tmp_path / "typed.armoon", "2026-11-28T08:00:00", "0.1.0"
        ),
    )
    saved = summary(GameFile.read_saved(tmp_path / "typed.armoon"))
    assert (saved.over, saved.options.bots_by_seat) == (True, (None, None)), "who types is a person"
    assert {verdict.reason for _, verdict in bout.verdicts} == {Reason.GAVE_UP}
    assert bout.winners == (1,), "who began has the last tear first"
    assert any("Ben" in line and "to?" in line for line in said)
