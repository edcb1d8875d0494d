"""The players of a match: the first player, colours, hands and figures; the log verifies."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from support.app_kit import FRAME_S, FRAME_TICKS, IdealDemo, read_start, setup_for
from support.hands_kit import frame_of
from support.kill_table import speed_up_games
from support.lake_table_kit import LakeStart, lake_setup
from support.log_kit import lines_of, records_of

from armoon import messages
from armoon.app.setup import open_save
from armoon.engine.events import MatchEvent, Output
from armoon.engine.logbook import LogWriter
from armoon.engine.setup import Intake
from armoon.games.lake.match import LakeSetup
from armoon.games.library import verify_log
from armoon.games.moon import match as match_module
from armoon.games.moon.editions import FallPlace, Options, Reason, Verdict
from armoon.games.moon.events import StartingLadderRestored
from armoon.games.moon.figures import Figure, FigureKind, count_figures
from armoon.games.moon.kind import KIND
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.play import MoonGame
from armoon.games.moon.presenters import make_result
from armoon.games.moon.saving import resume_setup
from armoon.games.moon.scene import compose_scene
from armoon.saves.game_file import GameFile
from armoon.saves.profiles import load_results
from armoon.values.acts import Act
from armoon.values.pieces import Command, Facts, LadderSet, PieceId

GOLD, SKY = (0.9, 0.6, 0.0), (0.3, 0.7, 0.9)
KNOWN: dict[str, Any] = {
    "first_player": 1,
    "first_why": "age.youngest",
    "hands": ("left", "right"),
    "colours": (GOLD, SKY),
}
#: A game of two ladders.
SHORT = setup_for(**KNOWN, options=Options(supply_size=2))


@pytest.fixture
def match() -> Iterator[MoonMatch]:
    match = setup_for(**KNOWN).match()
    yield match
    match.close()


def test_the_first_player_is_shown_with_the_reason_until_the_roll(match: MoonMatch) -> None:
    """Ruling M3."""
    assert match.state.player == 1
    game = MoonGame(match)
    assert game.list_sentences(match.opening)[0] == "Ben begins, as the youngest."
    hud = compose_scene(match, 1.0, None).hud
    assert hud.verdict_text == "Ben begins, as the youngest."
    assert hud.verdict_good is None
    assert hud.hint == messages.text("hint.roll", player="Ben")
    for k in range(60):
        match.advance(Intake(k / 60.0, 1, None))
    assert match.state.die is not None
    assert compose_scene(match, 1.0, None).hud.verdict_text == ""


def test_colours_appear_beside_the_names_and_the_hint(match: MoonMatch) -> None:
    hud = compose_scene(match, 1.0, None).hud
    assert [(player.name, player.swatches) for player in hud.players] == [("Ann", (GOLD,)), ("Ben", (SKY,))]
    assert hud.hint_swatch == SKY
    assert [line.colours for line in make_result(match).lines] == [(GOLD,), (SKY,)]
    with closing(setup_for().match()) as plain:
        assert compose_scene(plain, 1.0, None).hud.players[0].swatches == ()
        assert compose_scene(plain, 1.0, None).hud.verdict_text == ""


def test_the_log_names_the_player_and_verifies(turn: FirstTurn) -> None:
    """The demo's right hand is alone in the picture, so it plays for left-handed players too."""
    assert turn.verdicts[0]["player"] == 1
    assert read_start(lines_of(turn.log)[0]) == SHORT
    verification = verify_log(turn.log)
    assert verification.same, verification.difference
    assert verification.verdicts == len(turn.verdicts)


def make_lake_start() -> LakeStart:
    start = lake_setup(3, hands=("either", "right", "left"), first_why="chance")
    return replace(start, game=LakeSetup(("Ann", "Ben", "Cleo"), 3, first_chooser=2))


def test_the_lake_shows_the_first_chooser() -> None:
    """Ruling L2."""
    from armoon.games.lake.layout import SWATCHES
    from armoon.games.lake.presenters import compose_scene as compose_lake
    from armoon.games.lake.rules import legal_moves

    match = make_lake_start().match()
    assert match.state.player == 2
    hud = compose_lake(match, 1.0, "").hud
    assert hud.banner == "Chance has picked Cleo to begin."
    assert hud.players[2].swatches == ()
    match.interpreter._refused_s = 1.0
    match.advance(Intake(1.5, 0, frame_of(time_s=1.5)))
    assert "left hand" in compose_lake(match, 1.0, "").hud.hint
    move = legal_moves(match.state)[1]
    match._play_move(move)
    hud = compose_lake(match, 1.0, "").hud
    assert hud.banner == ""
    assert hud.players[2].swatches == (SWATCHES[move.colour.value],)  # type: ignore[union-attr]


# Figures ----------------------------------------------------------------------------------------------------


def recognise_candle(ladders: LadderSet, facts: Facts, piece: PieceId, earlier: object) -> tuple[Figure, ...]:
    return (Figure(FigureKind.CANDLE, piece, ("L01",)),)


def count_made(match: MoonMatch) -> list[int]:
    return [counts.total() for counts in count_figures(match.figures.records, len(match.state.players))]


@dataclass(frozen=True)
class FirstTurn:
    """A short game in which the first turn made a figure and was undone."""

    log: Path
    verdicts: list[dict[str, Any]]
    save: Path
    """The saved game before the undo."""
    counts: list[int]
    saved_then: int
    """Figures in the saved game before the undo."""
    counts_after: list[int]
    saved_after: int


@pytest.fixture(scope="module")
def turn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirstTurn]:
    folder = tmp_path_factory.mktemp("turn")
    with pytest.MonkeyPatch.context() as patch:
        speed_up_games(patch.setattr)
        patch.setattr(match_module, "recognise_figures", recognise_candle)
        match = SHORT.match()
        writer = open_save(KIND, match, folder, print)
        assert writer is not None
        log, demo = LogWriter(folder / "game.jsonl"), IdealDemo(match)
        verdicts: list[dict[str, Any]] = []

        def write_output(output: Output) -> None:
            writer.write_now(output)
            for record in records_of(match, output):
                log.write_record(record)
                if record["kind"] == "verdict":
                    verdicts.append(record)

        def count_saved() -> int:
            return len(resume_setup(GameFile.read_saved(writer.path)).last_snapshot.figures)

        try:
            write_output(match.opening)
            while not sum(count_made(match)) and demo.frame < 6000:
                write_output(demo.step())
            save = shutil.copy(writer.path, folder / "then.armoon")
            before = count_made(match), count_saved()
            back = Command(Act.UNDO, "test", 1)
            write_output(match.advance(Intake(demo.frame * FRAME_S, 1, None, (back,))))
            after = count_made(match), count_saved()
            for record in records_of(match, match.finish()):
                log.write_record(record)
        finally:
            log.close()
            demo.close()
            writer.close()
            match.close()
        yield FirstTurn(folder / "game.jsonl", verdicts, Path(save), *before, *after)


def test_undoing_a_turn_removes_its_figures_from_the_save(turn: FirstTurn) -> None:
    """Ruling X4."""
    assert (sum(turn.counts), turn.saved_then) == (1, 1)
    assert (sum(turn.counts_after), turn.saved_after) == (0, 0)


def test_figures_survive_a_resume_and_reach_the_result(turn: FirstTurn, tmp_path: Path) -> None:
    saved = GameFile.read_saved(Path(shutil.copy(turn.save, tmp_path / "game.armoon")))
    point = resume_setup(saved)
    assert [by_player.figures[0].kind for by_player in point.last_snapshot.figures] == [FigureKind.CANDLE]
    path = tmp_path / "resumed.jsonl"
    resumed = replace(SHORT, game=point).match()
    writer = open_save(KIND, resumed, tmp_path, print, saved)
    assert writer is not None
    log = LogWriter(path)
    try:
        assert count_made(resumed) == turn.counts
        for record in records_of(resumed, resumed.opening):
            log.write_record(record)
        writer.write_now(resumed.opening)
        for frame in range(600):
            gives_up = (Command(Act.GIVE_UP),) if resumed.state.ladder is not None else ()
            output = resumed.advance(Intake(frame * FRAME_S, FRAME_TICKS, None, gives_up))
            writer.write_now(output)
            for record in records_of(resumed, output):
                log.write_record(record)
            if resumed.state.over:
                break
        assert resumed.state.over
        after = count_made(resumed)
        (placed, *_), result_news = point.last_snapshot.figures, make_result(resumed)
        notes = [line.note for line in result_news.lines]
        height = messages.centimetres(resumed.facts[placed.piece].highest_m)
        words = messages.text("result.highest_of", height=height, player=resumed.players[placed.player])
        assert words in result_news.more, "the height of a ladder placed before the game was resumed"
        for record in records_of(resumed, resumed.finish()):
            log.write_record(record)
    finally:
        log.close()
        writer.close()
        resumed.close()
    assert notes == [f"{count} figure{'' if count == 1 else 's'}" for count in after]
    (result,) = load_results(tmp_path).results
    assert result.figures == {
        name: {"candle": count} for name, count in zip(SHORT.game.players, after, strict=True) if count
    }
    verification = verify_log(path)
    assert verification.same, verification.difference


def test_a_starting_ladder_that_is_put_back_is_announced(match: MoonMatch) -> None:
    """Ruling M3."""
    event = MatchEvent(0, StartingLadderRestored("L01"), match.state, match.state)
    sentences = MoonGame(match).list_sentences(Output((event,), match.state))
    assert messages.text("notice.stood_back") in sentences


def test_further_falls_in_an_incident_are_reported_once(match: MoonMatch) -> None:
    """Ruling F4."""
    game = MoonGame(match)
    falls = Verdict(1, 1, False, Reason.SAME_INCIDENT, ("F4", "F2"), fallen=(("L07", FallPlace.TABLE),))
    first = replace(falls, reason=Reason.OTHERS_FELL, charged=1, tears=1, fallen=(("L06", FallPlace.TABLE),))

    def describe(*verdicts: Verdict) -> str:
        state = match.state
        events = tuple(MatchEvent(0, verdict, state, state) for verdict in verdicts)
        return "\n".join(game.list_sentences(Output(events, state)))

    assert "Still falling" not in describe(first)
    assert describe(falls, falls).count("Still falling") == 1
    assert "Still falling" not in describe(falls), "later falls are not reported"
    assert "Still falling" not in describe(first)
    assert "Still falling" in describe(falls), "another incident"
