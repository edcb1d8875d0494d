"""Trials played through the ordinary engine: proofs, log, save, resume, bests and the best run's ghost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.log_kit import records_of
from support.saves_kit import save_trial
from support.waiting import until
from trial_proofs.proving import Proof, play_task, replay_proof

from armoon.app import waiting as reviewing_page
from armoon.app.waiting import ReviewJob
from armoon.engine.events import Output
from armoon.engine.logbook import LogWriter, SavedGameWriter
from armoon.games.library import verify_log
from armoon.games.moon.editions import EditionName, Medal, Task
from armoon.games.moon.kind import KIND
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.play import MoonGame
from armoon.games.moon.records import confirm_results, list_best_results, load_best_results, load_places
from armoon.games.moon.review import CHANCE_LOSS
from armoon.games.moon.saving import resume_setup
from armoon.games.moon.trials import BUILT_IN, find_task
from armoon.games.news import ResultNews
from armoon.messages import text
from armoon.saves.game_file import SUFFIX, GameFile
from armoon.saves.profiles import Result, load_results, store_result
from armoon.screens.events import Request
from armoon.values.choices import Slots
from armoon.values.player_settings import Handicap
from armoon.values.poses import Pose

PROOFS = Path(__file__).with_name("proofs")
#: Proofs played in every run of the tests.
QUICK = {"place-three", "drops-first"}
#: Proofs played in a full run; those in neither set are played only with the long tests.
SLOW = {"today-2026-12-24", "endless-one-tear"}


def load_proof(path: Path) -> Proof:
    plain = json.loads(path.read_text(encoding="utf-8"))
    releases = tuple(None if row is None else Pose.from_row(row) for row in plain["releases"])
    return Proof(plain["score"], releases)


def mark_proofs(paths: Sequence[Path]) -> list[object]:
    def mark(path: Path) -> tuple[pytest.MarkDecorator, ...]:
        return () if path.stem in QUICK else (pytest.mark.slow if path.stem in SLOW else pytest.mark.long,)

    return [pytest.param(path, id=path.stem, marks=mark(path)) for path in paths]


def test_every_task_has_its_proof() -> None:
    names = {path.stem for path in BUILT_IN.glob("*.toml")} - {"today"}
    proved = {path.stem for path in PROOFS.glob("*.json")}
    assert names == {name for name in proved if not name.startswith("today-")}
    assert any(name.startswith("today-") for name in proved)


ALL = sorted(PROOFS.glob("*.json"))
ENDLESS = [path for path in ALL if path.stem.startswith("endless")]


@pytest.mark.parametrize("path", mark_proofs([path for path in ALL if path not in ENDLESS]))
def test_a_proof_still_holds(path: Path) -> None:
    """The same places give the same score and a medal: gold, except for a daily tower."""
    task, proof = find_task(path.stem), load_proof(path)
    replayed = replay_proof(task, proof.releases)
    assert replayed.score == proof.score
    medal = task.find_medal(replayed.score)
    assert medal is not None if path.stem.startswith("today-") else medal is Medal.GOLD


@pytest.mark.parametrize("medal", [Medal.BRONZE, pytest.param(Medal.GOLD, marks=pytest.mark.long)])
@pytest.mark.parametrize("path", mark_proofs(ENDLESS))
def test_an_endless_task_is_played_until_a_medal(path: Path, medal: Medal) -> None:
    """The proof places twice as many ladders; giving up the others doesn't lose the medal."""
    task, proof = find_task(path.stem), load_proof(path)
    goal = task.medals[list(Medal).index(medal)]
    scores: list[int | None] = []

    def choose_release(match: MoonMatch) -> Pose | None:
        scores.append(match.state.trial_score)
        turn = match.state.turn
        return proof.releases[turn - 1] if (scores[-1] or 0) < goal else None

    replayed = play_task(task, choose_release)
    assert replayed.score == goal
    assert task.find_medal(replayed.score) is medal
    assert scores == sorted(scores, key=lambda score: score or 0), "the score never falls"


@pytest.mark.long
@pytest.mark.parametrize("path", ENDLESS, ids=lambda path: str(path.stem))
def test_the_proof_of_an_endless_task_holds_to_its_end(path: Path) -> None:
    assert replay_proof(find_task(path.stem), load_proof(path).releases) == load_proof(path)


class _Recorder:
    def __init__(self, folder: Path, last_turn: int = 99) -> None:
        self._folder, self._last_turn = folder, last_turn
        self.log = folder / "trial.jsonl"
        self.save = folder / "moon-trial.armoon"
        self._open: tuple[LogWriter, SavedGameWriter] | None = None

    def __call__(self, match: MoonMatch, output: Output) -> None:
        if self._open is None:
            writer = LogWriter(self.log)
            self._open = writer, KIND.create_writer(match, self.save, "2026-11-22T12:00:00", "0")
        log, save = self._open
        for record in records_of(match, output):
            log.write_record(record)
        save.write_now(output)
        if match.over or match.state.turn > self._last_turn:
            for record in records_of(match, match.finish()):
                log.write_record(record)
            log.close()
            save.close()
            if not match.over:
                raise EOFError


@pytest.fixture(scope="module")
def played_trial(tmp_path_factory: pytest.TempPathFactory) -> _Recorder:
    """A trial of three ladders, played to its end."""
    recorder, proof = _Recorder(tmp_path_factory.mktemp("trial")), load_proof(PROOFS / "place-three.json")
    assert replay_proof(find_task("place-three"), proof.releases, recorder) == proof
    return recorder


def test_a_trial_keeps_its_log_save_result_and_ghost(played_trial: _Recorder) -> None:
    task, tmp_path = find_task("place-three"), played_trial.log.parent
    proof = load_proof(PROOFS / "place-three.json")
    verified = verify_log(played_trial.log)
    assert verified.same, verified.difference
    assert verified.verdicts == len(task.deal)
    results = load_results(tmp_path).results
    (result,) = results
    assert (result.trial, result.reached, result.score) == (task.name, proof.score, None)
    assert (result.players, result.winners) == (("Solver",), ())
    tally = load_results(tmp_path).tally("Solver")
    assert (tally.played, tally.together) == (0, 0)
    assert load_results(tmp_path).list_high_scores() == []
    (best,) = list_best_results(task, confirm_results(task, results, tmp_path))
    assert (best.player, best.medal) == ("Solver", "gold")
    assert set(load_places(tmp_path, "moon-trial", task)) == set(task.deal)

    ghosts: list[str] = []

    def record_ghosts(match: MoonMatch, output: Output) -> None:
        if not games:
            games.append(MoonGame(match))
            games[0].load_best_runs(tmp_path)
        scene = games[0].build_scene(1.0, "")
        ghosts.extend(ghost.label for ghost in scene.ghosts if "Solver" in ghost.label)
        if match.over:
            news.extend(games[0].list_news(output, over=True))

    games: list[MoonGame] = []
    news: list[object] = []
    replay_proof(task, proof.releases[:1], record_ghosts)
    assert ghosts
    result_news = next(item for item in news if isinstance(item, ResultNews))
    assert "No medal" in result_news.why or "Bronze!" in result_news.why
    assert "Your best: 3 ladders." in result_news.more[0]


def test_a_review_of_the_log_runs_in_the_background(
    played_trial: _Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job runs in its own process and is polled, as by the page; a stopped review keeps its last state."""
    monkeypatch.setattr(reviewing_page, "SEARCH_S", 0.2)  # the quality of the places doesn't matter here
    with closing(ReviewJob()) as reviewing:
        review = reviewing.carry_out(Request.OPEN_REVIEW, played_trial.log, tmp_path)
        states = [review]
        until(lambda: states[-1].is_done, meanwhile=lambda: states.append(reviewing.poll_state()))
        review = states[-1]
        assert (review.error, review.total) == ("", 3)
        assert [turn.number for turn in review.turns] == [1, 2, 3]
        losses = {turn.number for turn in review.turns if turn.best - turn.safety > CHANCE_LOSS}
        assert review.turned in losses if losses else review.turned is None
        assert review.turning
        assert all(0.0 <= turn.safety <= turn.best <= 1.0 for turn in review.turns)
        saved = reviewing.carry_out(Request.SAVE_REVIEW, played_trial.log, tmp_path)
        assert saved.saved_text
        assert [path.read_text(encoding="utf-8") for path in tmp_path.glob("*.svg")] == [review.picture]
        assert reviewing.carry_out(Request.OPEN_REVIEW, played_trial.log, tmp_path).turns == review.turns
        other = tmp_path / "gone.jsonl"
        assert not reviewing.carry_out(Request.OPEN_REVIEW, other, tmp_path).is_done
        stopped = reviewing.carry_out(Request.STOP_REVIEW, other, tmp_path)
        assert reviewing.poll_state() is stopped
        assert reviewing.carry_out(Request.OPEN_REVIEW, None, tmp_path).error == text("review.no_log")


def test_a_finish_task_resumes_after_a_kill(tmp_path: Path) -> None:
    """The task's structure and the ladder placed before the kill stand again; the other ladders are still dealt."""
    task = find_task("finish-four-more")
    proof = load_proof(PROOFS / "finish-four-more.json")
    recorder = _Recorder(tmp_path, last_turn=1)
    with pytest.raises(EOFError):
        replay_proof(task, proof.releases, recorder)
    assert verify_log(recorder.log).same
    saved = GameFile.read_saved(recorder.save)
    summary = KIND.summarise(saved)
    assert (summary.options.trial, summary.players, summary.turn) == (task.name, ("Solver",), 2)
    point = GameFile.read_saved(recorder.save)
    start = resume_setup(point)
    assert [piece for piece, _ in start.structure] == [*(p for p, _ in task.standing), task.deal[0]]
    assert start.state.supply == task.deal[1:]
    assert start.state.trial_score == 1


def test_a_save_without_a_move_has_its_tower(tmp_path: Path) -> None:
    task = find_task("finish-four-more")

    def start_save(match: MoonMatch, output: Output) -> None:
        KIND.create_writer(match, tmp_path / "a.armoon", "2026-11-22T12:00:00", "0").close()
        raise EOFError

    with pytest.raises(EOFError):
        play_task(task, lambda match: None, start_save)
    start = resume_setup(GameFile.read_saved(tmp_path / "a.armoon"))
    assert dict(start.structure) == {piece: Pose.from_row(row) for piece, row in task.standing}


def make_result(task: Task, player: str, reached: int | None, game: str, date: str = "2026-11-22") -> Result:
    return Result(
        game, date, "bombyx-2017", "", (player,), (), None, kind="moon", trial=task.name, reached=reached
    )


def test_each_players_best_run_is_ranked(tmp_path: Path) -> None:
    task = find_task("drops-first")
    gold = task.medals[-1]
    runs = [("Ann", gold + 1), ("Ann", gold + 2), ("Ben", gold), ("Cleo", None), ("Dan", gold)]
    for number, (player, reached) in enumerate(runs):
        result = make_result(task, player, reached, f"g{number}", f"2026-11-{10 + number}")
        store_result(tmp_path, result.game, result)
    bests = list_best_results(task, load_results(tmp_path).results)
    assert [best.player for best in bests] == ["Ben", "Dan", "Ann"]
    assert [best.medal for best in bests][:2] == ["gold", "gold"]
    assert load_best_results(task, tmp_path) == [], "no saved game confirms any of them"


def test_a_result_ranks_by_the_moves_of_its_saved_game(tmp_path: Path) -> None:
    """Results with an edited number, name or game aren't ranked."""
    task = find_task("place-three")
    save_trial(tmp_path / f"g{SUFFIX}", task.name, "Ann", 2)
    save_trial(tmp_path / f"other{SUFFIX}", "place-five", "Ann", 3)
    true = make_result(task, "Ann", 2, "g")
    (tmp_path / f"torn{SUFFIX}").write_bytes((tmp_path / f"g{SUFFIX}").read_bytes()[:-200])
    edited = [
        *(replace(true, reached=3), replace(true, players=("Eve",)), replace(true, reached=None)),
        *(replace(true, game=game, reached=3) for game in ("other", "gone", "torn", "g\0", "x" * 400)),
    ]
    assert confirm_results(task, [*edited, true], tmp_path) == [true]
    for result in (true, *edited):
        store_result(tmp_path, result.game, result)
    assert load_best_results(task, tmp_path) == [], "an edited result of the same game replaced it"
    store_result(tmp_path, "g", true)
    assert load_best_results(task, tmp_path) == [true]
    assert set(load_places(tmp_path, "g", task)) == set(task.deal[:2])


def test_a_trial_allows_no_undo() -> None:
    task = find_task("place-three")
    can_undo: list[bool] = []
    replay_proof(task, (None,), lambda match, output: can_undo.append(match.can_put_back))
    assert can_undo
    assert not any(can_undo)


def test_a_trial_has_its_own_house_options() -> None:
    own = KIND.build_trial_options("place-three", MoonOptions())
    assert isinstance(own, MoonOptions)
    assert own.trial == "place-three"
    own.check_players(("Ann",))
    assert own.with_handicaps([Handicap(spared=3)]) == own
    with pytest.raises(ValueError, match="alone"):
        own.check_players(("Ann", "Ben"))
    cheated = replace(own, house=replace(own.house, tears=30))
    with pytest.raises(ValueError, match="rules of its own"):
        cheated.check_players(("Ann",))
    for other in ({"slots": Slots.CORNER}, {"edition": EditionName.KOSMOS_2022}):
        with pytest.raises(ValueError, match=f"--{next(iter(other))}"):
            own.with_values(**other).check_players(("Ann",))
