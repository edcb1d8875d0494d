"""Saved moon games contain the referee's decisions, and the table is restored from them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.fake_table import SLOTS, FakeTable, make_table
from support.moon_play import key
from support.saves_kit import begin_save, new_game, open_save, play_game

from armoon.games.moon import saving
from armoon.games.moon.editions import FallPlace, Phase
from armoon.games.moon.events import Judgement
from armoon.games.moon.rules import apply_move, find_resume_state
from armoon.games.moon.turn import Draw, Fall, FallenPiece, Move, Overrule, Rest, Roll
from armoon.saves.files import SaveError
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.values.poses import Pose

#: Last writer of each file.
WRITERS: dict[Path, saving.MoonRecorder] = {}


class SavedTable:
    """A referee at a simulated table that saves the moves of every tick."""

    def __init__(self, path: Path, fake: FakeTable, recorder: saving.MoonRecorder | None = None) -> None:
        self.fake = fake
        self.recorder = recorder or begin_save(path, fake.first)
        WRITERS[path] = self.recorder
        self._receive = fake.receive
        fake.receive = self.receive  # type: ignore[method-assign]

    def receive(self, judgement: Judgement) -> Judgement:
        standing = tuple(self.fake.pose.items())
        result = self._receive(judgement)
        self.recorder.write_moves(judgement.moves, standing, at_rest=self.fake.at_rest)
        return result

    def place_piece(self, piece: str, x: float) -> None:
        self.fake.pose[piece] = Pose((x, 0.0, 0.1))


def begin_table(path: Path, **setup: object) -> SavedTable:
    return SavedTable(path, make_table(**setup))  # type: ignore[arg-type]


def restore_table(path: Path) -> tuple[FakeTable, saving.MoonSetup, SavedTable]:
    saved = open_save(path)
    point = saving.resume_setup(saved)
    if path in WRITERS:
        WRITERS[path].file._writer.close()  # as the system does for a killed process
    recorder = saving.MoonRecorder(saving.reopen_game(saved), point)
    fake = FakeTable.__new__(FakeTable)
    FakeTable.__init__(fake, point.state, places=point.places)
    judgement = fake.referee.set_up_table(SLOTS[: len(point.state.starting)], point.structure)
    # Discard the constructor's moves, because it had no structure.
    fake.status.clear()
    fake.moves.clear()
    fake.first = point.state
    standing = point.structure
    for order in judgement.orders:
        fake.carry_out(order)
    recorder.write_moves(judgement.moves, standing, at_rest=True)
    return fake, point, SavedTable(path, fake, recorder)


def play_two_turns(path: Path) -> SavedTable:
    game = begin_table(path)
    for x in (0.1, 0.2):
        game.fake.roll()
        game.fake.hold()
        piece = game.fake.let_go(game.fake.state.structure[0], height=0.2 + x)
        game.place_piece(piece, x)
        game.fake.settle()
    return game


def load_hint_counts(path: Path) -> tuple[int, ...]:
    return saving.resume_setup(open_save(path)).last_snapshot.counts[0]


def test_the_count_of_hints_continues_after_a_kill_in_the_turn(tmp_path: Path) -> None:
    """A requested hint is on disk at once, with the structure at the start of the turn."""
    path = tmp_path / "a.armoon"
    game = play_two_turns(path)
    places = saving.resume_setup(open_save(path)).structure
    assert load_hint_counts(path) == (0, 0)
    game.fake.roll()
    standing = tuple(game.fake.pose.items())
    hints: saving.SeatCounts = ((2, 0), (0, 0), (0, 0))
    game.recorder.write_moves((), standing, at_rest=True, counts=hints)
    written = path.stat().st_size
    game.recorder.write_moves((), standing, at_rest=True, counts=hints)
    assert path.stat().st_size == written, "the counts are unchanged"
    fake, point, resumed = restore_table(path)
    assert (point.last_snapshot.counts, point.structure) == (hints, places)
    fake.roll()
    assert load_hint_counts(path) == (2, 0), "the next snapshot keeps the counts"
    resumed.recorder.write_moves((), standing, at_rest=True, counts=((3, 0), *hints[1:]))
    assert load_hint_counts(path) == (3, 0)
    assert saving.MoonSetup.from_record(
        saving.resume_setup(open_save(path)).to_record()
    ).last_snapshot.counts[0] == (
        3,
        0,
    )


@pytest.mark.parametrize("hints", [[1], [1, -1], [1, 1, 1]])
def test_invalid_hint_counts_are_refused(hints: list[int], tmp_path: Path) -> None:
    path = tmp_path / "a.armoon"
    play_two_turns(path)
    record = saving.resume_setup(open_save(path)).to_record()
    record["snapshots"][-1]["counts"][0] = hints
    with pytest.raises(ValueError, match="hints"):
        saving.MoonSetup.from_record(record)


def test_an_interrupted_turn_starts_again(tmp_path: Path) -> None:
    """X4: the structure that the ladder pushed in the interrupted turn is restored."""
    path = tmp_path / "a.armoon"
    game = play_two_turns(path)
    start = game.fake.state
    game.fake.roll()
    face, ladder = game.fake.state.die, game.fake.ladder
    game.fake.hold()
    game.place_piece(start.placed[0], 0.9)
    game.fake.tick()
    fake, point, _ = restore_table(path)
    assert key(point.state) == key(start)
    assert dict(point.structure)[start.placed[0]].position[0] == 0.1
    fake.settle()
    fake.roll()
    assert (fake.state.die, fake.ladder) == (face, ladder)
    saved = open_save(path)
    assert saving.load_state(saved) == fake.state, "the interrupted turn's moves don't count"
    assert sum(isinstance(move, Roll) for move in saving.load_moves(saved)) == 3


def test_a_fall_while_the_table_is_restored_costs_no_tears(tmp_path: Path) -> None:
    """F5"""
    path = tmp_path / "a.armoon"
    play_two_turns(path)
    fake, point, game = restore_table(path)
    fake.touch(fake.state.placed[-1], "table")
    fake.tick()
    verdict = fake.verdicts[-1]
    assert verdict.removed == (point.state.placed[-1],)
    assert verdict.charged is None
    assert fake.state.tears == point.state.tears
    assert saving.resume_setup(open_save(path)).structure == point.structure[:1]
    assert game.recorder.state == fake.state


def test_a_fall_is_saved_at_once_and_again_at_rest(tmp_path: Path) -> None:
    """F2: the file contains the ladders' poses first at the moment of the fall, and later at rest."""
    path = tmp_path / "a.armoon"
    game = play_two_turns(path)
    first, second = game.fake.state.placed
    game.fake.roll()
    held = game.fake.hold()
    game.fake.let_go(second)
    game.place_piece(first, 0.15)
    game.place_piece(held, 0.05)
    game.fake.touch(second, "table")
    game.fake.tick()
    point = saving.resume_setup(open_save(path))
    assert not point.last_snapshot.at_rest
    assert [(piece, pose.position[0]) for piece, pose in point.structure] == [(first, 0.15), (held, 0.05)]
    game.place_piece(first, 0.16)
    game.fake.settle()
    point = saving.resume_setup(open_save(path))
    assert point.last_snapshot.at_rest
    assert dict(point.structure)[first].position[0] == 0.16


def test_turns_can_be_undone_after_resuming(tmp_path: Path) -> None:
    """X4: even a turn before the kill, at the table and in the file."""
    path = tmp_path / "a.armoon"
    game = play_two_turns(path)
    first = game.fake.state.placed[0]
    del game
    fake, _, _ = restore_table(path)
    fake.settle()
    fake.tick(Command(Act.UNDO))
    assert fake.state.placed == (first,)
    point = saving.resume_setup(open_save(path))
    assert point.state == fake.state
    assert [(piece, pose.position[0]) for piece, pose in point.structure] == [(first, 0.1)]
    assert point.state.turn == 2


def test_an_undone_turn_saves_the_restored_structure(tmp_path: Path) -> None:
    """X4: it doesn't save the visible one, which isn't restored yet, even with another command in the same tick."""
    path = tmp_path / "a.armoon"
    game = play_two_turns(path)
    first = game.fake.state.placed[0]
    game.place_piece(first, 0.7)
    moves = (Overrule(Act.UNDO), Overrule(Act.ADD_TEAR, player=1))
    game.recorder.write_moves(moves, tuple(game.fake.pose.items()), at_rest=False)
    point = saving.resume_setup(open_save(path))
    assert [(piece, pose.position[0]) for piece, pose in point.structure] == [(first, 0.1)]
    assert point.state == game.recorder.state


def test_the_hosts_ruling_in_an_interrupted_turn_is_kept(tmp_path: Path) -> None:
    """X4"""
    path = tmp_path / "a.armoon"
    game = begin_table(path, seed=2)
    game.fake.play()  # touches nothing: a tear
    payer = next(seat for seat, tears in enumerate(game.fake.state.tears) if tears)
    game.fake.roll()
    game.fake.tick(Command(Act.GIVE_TEAR_BACK, value=payer))
    fake, point, _ = restore_table(path)
    assert point.moves[-1] == saving.MOVES.encode(Overrule(Act.GIVE_TEAR_BACK, player=payer))
    assert point.state.tears == (0, 0)
    assert point.state.phase is Phase.ROLL
    assert saving.load_state(open_save(path)).tears == (0, 0), "the ruling counts after resuming, too"
    assert fake.state.turn == 2


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), events=st.integers(1, 60))
def test_any_game_resumes_by_the_rules(tmp_path: Path, seed: int, events: int) -> None:
    """X4 E1"""
    path = tmp_path / f"{seed}-{events}.armoon"
    path.unlink(missing_ok=True)
    game = play_game(path, seed, events=events)
    saved = open_save(path)
    point = saving.resume_setup(saved)
    assert saving.load_state(saved) == game.state
    start = find_resume_state(game.state)
    assert key(point.state) == key(start)
    assert point.structure == game.resumable
    assert [p for p, _ in point.structure] == list(point.state.placed)
    assert point.state.fixed_face == start.fixed_face
    reloaded = saving.MoonSetup.from_record(json.loads(json.dumps(point.to_record())))
    assert reloaded.state == point.state
    assert (reloaded.structure, reloaded.places) == (point.structure, point.places)
    assert reloaded.last_snapshot.at_rest == point.last_snapshot.at_rest
    assert reloaded.state.before == point.state.before, "turns can be undone"
    recorder = saving.MoonRecorder(saving.reopen_game(saved), point)
    assert saving.load_state(open_save(path)) == point.state == recorder.state
    recorder.file.close()


def test_ticks_without_moves_write_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.armoon"
    game = begin_table(path)
    size = path.stat().st_size
    game.fake.ticks(50)
    assert path.stat().st_size == size


def test_the_disk_is_synchronised_only_at_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Synchronising takes milliseconds, which would delay the picture while something falls or is carried."""
    path = tmp_path / "a.armoon"
    game = play_two_turns(path)
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    game.fake.roll()
    game.fake.hold()
    game.fake.let_go()
    game.fake.touch(game.fake.state.placed[0], "table")
    game.fake.tick()
    assert synced == []
    game.fake.settle()
    assert len(synced) == 1
    assert not game.fake.state.incident


def test_a_structure_at_rest_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / "a.armoon"
    game = play_two_turns(path)
    assert [snapshot["turn"] for _, snapshot in open_save(path).snapshots] == [1, 2, 3]
    game.fake.settle()
    game.fake.roll()
    assert len(open_save(path).snapshots) == 3
    assert saving.resume_setup(open_save(path)).places[3] == game.fake.referee.places[3]


@pytest.mark.parametrize(
    ("moves", "snapshot"),
    [
        ([{"move": "fly"}], None),
        ([{"move": "settle", "touched": 3}], None),
        ([{"move": "take"}], None),
        ([{"move": "roll", "die": "SEVEN"}], None),
        (["roll"], None),
        ([{"move": "overrule", "kind": "give_tear_back", "player": "Ana"}], None),
        ([], {"turn": 1, "at_rest": True}),
        ([], {"turn": 1, "at_rest": True, "places": {"L05": [0.0] * 6}}),
        ([], {"turn": 1, "at_rest": True, "places": []}),
        ([], []),
    ],
)
def test_unknown_records_are_refused_with_the_programs_name(
    tmp_path: Path, moves: list[object], snapshot: object
) -> None:
    path = tmp_path / "a.armoon"
    recorder = begin_save(path, new_game(1), "0.0.7")
    recorder.file.append(moves, snapshot)  # type: ignore[arg-type]
    with pytest.raises(SaveError, match=r"(rules of this program|doesn't know).*armoon 0\.0\.7"):
        saving.resume_setup(open_save(path))


def test_a_game_that_drew_a_ladder_twice_is_refused(tmp_path: Path) -> None:
    """F2: earlier versions returned the offered ladder to the supply after a fall, and drew it again."""
    path = tmp_path / "a.armoon"
    state, moves = new_game(1), list[Move]()
    for _ in range(2):
        assert state.fixed_face is not None
        moves += [
            Roll(state.fixed_face),
            Draw(state.supply[0]),
            Fall((FallenPiece("L01", FallPlace.TABLE),)),
            Rest(),
        ]
        for move in moves[-4:]:
            state = apply_move(state, move)
    moves[5] = moves[1]
    file = begin_save(path, new_game(1), "0.0.7").file
    file.append([saving.MOVES.encode(move) for move in moves])
    with pytest.raises(SaveError, match=r"rules of this program.*armoon 0\.0\.7"):
        saving.resume_setup(open_save(path))
