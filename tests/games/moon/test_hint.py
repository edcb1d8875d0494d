"""The hint: who may ask, that it is counted, what it shows; and the side on which a beginner's ladder lies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.app_kit import FRAME_TICKS, advanced, setup_for, until_drawn
from support.log_kit import records_of

from armoon.clock import TICKS_PER_SECOND
from armoon.engine.events import NoticeShown, Output
from armoon.engine.setup import Intake
from armoon.games.moon import choosing
from armoon.games.moon.choosing import TELL_TICKS, Chooser, EasySideFinder, HintFinder, name_places
from armoon.games.moon.editions import Options
from armoon.games.moon.match import ATTITUDES, MoonMatch
from armoon.games.moon.play import MoonGame
from armoon.games.moon.presenters import make_result
from armoon.geometry import pose_compose, quat_inverse, quat_multiply, rotation_vector, table_axes_as_seen
from armoon.messages import text
from armoon.placement.search import PlaceSearch
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
    made = until_drawn(setup_for(**getattr(request, "param", {})).match())
    yield made
    made.close()


class Search:
    answer = Answer()
    made: Search
    asked: list[Question]
    prepared: list[object]
    ended = 0

    def __init__(self, *_: object, **__: object) -> None:
        self.asked, self.prepared = [], []
        Search.made = self

    def prepare(self, standing: object) -> None:
        self.prepared.append(standing)

    def ask(self, question: Question) -> None:
        self.asked.append(question)

    def read_answer(self, standing: object) -> Answer:
        return Search.answer

    def cancel(self) -> None:
        Search.ended += 1

    def close(self) -> None:
        """Nothing to end."""


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> type[Search]:
    monkeypatch.setattr(Search, "answer", Answer())
    monkeypatch.setattr(Search, "ended", 0)
    monkeypatch.setattr(choosing, "PlaceSearch", Search)
    return Search


def told(match: MoonMatch, out: Output) -> list[dict[str, Any]]:
    return [dict(record) for record in records_of(match, out) if record["kind"] == "hint"]


def test_a_hint_is_counted_logged_and_shown_in_the_result(match: MoonMatch) -> None:
    assert text("places.count", count=1) not in make_result(match).lines[0].note
    out = advanced(match, ASK)
    assert [record["player"] for record in told(match, out)] == [match.players[0]]
    assert match.hints == [1, 0]
    assert text("places.count", count=1) in make_result(match).lines[0].note
    assert match.state.tears == (0, 0), "it costs nothing"


@pytest.mark.parametrize("match", [{"options": Options(no_hints=True)}], indirect=True)
def test_a_game_without_hints_says_so(match: MoonMatch) -> None:
    out = advanced(match, ASK)
    assert out.events_of(NoticeShown) == (NoticeShown("places.forbidden"),)
    assert match.hints == [0, 0]
    assert not told(match, out)


def test_before_the_roll_there_is_nothing_to_ask() -> None:
    match = setup_for(auto_roll_s=None).match()
    try:
        assert advanced(match, ASK).events_of(NoticeShown) == (NoticeShown("places.not_now"),)
        assert match.hints == [0, 0]
    finally:
        match.close()


def test_the_best_place_is_shown_with_its_words_until_the_turn_goes_on(
    match: MoonMatch, search: type[Search]
) -> None:
    helper = HintFinder(match)
    assert helper.update() == ""
    assert not helper.list_ghosts()
    advanced(match, ASK)
    search.answer = Answer((replace(PLACE, slips=1),))
    assert helper.update() == ""
    assert text("places.unsure") in helper.list_ghosts()[0].label
    search.answer = Answer((PLACE,), done=True)
    helper.update()
    (ghost,) = helper.list_ghosts()
    assert (ghost.piece, ghost.pose, ghost.touched) == (match.state.ladder, PLACE.rest, ("L01",))
    assert text("places.safety", held=6, of=8) in ghost.label
    assert len(ghost.points) == 1
    advanced(match, Command(Act.GIVE_UP))
    helper.update()
    assert not helper.list_ghosts()
    assert search.ended == 1


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (Answer(done=True), "places.none"),
        (Answer(done=True, void=True), "places.void"),
        (Answer(done=True, failed=True), "places.failed"),
        (Answer(done=True, unsteady=True), "places.unsteady"),
    ],
)
def test_what_comes_to_nothing_is_said_once(
    match: MoonMatch, search: type[Search], answer: Answer, key: str
) -> None:
    helper = HintFinder(match)
    advanced(match, ASK)
    search.answer = answer
    assert helper.update() == text(key)
    assert helper.update() == ""
    assert not helper.list_ghosts()


@pytest.mark.parametrize("shown", [False, True])
def test_a_hint_that_came_to_nothing_is_not_counted(
    match: MoonMatch, search: type[Search], shown: bool
) -> None:
    helper, idle = HintFinder(match), Intake(0.0, 1, None)
    advanced(match, ASK)
    helper.update()
    search.answer = Answer((PLACE,) if shown else (), done=True)
    helper.update()
    advanced(match, *helper.uncount_failed(idle).commands)
    assert match.hints == [int(shown), 0]
    assert not helper.uncount_failed(idle).commands, "once"


HIGHER = replace(PLACE, height_m=0.17, rest=Pose((0.0, 0.0, 0.16)))
RISKY = replace(HIGHER, height_m=0.19, safety=0.5)


@pytest.mark.parametrize(
    ("found", "shown", "counted"),
    [((HIGHER, PLACE), HIGHER, 2), ((RISKY, PLACE, HIGHER), HIGHER, 2), ((PLACE, RISKY), PLACE, 1)],
)
def test_the_second_hint_of_a_turn_shows_a_higher_place_that_holds_and_counts_if_there_is_one(
    match: MoonMatch, search: type[Search], found: tuple[LadderPlace, ...], shown: LadderPlace, counted: int
) -> None:
    helper, idle = HintFinder(match), Intake(0.0, 1, None)
    answers = [Answer((PLACE, HIGHER), done=True), Answer(found, done=True)]
    said = []
    for search.answer in answers:
        advanced(match, ASK)
        said.append(helper.update())
    assert [asked.taste for asked in search.made.asked] == [SAFEST, HIGHEST]
    assert helper.place == shown
    assert said[1] == ("" if shown is HIGHER else text("places.none_higher"))
    advanced(match, *helper.uncount_failed(idle).commands)
    assert match.hints == [counted, 0]
    search.answer = answers[0]
    advanced(match, ASK)
    helper.update()
    assert helper.place == (PLACE if shown is HIGHER else HIGHER), "by turns"


@pytest.mark.slow
@pytest.mark.parametrize("match", [{"seed": 7}], indirect=True, ids=["the safest place is low"])
def test_on_the_starting_ladders_the_search_finds_a_higher_place_that_holds(match: MoonMatch) -> None:
    searched = PlaceSearch(match.ladders, match.base)
    helper = HintFinder(match, searched)
    places = []
    for _ in range(2):
        advanced(match, ASK)
        helper.update()
        assert searched.wait().done
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
def test_a_hint_is_green_only_where_it_surely_holds(
    match: MoonMatch, search: type[Search], place: LadderPlace, fate: Fate | None
) -> None:
    helper = HintFinder(match)
    advanced(match, ASK)
    search.answer = Answer((place,))
    helper.update()
    assert [ghost.fate for ghost in helper.list_ghosts()] == [fate]


def test_the_place_to_which_the_ladder_is_carried_stays(match: MoonMatch, search: type[Search]) -> None:
    helper = HintFinder(match)
    advanced(match, ASK)
    search.answer = Answer((PLACE,))
    helper.update()
    match.facts = replace(match.facts, held=match.state.ladder)
    surer, better = replace(PLACE, safety=0.5, slips=16), replace(HIGHER, release=Pose((0.05, 0.0, 0.2)))
    search.answer = Answer((better, surer))
    helper.update()
    assert helper.place == surer
    advanced(match, ASK)
    match.facts = replace(match.facts, held=match.state.ladder)
    helper.update()
    assert helper.place == better, "another one was asked for"


@pytest.mark.parametrize(
    ("answer", "key"), [(Answer(void=True), "places.void"), (Answer(share=0.5), "places.looking")]
)
def test_what_the_hint_said_is_gone_once_the_ladder_is_let_go_of(
    match: MoonMatch, search: type[Search], answer: Answer, key: str
) -> None:
    game = MoonGame(match, search=search())  # type: ignore[arg-type]
    search.answer = answer
    said = text(key, share="50")
    for command, shown in ((ASK, True), (Command(Act.GIVE_UP), False)):
        for commands in ((command,), ()):
            game.advance(Intake(match.tick / TICKS_PER_SECOND, FRAME_TICKS, None, commands))
        assert (game.resolve_banner("") == said) == shown
    game.close()


def test_while_nothing_is_found_it_says_how_far_it_is(match: MoonMatch, search: type[Search]) -> None:
    helper = HintFinder(match)
    advanced(match, ASK)
    search.answer = Answer(share=0.25)
    said = []
    for _ in range(TELL_TICKS // FRAME_TICKS + 2):
        said.append(helper.update())
        advanced(match)
    assert said[0] == text("places.looking", share="25"), "at once"
    assert [one for one in said if one] == 2 * [said[0]]
    assert match.hints == [1, 0]


def test_who_asked_once_finds_the_next_structure_prepared(match: MoonMatch, search: type[Search]) -> None:
    helper = HintFinder(match)
    advanced(match, ASK)
    helper.update()
    assert not search.made.prepared, "a question says itself what stands"
    advanced(match, Command(Act.GIVE_UP))
    while not search.made.prepared:
        helper.update()
        advanced(match)
        assert match.tick < 2000
    for _ in range(3):
        helper.update()
    assert len(search.made.prepared) == 1
    helper.close()
    never = HintFinder(match)
    assert (never.update(), search.made.prepared) == ("", []), "who never asked has no search"


def test_where_nothing_is_found_one_may_look_again(match: MoonMatch, search: type[Search]) -> None:
    """An empty list is only there once the search has done its work, and says so."""
    chooser = Chooser(match, on_time=True, search=search())  # type: ignore[arg-type]

    def names() -> list[str]:
        chooser.add_grips(Intake(0.0, 1, None), wanted=True)
        return [one.name for one in chooser.list_choices()]

    search.answer = Answer(share=0.5)
    assert names() == []
    assert chooser.search_status == text("choose.looking", share=50)
    search.answer = Answer(done=True)
    assert names() == ["again", "free", "give_up"]
    assert chooser.search_status == text("choose.nothing")
    chooser.confirm("again")
    search.answer = Answer((PLACE,), done=True)
    assert names() == ["place 1", "free"]
    first, second = search.made.asked
    assert first.standing == second.standing
    assert first.seed != second.seed


@pytest.mark.parametrize("match", [{}, {"turned_rad": math.pi / 2.0}], indirect=True)
def test_a_carried_ladder_goes_the_way_that_is_said_however_the_table_is_turned(
    match: MoonMatch, search: type[Search]
) -> None:
    chooser = Chooser(match, on_time=True, search=search())  # type: ignore[arg-type]
    search.answer = Answer(done=True)

    def frames(count: int, *commands: Command) -> Pose:
        for _ in range(count):
            intake = Intake(match.tick / TICKS_PER_SECOND, FRAME_TICKS, None, commands)
            match.advance(chooser.add_grips(intake, wanted=True))
            commands = ()
        piece = next(p for p in match.facts.pieces if p.piece == match.state.ladder)
        return pose_compose(match.home_from_table(), piece.pose)

    frames(30)
    frames(400, *chooser.confirm("free"))
    assert "let_go" in [one.name for one in chooser.list_choices()]
    right, away = ((*way, 0.0) for way in table_axes_as_seen(match.table_from_camera, match.table.mirrored))
    ways = {Act.RIGHT: right, Act.LEFT: right, Act.AWAY: away, Act.NEAR: away}
    for act, axis in ways.items():
        before = frames(1)
        chooser.confirm(act.word)
        frames(30)
        chooser.confirm("stop")
        moved = np.subtract(frames(30).position, before.position)
        sign = 1.0 if act in (Act.RIGHT, Act.AWAY) else -1.0
        assert sign * float(moved @ axis) > 0.9 * np.linalg.norm(moved) > 0.01, act
    for act in (Act.SPIN_LEFT, Act.NOD, Act.ROLL_RIGHT):
        before = frames(1)
        chooser.confirm(act.word)
        frames(30)
        chooser.confirm("stop")
        turn = rotation_vector(quat_multiply(frames(30).rotation, quat_inverse(before.rotation)))
        asked = rotation_vector(match.tilt_rotation(TILTS[act], 1.0))
        assert np.dot(turn, asked) > 0.9 * np.linalg.norm(turn) > 0.1, act


def test_how_far_the_search_is_never_goes_back(match: MoonMatch, search: type[Search]) -> None:
    """Also where the structure moves, and it begins again by itself; only a player makes it look once more."""
    chooser = Chooser(match, on_time=True, search=search())  # type: ignore[arg-type]

    def looks(answer: Answer) -> str:
        search.answer = answer
        chooser.add_grips(Intake(0.0, 1, None), wanted=True)
        return chooser.search_status

    for answer, share in ((Answer(share=0.5), 50), (Answer(void=True), 50), (Answer(share=0.25), 50)):
        assert looks(answer) == text("choose.looking", share=share)
    assert len(search.made.asked) == 2
    assert looks(Answer(share=0.75)) == text("choose.looking", share=75)
    looks(Answer(done=True))
    chooser.confirm("again")
    assert looks(Answer(share=0.25)) == text("choose.looking", share=25)


def test_no_two_places_offered_together_are_called_the_same(match: MoonMatch) -> None:
    kinds = (PlaceKind.PLATE, PlaceKind.LEAN, PlaceKind.LEAN, PlaceKind.LEAN)
    places = [
        replace(PLACE, rest=Pose((x, 0.0, 0.15)), kind=kind)
        for x, kind in zip((0.0, 0.0, -0.005, 0.005), kinds, strict=True)
    ]
    names = [name.partition(": ")[2] for name in name_places(match, places)]
    assert not any(text("choose.on", count=len(PLACE.touched)) in name for name in names)
    assert text("choose.on", count=2) in name_places(match, [PLACE, replace(PLACE, touched=("A", "B"))])[1]
    assert len(set(names)) == 4, names
    (ends,) = {tuple(name.split(", ")[-2:]) for name in names}
    alone = text("choose.where.middle_middle")
    assert name_places(match, places[:1]) == [f"Place 1: {', '.join((alone, *ends))}"]


@pytest.mark.parametrize("chooses", [False, True])
def test_a_hint_can_be_taken_and_the_house_s_hand_carries_the_ladder(
    match: MoonMatch, search: type[Search], chooses: bool
) -> None:
    game = MoonGame(match, search=search())  # type: ignore[arg-type]
    game.should_list_choices = chooses

    def frames(count: int, *commands: Command) -> list[bool]:
        held = []
        for _ in range(count):
            game.advance(Intake(match.tick / TICKS_PER_SECOND, FRAME_TICKS, None, commands))
            commands = ()
            held.append(match.holding)
        return held

    frames(1)
    assert not game.list_help_choices()
    search.answer = Answer((PLACE,), done=True)
    frames(2, ASK)
    assert [one.name for one in game.list_help_choices()] == [HINT, OTHER_HINT]
    frames(2, *game.confirm_choice(HINT))
    assert not game.list_help_choices(), "it is on its way"
    held = frames(600)
    assert any(held)
    assert not held[-1], "it lets go by itself"
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
def test_places_are_offered_unasked_to_who_has_helps(
    changes: dict[str, Any], offers: bool, search: type[Search]
) -> None:
    match = setup_for(auto_roll_s=None, **changes).match()
    game = MoonGame(match, search=search())  # type: ignore[arg-type]
    try:
        assert game.should_list_choices_unasked() is offers
        match.state = replace(match.state, turn=9)
        assert not game.should_list_choices_unasked()
        match.places_chosen[match.state.player] = 1
        assert game.should_list_choices_unasked() is offers, "to one who has chosen before, on every turn"
    finally:
        game.close()


FLAT = 2
SAFE = replace(PLACE, release=Pose((0.0, 0.0, 0.15), ATTITUDES[FLAT]), safety=1.0)


def easy_side(match: MoonMatch, search: type[Search], *own: Command) -> list[Command]:
    search.made, search.answer = search(), Answer((SAFE,))
    easy, sent = EasySideFinder(match), list[Command]()
    while not any(piece.status is PieceStatus.OFFERED for piece in match.facts.pieces):
        advanced(match)
    for frame in range(10):
        intake = easy.add_command(Intake(0.0, 2, None, own if frame == 0 else ()))
        sent += intake.commands
        advanced(match, *intake.commands)
    easy.close()
    (lies,) = (piece.pose for piece in match.facts.pieces if piece.status is PieceStatus.OFFERED)
    assert lies.rotation == pytest.approx(ATTITUDES[sum(command.value or 1 for command in sent)])
    return sent


def helped(helps: VisualAids) -> tuple[Handicap, ...]:
    return (Handicap(helps=helps), Handicap(helps=helps))


@pytest.mark.parametrize(
    "match",
    [{"options": Options(practice=True)}, {"options": Options(handicaps=helped(VisualAids.ALL))}],
    indirect=True,
    ids=["practice", "all helps"],
)
def test_the_easiest_side_is_shown_once(match: MoonMatch, search: type[Search]) -> None:
    (side,) = easy_side(match, search)
    assert (side.kind, side.value) == (Act.TIP, FLAT)
    assert len(search.made.asked) == 1


@pytest.mark.parametrize(
    "match",
    [
        {},
        {"options": Options(practice=True, handicaps=helped(VisualAids.NONE))},
        {"options": Options(no_hints=True, handicaps=helped(VisualAids.ALL))},
    ],
    indirect=True,
    ids=["usual", "no helps", "no hints"],
)
def test_nobody_else_is_shown_the_easiest_side(match: MoonMatch, search: type[Search]) -> None:
    assert easy_side(match, search) == []
    assert not search.made.asked


@pytest.mark.parametrize("match", [{"options": Options(practice=True)}], indirect=True)
def test_a_player_who_turns_it_keeps_that_side(match: MoonMatch, search: type[Search]) -> None:
    assert len(easy_side(match, search, Command(Act.TIP))) == 1
