"""A person's seat without a camera: places are typed as numbers, and a simulated hand carries the ladder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from armoon.engine.setup import Intake
from armoon.errors import ArmoonError
from armoon.games.moon import bots
from armoon.games.moon.bot_protocol import BotLine
from armoon.games.moon.bots import TypedPlayer
from armoon.games.moon.editions import Reason
from armoon.games.moon.kind import KIND
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.options import TYPED, MoonOptions
from armoon.games.moon.play import create_bot_match, play_bots
from armoon.games.moon.records import summarise
from armoon.games.moon.saving import load_verdicts
from armoon.messages import text
from armoon.placement.values import Answer, Question
from armoon.saves.game_file import GameFile
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.values.places import LadderPlace
from armoon.values.poses import Pose


def make_place(height_m: float, slips: int = 8) -> LadderPlace:
    pose = Pose((0.0, 0.0, height_m))
    return LadderPlace(pose, pose, ("L01",), True, height_m, 1.0, slips)


#: Places of the first and of the second search; a place with few slips tried isn't offered.
SEARCH_RESULTS = ([make_place(0.15), make_place(0.2), make_place(0.9, slips=2)], [make_place(0.3)])


class FixedSearch:
    questions: list[Question]
    found: Sequence[Sequence[LadderPlace]] = SEARCH_RESULTS

    def __init__(self, *_: object, **__: object) -> None:
        FixedSearch.questions = []

    def ask(self, question: Question) -> None:
        self.questions.append(question)

    def wait(self, seconds: float) -> Answer:
        return Answer(tuple(self.found[len(self.questions) - 1]), done=True)

    def close(self) -> None:
        """Nothing to close."""


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> Iterator[MoonMatch]:
    monkeypatch.setattr(bots, "PlaceSearch", FixedSearch)
    monkeypatch.setattr(FixedSearch, "found", SEARCH_RESULTS)
    bot_game = create_bot_match(MoonOptions(bots=(TYPED, "pip")), ("Ann", "Pip"), 3)
    bot_game.advance(Intake(0.1, 2, None, (Command(Act.ROLL),)))
    while bot_game.state.ladder is None:
        bot_game.advance(Intake(0.1, 2, None))
    yield bot_game
    bot_game.close()


TypeLines = Callable[..., tuple[list[BotLine], list[str]]]


@pytest.fixture
def type_lines(match: MoonMatch) -> TypeLines:
    def type_all(*lines: str) -> tuple[list[BotLine], list[str]]:
        printed: list[str] = []
        waiting = list(lines)

        def read() -> str:
            if not waiting:
                raise EOFError
            return waiting.pop(0)

        player = TypedPlayer(match, printed.append, read)
        assert player.poll_lines() == [], "lines were sent before any turn"
        player.send_turn((), 8.0)
        answers = player.poll_lines()
        assert player.poll_lines() == []
        assert not waiting, "some lines were not read"
        player.close()
        return answers, printed

    return type_all


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
def test_a_typed_number_chooses_a_place(
    lines: tuple[str, ...], answer: BotLine, type_lines: TypeLines
) -> None:
    answers, printed = type_lines(*lines)
    assert answers == [answer]
    assert "15 cm" in printed[1]
    seeds = [question.seed for question in FixedSearch.questions]
    assert len(set(seeds)) == len(seeds), "two searches share a seed"


@pytest.mark.parametrize("wrong", ["3", "-1", "two", "²", "1 2", "٣"])
def test_after_an_invalid_number_the_game_asks_again(wrong: str, type_lines: TypeLines) -> None:
    answers, printed = type_lines(wrong, "1")
    assert answers == [BotLine("place", pose=Pose((0.0, 0.0, 0.15)))]
    assert printed[-1] == text("bots.typed.again", count=2)


def test_without_places_the_ladder_can_be_given_up(
    type_lines: TypeLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FixedSearch, "found", [[]])
    answers, printed = type_lines("1", "", "0")
    assert answers == [BotLine("pass")]
    assert text("places.none") in printed
    assert printed[-1] == text("bots.typed.ask_none")


def test_the_end_of_input_raises_an_error_with_a_remedy(type_lines: TypeLines) -> None:
    with pytest.raises(ArmoonError, match="--bots"):
        type_lines()


def test_two_people_play_to_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bots, "PlaceSearch", FixedSearch)
    monkeypatch.setattr(FixedSearch, "found", [SEARCH_RESULTS[0]] * 9)
    printed, path = list[str](), tmp_path / "typed.armoon"
    winners, _ = play_bots(
        MoonOptions(bots=(None, None)),
        ("Ann", "Ben"),
        3,
        lambda line: printed.append(line.strip()),
        read=lambda: "0",
        create_save=lambda match: KIND.create_writer(match, path, "2026-11-28T08:00:00", "0.1.0"),
    )
    game = GameFile.read_saved(path)
    saved = summarise(game)
    assert (saved.over, saved.options.bots_by_seat) == (True, (None, None)), "a typing player counts as a bot"
    assert {verdict.reason for _, verdict in load_verdicts(game)} == {Reason.GAVE_UP}
    assert winners == (1,), "the first player took their last tear first"
    assert any("Ben" in line and "to?" in line for line in printed)
