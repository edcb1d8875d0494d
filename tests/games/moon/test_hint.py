"""Hints: when they are allowed and counted, and the places that they show; the side shown to a beginner."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.app_kit import FRAME_TICKS, advance, play_to_draw, setup_for

from armoon.clock import TICKS_PER_SECOND
from armoon.engine.events import NoticeShown
from armoon.engine.setup import Intake
from armoon.games.moon import choosing, offers
from armoon.games.moon.choosing import REPORT_TICKS, Chooser, EasySideFinder, HintFinder, name_places
from armoon.games.moon.editions import Options
from armoon.games.moon.match import ATTITUDES, MoonMatch
from armoon.games.moon.play import MoonGame
from armoon.games.moon.presenters import make_result
from armoon.geometry import pose_compose, quat_inverse, quat_multiply, rotation_vector, table_axes_as_seen
from armoon.messages import text
from armoon.placement.values import Answer, Question, is_good
from armoon.values.acts import TILTS, Act
from armoon.values.pieces import Command, PieceStatus
from armoon.values.places import HIGHEST, HINT, OTHER_HINT, SAFEST, LadderPlace, PlaceKind
from armoon.values.player_settings import Handicap, VisualAids
from armoon.values.poses import Pose
from armoon.values.scene import Fate

ASK = Command(Act.HINT)
PLACE = LadderPlace(Pose((0.0, 0.0, 0.15)), Pose((0.0, 0.0, 0.149)), ("L01",), False, 0.15, 0.75, 8)


@pytest.fixture
def match(request: pytest.FixtureRequest) -> Iterator[MoonMatch]:
    drawn_match = play_to_draw(setup_for(**getattr(request, "param", {})).match())
    yield drawn_match
    drawn_match.close()


class FakeSearch:
    answer = Answer()
    instance: FakeSearch
    questions: list[Question]
    ended = 0

    def __init__(self, *_: object, **__: object) -> None:
        self.questions = []
        FakeSearch.instance = self

    def prepare(self, standing: object) -> None:
        """Nothing to prepare."""

    def ask(self, question: Question) -> None:
        self.questions.append(question)

    def read_answer(self, standing: object) -> Answer:
        return FakeSearch.answer

    def cancel(self) -> None:
        FakeSearch.ended += 1

    def close(self) -> None:
        """Nothing to close."""


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> type[FakeSearch]:
    monkeypatch.setattr(FakeSearch, "answer", Answer())
    monkeypatch.setattr(FakeSearch, "ended", 0)
    for module in (choosing, offers):
        monkeypatch.setattr(module, "PlaceSearch", FakeSearch)
    return FakeSearch


def test_a_hint_is_counted_and_shown_in_the_result(match: MoonMatch) -> None:
    assert text("places.count", count=1) not in make_result(match).lines[0].note
    advance(match, ASK)
    assert match.hints == [1, 0]
    assert text("places.count", count=1) in make_result(match).lines[0].note
    assert match.state.tears == (0, 0), "a hint costs nothing"


@pytest.mark.parametrize(
    ("options", "key"), [(Options(no_hints=True), "places.forbidden"), (Options(), "places.not_now")]
)
def test_a_forbidden_hint_or_one_before_the_roll_is_refused(options: Options, key: str) -> None:
    with closing(setup_for(auto_roll_s=None, options=options).match()) as match:
        assert advance(match, ASK).events_of(NoticeShown) == (NoticeShown(key),)
        assert match.hints == [0, 0]


def test_the_best_place_is_shown_until_the_turn_continues(match: MoonMatch, search: type[FakeSearch]) -> None:
    helper = HintFinder(match)
    assert helper.update() == ""
    assert not helper.list_ghosts()
    advance(match, ASK)
    search.answer = Answer((replace(PLACE, slips=1),))
    assert helper.update() == ""
    assert text("places.unsure") in helper.list_ghosts()[0].label
    search.answer = Answer((PLACE,), done=True)
    helper.update()
    (ghost,) = helper.list_ghosts()
    assert (ghost.piece, ghost.pose, ghost.touched) == (match.state.ladder, PLACE.rest, ("L01",))
    assert text("places.safety", held=6, of=8) in ghost.label
    assert len(ghost.points) == 1
    advance(match, Command(Act.GIVE_UP))
    helper.update()
    assert not helper.list_ghosts()
    assert search.ended == 1


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (Answer(done=True), "places.none"),
        (Answer(done=True, is_outdated=True), "places.void"),
        (Answer(done=True, failed=True), "places.failed"),
        (Answer(done=True, is_unsteady=True), "places.unsteady"),
        (Answer((PLACE,), done=True), ""),
    ],
)
def test_a_fruitless_search_is_reported_once_and_not_counted(
    match: MoonMatch, search: type[FakeSearch], answer: Answer, key: str
) -> None:
    helper = HintFinder(match)
    advance(match, ASK)
    search.answer = answer
    assert helper.update() == (key and text(key))
    assert helper.update() == ""
    assert bool(helper.list_ghosts()) is not bool(key)
    advance(match, *helper.uncount_failed(()))
    assert match.hints == [0 if key else 1, 0]
    assert not helper.uncount_failed(()), "uncounted only once"


HIGHER = replace(PLACE, height_m=0.17, rest=Pose((0.0, 0.0, 0.16)))
RISKY = replace(HIGHER, height_m=0.19, safety=0.5)


@pytest.mark.parametrize(
    ("found", "shown", "counted"),
    [((HIGHER, PLACE), HIGHER, 2), ((RISKY, PLACE, HIGHER), HIGHER, 2), ((PLACE, RISKY), PLACE, 1)],
)
def test_a_second_hint_shows_and_counts_a_higher_place_if_one_holds(
    match: MoonMatch,
    search: type[FakeSearch],
    found: tuple[LadderPlace, ...],
    shown: LadderPlace,
    counted: int,
) -> None:
    helper = HintFinder(match)
    answers, sentences = [Answer((PLACE, HIGHER), done=True), Answer(found, done=True)], []
    for search.answer in answers:
        advance(match, ASK)
        sentences.append(helper.update())
    assert [question.weights for question in search.instance.questions] == [SAFEST, HIGHEST]
    assert helper.place == shown
    assert sentences[1] == ("" if shown is HIGHER else text("places.none_higher"))
    advance(match, *helper.uncount_failed(()))
    assert match.hints == [counted, 0]
    search.answer = answers[0]
    advance(match, ASK)
    helper.update()
    assert helper.place == (PLACE if shown is HIGHER else HIGHER), "the hints alternate"


@pytest.mark.slow
@pytest.mark.parametrize("match", [{"seed": 7}], indirect=True, ids=["the safest place is low"])
def test_on_the_starting_ladders_the_search_finds_a_higher_place_that_holds(match: MoonMatch) -> None:
    helper = HintFinder(match)
    places = []
    for _ in range(2):
        advance(match, ASK)
        helper.update()
        assert helper._search.wait().done
        helper.update()
        assert helper.place is not None
        places.append(helper.place)
    helper.close()
    safest, highest = places
    assert highest.height_m > safest.height_m
    assert is_good(highest)


@pytest.mark.parametrize(
    ("place", "fate"),
    [
        (replace(PLACE, safety=1.0, slips=3), None),
        (replace(PLACE, safety=5 / 8, slips=8), Fate.DOUBTFUL),
        (replace(PLACE, safety=6 / 8, slips=8), Fate.HOLDS),
    ],
)
def test_a_hint_is_green_only_if_its_place_is_safe(
    match: MoonMatch, search: type[FakeSearch], place: LadderPlace, fate: Fate | None
) -> None:
    helper = HintFinder(match)
    advance(match, ASK)
    search.answer = Answer((place,))
    helper.update()
    assert [ghost.fate for ghost in helper.list_ghosts()] == [fate]


def test_the_shown_place_stays_while_the_ladder_is_carried(
    match: MoonMatch, search: type[FakeSearch]
) -> None:
    helper = HintFinder(match)
    advance(match, ASK)
    search.answer = Answer((PLACE,))
    helper.update()
    match.facts = replace(match.facts, held=match.state.ladder)
    surer, better = replace(PLACE, safety=0.5, slips=16), replace(HIGHER, release=Pose((0.05, 0.0, 0.2)))
    search.answer = Answer((better, surer))
    helper.update()
    assert helper.place == surer
    advance(match, ASK)
    match.facts = replace(match.facts, held=match.state.ladder)
    helper.update()
    assert helper.place == better, "another hint was requested"


@pytest.mark.parametrize(
    ("answer", "key"), [(Answer(is_outdated=True), "places.void"), (Answer(share=0.5), "places.looking")]
)
def test_the_message_of_a_hint_ends_with_its_ladder(
    match: MoonMatch, search: type[FakeSearch], answer: Answer, key: str
) -> None:
    game = MoonGame(match)
    search.answer = answer
    sentence = text(key, share="50")
    for command, shown in ((ASK, True), (Command(Act.GIVE_UP), False)):
        for commands in ((command,), ()):
            game.advance(Intake(match.tick / TICKS_PER_SECOND, FRAME_TICKS, None, commands))
        assert (game.resolve_banner("") == sentence) == shown
    game.close()


def test_a_running_search_reports_its_progress(match: MoonMatch, search: type[FakeSearch]) -> None:
    helper = HintFinder(match)
    advance(match, ASK)
    search.answer = Answer(share=0.25)
    sentences = []
    for _ in range(REPORT_TICKS // FRAME_TICKS + 2):
        sentences.append(helper.update())
        advance(match)
    assert sentences[0] == text("places.looking", share="25"), "at once"
    assert [sentence for sentence in sentences if sentence] == 2 * [sentences[0]]
    assert match.hints == [1, 0]


def test_a_search_without_result_can_be_repeated(match: MoonMatch, search: type[FakeSearch]) -> None:
    """An empty result is listed only when the search is done."""
    chooser = Chooser(match, real_time=True)

    def list_names() -> list[str]:
        chooser.choose_grips(Intake(0.0, 1, None), wanted=True)
        return [choice.name for choice in chooser.list_choices()]

    search.answer = Answer(share=0.5)
    assert list_names() == []
    assert chooser.search_status == text("choose.looking", share=50)
    search.answer = Answer(done=True)
    assert list_names() == ["again", "free", "give_up"]
    assert chooser.search_status == text("choose.nothing")
    chooser.confirm_choice("again")
    search.answer = Answer((PLACE,), done=True)
    assert list_names() == ["place 1", "free"]
    first, second = search.instance.questions
    assert first.standing == second.standing
    assert first.seed != second.seed


@pytest.mark.parametrize("match", [{}, {"turned_rad": math.pi / 2.0}], indirect=True)
def test_a_carried_ladder_follows_the_named_directions_on_a_turned_table(
    match: MoonMatch, search: type[FakeSearch]
) -> None:
    chooser = Chooser(match, real_time=True)
    search.answer = Answer(done=True)

    def play_frames(count: int, *commands: Command) -> Pose:
        for _ in range(count):
            intake = Intake(match.tick / TICKS_PER_SECOND, FRAME_TICKS, None, commands)
            match.advance(replace(intake, grips=chooser.choose_grips(intake, wanted=True)))
            commands = ()
        piece = next(p for p in match.facts.pieces if p.piece == match.state.ladder)
        return pose_compose(match.home_from_table(), piece.pose)

    play_frames(30)
    play_frames(400, *chooser.confirm_choice("free"))
    assert "let_go" in [choice.name for choice in chooser.list_choices()]
    right, away = ((*axis, 0.0) for axis in table_axes_as_seen(match.table_from_camera, match.table.mirrored))
    axes = {Act.RIGHT: right, Act.LEFT: right, Act.AWAY: away, Act.NEAR: away}
    for act, axis in axes.items():
        before = play_frames(1)
        chooser.confirm_choice(act.word)
        play_frames(30)
        chooser.confirm_choice("stop")
        moved = np.subtract(play_frames(30).position, before.position)
        sign = 1.0 if act in (Act.RIGHT, Act.AWAY) else -1.0
        assert sign * float(moved @ axis) > 0.9 * np.linalg.norm(moved) > 0.01, act
    for act in (Act.SPIN_LEFT, Act.NOD, Act.ROLL_RIGHT):
        before = play_frames(1)
        chooser.confirm_choice(act.word)
        play_frames(30)
        chooser.confirm_choice("stop")
        turn = rotation_vector(quat_multiply(play_frames(30).rotation, quat_inverse(before.rotation)))
        expected = rotation_vector(match.make_tilt_rotation(TILTS[act], 1.0))
        assert np.dot(turn, expected) > 0.9 * np.linalg.norm(turn) > 0.1, act


def test_the_progress_of_a_search_never_decreases(match: MoonMatch, search: type[FakeSearch]) -> None:
    """Even if the structure moves and the search restarts; only a player's request resets it."""
    chooser = Chooser(match, real_time=True)

    def get_status(answer: Answer) -> str:
        search.answer = answer
        chooser.choose_grips(Intake(0.0, 1, None), wanted=True)
        return chooser.search_status

    for answer, share in ((Answer(share=0.5), 50), (Answer(is_outdated=True), 50), (Answer(share=0.25), 50)):
        assert get_status(answer) == text("choose.looking", share=share)
    assert len(search.instance.questions) == 2
    assert get_status(Answer(share=0.75)) == text("choose.looking", share=75)
    get_status(Answer(done=True))
    chooser.confirm_choice("again")
    assert get_status(Answer(share=0.25)) == text("choose.looking", share=25)


def test_places_offered_together_have_different_names(match: MoonMatch) -> None:
    kinds = ((0.0, PlaceKind.PLATE), (0.0, PlaceKind.LEAN), (-0.005, PlaceKind.LEAN), (0.005, PlaceKind.LEAN))
    places = [replace(PLACE, rest=Pose((x, 0.0, 0.15)), kind=kind) for x, kind in kinds]
    names = [name.partition(": ")[2] for name in name_places(match, places)]
    assert not any(text("choose.on", count=len(PLACE.touched)) in name for name in names)
    assert text("choose.on", count=2) in name_places(match, [PLACE, replace(PLACE, touched=("A", "B"))])[1]
    assert len(set(names)) == 4, names
    (ends,) = {tuple(name.split(", ")[-2:]) for name in names}
    alone = text("choose.where.middle_middle")
    assert name_places(match, places[:1]) == [f"Place 1: {', '.join((alone, *ends))}"]


@pytest.mark.parametrize("chooses", [False, True])
def test_an_accepted_hint_makes_the_simulated_hand_carry_the_ladder(
    match: MoonMatch, search: type[FakeSearch], chooses: bool
) -> None:
    game = MoonGame(match)
    game.should_list_choices = chooses

    def play_frames(count: int, *commands: Command) -> list[bool]:
        held = []
        for _ in range(count):
            game.advance(Intake(match.tick / TICKS_PER_SECOND, FRAME_TICKS, None, commands))
            commands = ()
            held.append(match.holding)
        return held

    play_frames(1)
    assert not game.list_help_choices()
    search.answer = Answer((PLACE,), done=True)
    play_frames(2, ASK)
    assert [choice.name for choice in game.list_help_choices()] == [HINT, OTHER_HINT]
    play_frames(2, *game.confirm_choice(HINT))
    assert not game.list_help_choices(), "the ladder is on its way"
    held = play_frames(600)
    assert any(held)
    assert not held[-1], "it is released automatically"
    assert (match.hints, match.places_chosen) == ([1, 0], [1, 0])


@pytest.mark.parametrize(
    ("changes", "offers"),
    [
        ({}, True),
        ({"options": Options(no_hints=True)}, False),
        ({"options": Options(handicaps=(Handicap(helps=VisualAids.NONE), Handicap()))}, False),
        ({"options": Options(handicaps=(Handicap(helps=VisualAids.ALL), Handicap()))}, True),
    ],
)
def test_places_are_offered_automatically_to_players_with_visual_aids(
    changes: dict[str, Any], offers: bool, search: type[FakeSearch]
) -> None:
    match = setup_for(auto_roll_s=None, **changes).match()
    with closing(MoonGame(match)) as game:
        assert game.should_list_choices_unasked() is offers
        match.state = replace(match.state, turn=9)
        assert not game.should_list_choices_unasked()
        match.places_chosen[match.state.player] = 1
        assert game.should_list_choices_unasked() is offers, "on every turn after a chosen place"


FLAT = 2
SAFE = replace(PLACE, release=Pose((0.0, 0.0, 0.15), ATTITUDES[FLAT]), safety=1.0)


def find_easy_side(match: MoonMatch, search: type[FakeSearch], *player_commands: Command) -> list[Command]:
    search.instance, search.answer = search(), Answer((SAFE,))
    easy, sent = EasySideFinder(match), list[Command]()
    while not any(piece.status is PieceStatus.OFFERED for piece in match.facts.pieces):
        advance(match)
    for frame in range(10):
        first = player_commands if frame == 0 else ()
        commands = (*first, *easy.choose_side(first))
        sent += commands
        advance(match, *commands)
    easy.close()
    (offered,) = (piece.pose for piece in match.facts.pieces if piece.status is PieceStatus.OFFERED)
    assert offered.rotation == pytest.approx(ATTITUDES[sum(command.value or 1 for command in sent)])
    return sent


def make_handicaps(helps: VisualAids) -> tuple[Handicap, ...]:
    return (Handicap(helps=helps), Handicap(helps=helps))


PRACTICE, ALL_AIDS = Options(practice=True), Options(handicaps=make_handicaps(VisualAids.ALL))


@pytest.mark.parametrize(
    ("match", "player_commands", "sides"),
    [
        ({"options": PRACTICE}, (), [FLAT]),
        ({"options": ALL_AIDS}, (), [FLAT]),
        ({"options": PRACTICE}, (Command(Act.TIP),), [0]),
        ({}, (), []),
        ({"options": replace(PRACTICE, handicaps=make_handicaps(VisualAids.NONE))}, (), []),
        ({"options": replace(ALL_AIDS, no_hints=True)}, (), []),
    ],
    ids=["practice", "all visual aids", "the player turns it", "usual", "no visual aids", "no hints"],
    indirect=["match"],
)
def test_the_easiest_side_is_shown_once_to_players_with_visual_aids(
    match: MoonMatch, search: type[FakeSearch], player_commands: tuple[Command, ...], sides: list[int]
) -> None:
    sent = find_easy_side(match, search, *player_commands)
    assert [(side.kind, side.value) for side in sent] == [(Act.TIP, side) for side in sides]
    assert len(search.instance.questions) == sides.count(FLAT), "it searches only to show a side"
