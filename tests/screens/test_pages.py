"""Single pages: players, options, settings, dwelling, the guide, and news from the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hud_kit import check_no_overlaps
from support.screens_kit import ADDRESS, TOGETHER, VERDICT, every_page, fresh, in_game, resize
from support.screens_kit import press_widget as press

from armoon.games.moon.options import MoonOptions
from armoon.games.news import FinalNews, GuideFacts, ResultNews, ScoreLine
from armoon.messages import text
from armoon.options.kinds import MAX_PLAYERS
from armoon.options.option import PageId
from armoon.screens import machine
from armoon.screens.events import COLOURS, Ask, CameraStatus, ChangeSetting, Request, StartGame
from armoon.screens.machine import build_page, get_plan, is_running
from armoon.screens.pages import opening, result
from armoon.screens.pages.players import type_letter
from armoon.screens.pages.table import advance_guide, pause_for
from armoon.screens.scanning import list_scan_steps
from armoon.screens.state import (
    DWELL_S,
    MIN_STEP_S,
    STEPS,
    GuidedGame,
    GuideStep,
    Key,
    OpenChoices,
    PageName,
    Screens,
)
from armoon.settings.preferences import Preferences
from armoon.values.acts import Act
from armoon.values.choices import CameraWay, SeatName, Speech, TextSize, Way
from armoon.values.names import LONGEST_NAME
from armoon.values.page import Page
from armoon.values.places import TableChoice
from armoon.values.poses import Vec2

PLACES = st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
#: Functions of the screens, with their other arguments.
EVENTS: st.SearchStrategy[tuple[Any, ...]] = st.one_of(
    st.tuples(st.just(machine.press_key), st.sampled_from(Key)),
    st.tuples(st.just(machine.press_pad), st.sampled_from((Key.UP, Key.DOWN, Key.ENTER, Key.ESCAPE))),
    st.tuples(st.just(machine.press_start)),
    st.tuples(st.sampled_from([machine.press_pointer, machine.move_pointer]), PLACES),
    st.tuples(st.just(machine.rest_hand), st.one_of(st.none(), PLACES), st.floats(0.0, 1.0)),
    st.tuples(st.just(type_letter), st.characters()),
    st.tuples(
        st.just(machine.show_news),
        st.sampled_from([VERDICT, FinalNews(("Ann",)), ResultNews("Ann wins", ())]),
    ),
    st.tuples(st.just(pause_for), st.just("gone")),
    st.tuples(
        st.just(advance_guide), st.builds(GuideFacts, st.booleans(), st.booleans()), st.floats(0.0, 5.0)
    ),
)


def left_arrow(page: Page, name: str) -> Vec2:
    rect = page[name].rect
    return (rect.x + rect.width * sum(page[name].arrows[:2]) / 2.0, rect.centre[1])


@given(st.lists(EVENTS, max_size=60), st.integers(1, 6))
def test_any_presses_start_a_legal_game(events: list[tuple[Any, ...]], seats: int) -> None:
    screens = fresh(seats)
    for function, *arguments in events:
        screens, actions = function(screens, *arguments)
        names = [widget.name for widget in build_page(screens).widgets]
        assert len(set(names)) == len(names)
        assert sum(widget.focused for widget in build_page(screens).widgets) <= 1
        for action in actions:
            if isinstance(action, StartGame):
                action.options.check_players(action.party.names)
    assert 1 <= len(screens.form.players) <= MAX_PLAYERS
    form = screens.form.tidy()
    if form.is_playable:
        form.options.check_players(form.start_game().party.names)
    else:
        assert opening.start_game(screens)[1] == (), "the game started with too few or too many players"


@settings(max_examples=24)
@given(
    st.sampled_from((1, 2, 6)),
    st.lists(st.tuples(st.sampled_from(["edition", "mode", "slots", "options"]), st.booleans()), max_size=20),
)
def test_options_stay_legal_for_any_number_of_players(seats: int, turns: list[tuple[str, bool]]) -> None:
    rows = tuple(option.name for option in MoonOptions.list_page_options(PageId.HOUSE))
    screens = fresh(seats).go_to(PageName.EDITION)
    for name, forward in turns:
        if name == "options":
            inner = screens.go_to(PageName.OPTIONS)
            for row in rows:
                inner, _ = press(inner, row)
            screens = inner.go_back()
            continue
        screens, _ = press(screens, name, less=not forward)
    start = screens.form.start_game()
    start.options.check_players(start.party.names)


def test_a_party_can_be_entered_and_played() -> None:
    screens = fresh(2)
    for name in ("others", "more", "game", "moon", "players", "add", "done", "seat", "mirror", "back"):
        screens, actions = press(screens, name)
        assert actions == ()
    screens, actions = press(screens, "start")
    (start,) = actions
    assert isinstance(start, StartGame)
    assert (start.game, start.seat, start.options) == ("moon", "mirror", MoonOptions())
    assert len(start.party.names) == len(set(start.party.colours)) == 3
    assert screens.page is PageName.TABLE
    assert is_running(screens)


def test_an_impossible_party_is_shown_the_remedy() -> None:
    form = replace(fresh(6).form, game="lake")
    screens, actions = press(replace(fresh(6), form=form), "play")
    assert (screens.page, actions) == (PageName.MORE, ())
    assert "2 to 4" in build_page(screens)["note 0"].text
    assert not build_page(screens)["start"].enabled


@pytest.mark.parametrize("camera", CameraWay)
def test_the_seat_is_asked_for_only_with_a_real_camera(camera: CameraWay) -> None:
    screens = replace(fresh(), camera=CameraStatus(camera))
    asks = camera is CameraWay.REAL
    assert ("seat" in {w.name for w in build_page(screens.go_to(PageName.MORE)).widgets}) is asks
    assert ("mirror" in {w.name for w in build_page(screens.go_to(PageName.PRACTICE)).widgets}) is asks


def test_the_option_under_the_pointer_is_explained() -> None:
    screens = fresh().go_to(PageName.OPTIONS)
    for name in ("young_climbers", "supply_size"):
        hovering, _ = machine.move_pointer(screens, build_page(screens)[name].rect.centre)
        assert build_page(hovering)["meaning 0"].text.startswith(build_page(hovering)[name].text)


def test_going_back_returns_to_the_widget_that_was_left() -> None:
    screens, _ = press(fresh().go_to(PageName.OTHERS), "more")
    screens, _ = press(screens, "first")
    screens, _ = press(screens, "done")
    assert screens.focus == "first"
    screens, _ = machine.press_key(screens, Key.ESCAPE)
    assert (screens.page, screens.focus) == (PageName.OTHERS, "more")


def test_one_player_plays_the_cooperative_edition() -> None:
    screens = fresh(1).go_to(PageName.EDITION)
    assert screens.form.options.collect_values()["edition"] == "kosmos-2022"
    assert screens.form.options.together
    assert not build_page(screens)["mode"].enabled
    more, _ = press(fresh(1).go_to(PageName.PLAYERS), "add")
    assert build_page(more.go_to(PageName.EDITION))["mode"].enabled


def test_the_lake_requires_two_to_four_players() -> None:
    for seats, playable in ((1, False), (2, True), (4, True), (5, False)):
        screens, _ = press(fresh(seats).go_to(PageName.GAME), "lake")
        assert build_page(screens)["start"].enabled is playable
        players = build_page(screens.go_to(PageName.PLAYERS))
        assert players["add"].enabled is (seats < 4)
        assert ("up to 4 players" in players["note 0"].text) is (seats == 4)


def test_colours_are_taken_in_turn_and_never_twice() -> None:
    screens = fresh(6).go_to(PageName.PLAYERS)
    assert press(screens, "colour 0")[0].form == screens.form
    screens = fresh(3).go_to(PageName.PLAYERS)
    colours = []
    for _ in range(4):
        screens, _ = press(screens, "colour 0")
        colours.append(screens.form.players[0].colour)
        assert len({player.colour for player in screens.form.players}) == 3
    assert colours == [3, 4, 5, 0]
    assert len(set(COLOURS)) == len(COLOURS) == MAX_PLAYERS


def test_a_name_is_typed_by_hand() -> None:
    screens, _ = press(fresh(3).go_to(PageName.PLAYERS), "name 2")
    for key in ("clear", "key L", "key O", "key Ï", "key S", "delete", "space", "space", "key É"):
        screens, _ = press(screens, key)
    assert screens.typed == "Loï É"
    screens, _ = press(screens, "done")
    assert screens.page is PageName.PLAYERS
    assert screens.form.players[2].name == "Loï É"


def test_a_name_is_typed_with_keys_or_left_unchanged() -> None:
    typing, _ = press(fresh(3).go_to(PageName.PLAYERS), "name 0")
    for _ in range(3):
        typing, _ = machine.press_key(typing, Key.BACKSPACE)
    for letter in "Zoé\n":
        typing, _ = type_letter(typing, letter)
    assert typing.typed == "Zoé"
    assert machine.press_key(typing, Key.ENTER)[0].form.players[0].name == "Zoé"
    assert machine.press_key(typing, Key.ESCAPE)[0].form == fresh(3).form


def test_empty_and_duplicate_names_are_refused() -> None:
    typing, _ = press(fresh(3).go_to(PageName.PLAYERS), "name 0")
    for bad in ("", " ", "Cleo"):
        screens = replace(typing, typed=bad)
        assert not build_page(screens)["done"].enabled
        assert press(screens, "done")[0].page is PageName.NAME
    long = typing
    for _ in range(40):
        long, _ = type_letter(long, "w")
    assert len(long.typed) == LONGEST_NAME


# Dwelling -----------------------------------------------------------------------------------------------------


def dwell(
    screens: Screens, place: Vec2 | None, seconds: float, step: float = 0.05
) -> tuple[Screens, list[object]]:
    performed: list[object] = []
    for _ in range(round(seconds / step)):
        screens, actions = machine.rest_hand(screens, place, step)
        performed += actions
    return screens, performed


def test_dwelling_presses_once_until_the_hand_has_left() -> None:
    screens = fresh().go_to(PageName.HEARING)
    place = build_page(screens)["muted"].rect.centre
    half, actions = dwell(screens, place, DWELL_S / 2)
    assert actions == []
    assert build_page(half)["muted"].dwell == pytest.approx(0.5, abs=0.01)
    assert build_page(half).pointer == place
    pressed, actions = dwell(half, place, 4.0)
    assert actions == [ChangeSetting("muted", True)]
    assert build_page(pressed)["muted"].dwell == 0.0
    moved, _ = dwell(pressed, (0.5, 0.99), 0.1)
    _, actions = dwell(moved, place, 1.0)
    assert actions == [ChangeSetting("muted", False)]


def test_a_page_that_opens_under_a_resting_hand_is_not_pressed() -> None:
    screens = fresh()
    place = build_page(screens)["settings"].rect.centre
    after, _ = dwell(screens, place, 6.0)
    assert after.page is PageName.SETTINGS
    assert after.preferences == screens.preferences


def test_only_a_running_game_is_said_to_be_saved() -> None:
    playing = replace(in_game(fresh()), result=None)
    said = [
        "".join(widget.text for widget in build_page(screens.go_to(PageName.QUIT)).widgets)
        for screens in (fresh(), playing, replace(playing, practice=True))
    ]
    assert ["saved" in words for words in said] == [False, True, False]


def test_a_passing_hand_and_a_lost_one_press_nothing() -> None:
    screens = fresh().go_to(PageName.QUIT)
    place = build_page(screens)["quit"].rect.centre
    for pointer in (None, (0.9, 0.1)):
        dwelling = screens
        for _ in range(10):
            dwelling, actions = dwell(dwelling, place, DWELL_S * 0.6)
            dwelling, more = dwell(dwelling, pointer, 0.05)
            assert actions == more == []
    assert dwell(screens, place, 1.0)[1] == [Request.QUIT]


def test_trembling_at_an_edge_does_not_restart_the_dwell() -> None:
    screens = fresh().go_to(PageName.QUIT)
    rect = build_page(screens)["quit"].rect
    edge = rect.x + rect.width
    performed: list[object] = []
    for k in range(20):
        screens, actions = machine.rest_hand(
            screens, (edge + (0.008 if k % 2 else -0.008), rect.centre[1]), 0.06
        )
        performed += actions
    assert performed == [Request.QUIT]


def test_each_arrow_of_a_choice_dwells_by_itself() -> None:
    screens = fresh().go_to(PageName.SETTINGS)
    less = left_arrow(build_page(screens), "volume")
    more = (build_page(screens)["volume"].rect.x + 0.97 * build_page(screens)["volume"].rect.width, less[1])
    half, _ = dwell(screens, less, DWELL_S * 0.7)
    assert build_page(half)["volume"].dwell_side == -1
    changed, actions = dwell(half, more, DWELL_S * 0.7)
    assert actions == []
    assert build_page(changed)["volume"].dwell_side == 1
    assert dwell(changed, more, 0.4)[1] == [ChangeSetting("volume", screens.preferences.volume + 1)]


# The table ----------------------------------------------------------------------------------------------------


def test_a_verdict_is_shown_and_can_be_overruled() -> None:
    played, _ = machine.show_news(in_game(fresh(3)), VERDICT)
    assert (played.page, played.verdict) == (PageName.TABLE, VERDICT)
    judged, _ = press(played.go_to(PageName.PAUSE), "verdict")
    assert judged.page is PageName.VERDICT
    assert build_page(judged)["heading"].text == VERDICT.sentence
    judged = replace(judged, possible=judged.possible | {Act.LOOK_BACK})
    assert press(judged, "again")[1] == (Ask(Act.LOOK_BACK),)
    overruling, _ = press(judged, "overrule")
    after, actions = press(overruling, "give 1")
    assert actions == (Ask(Act.GIVE_TEAR_BACK, 1),)
    assert is_running(after)


def test_news_does_not_disturb_busy_players() -> None:
    busy = in_game(fresh()).go_to(PageName.PAUSE).go_to(PageName.SETTINGS)
    for news in (VERDICT, FinalNews(("Ann",))):
        assert machine.show_news(busy, news)[0].page is PageName.SETTINGS
    assert machine.show_news(fresh(), ResultNews("Ann wins", ()))[0].page is PageName.TITLE
    assert machine.show_news(busy, ResultNews("Ann wins", ()))[0].page is PageName.TOWER


def test_the_title_tells_whether_the_next_game_is_played_as_a_team() -> None:
    notes = [
        build_page(replace(fresh(3), form=fresh(3).form.with_options(own)))["play"].value
        for own in (MoonOptions(), TOGETHER)
    ]
    assert [text("screens.title.together") in one for one in notes] == [False, True]


@pytest.mark.parametrize("count", [1, 3, 4, 6])
def test_the_result_lists_the_players_in_one_row_after_a_look_at_the_tower(count: int) -> None:
    lines = tuple(ScoreLine(f"Player {place}", place, place=place) for place in range(count, 0, -1))
    news = ResultNews("Player 1 wins", lines, "The last ladder is placed")
    tower, actions = machine.show_news(in_game(fresh()), news)
    assert not actions, "a picture is saved only on request"
    assert [widget.text for widget in build_page(tower).widgets] == [""]
    alone, _ = machine.pass_time(tower, result.ALONE_S - 0.1)
    assert build_page(alone) == build_page(tower)
    over, _ = machine.pass_time(alone, 0.2)
    cards = [widget for widget in build_page(over).widgets if widget.name.startswith("score ")]
    assert [card.text for card in cards] == [f"{k}. Player {k}" for k in range(1, count + 1)]
    assert len({card.rect.y for card in cards}) == 1
    pressed, _ = machine.press_key(tower, Key.ENTER)
    assert build_page(pressed) == build_page(over)
    assert machine.press_key(pressed, Key.ENTER)[1] == (), "the press that ends it doesn't start another game"


def test_another_camera_is_chosen_if_one_is_missing() -> None:
    cams = (("0", "Integrated Camera"), ("2", ""))
    start = machine.apply_camera(
        fresh(), CameraStatus(CameraWay.NONE, "none", cams, "No webcam answers.", None, True)
    )[0]
    assert start.page is PageName.CAMERA
    assert build_page(start)["note 0"].text == "No webcam answers."
    after, actions = press(start, "webcam 2")
    assert (after.page, actions) == (PageName.CAMERA, (Ask(Request.USE_CAMERA, "2"),))
    failed = machine.apply_camera(
        start, CameraStatus(CameraWay.NONE, "none", cams, "Webcam 2 gives no picture.")
    )[0]
    assert failed.page is PageName.CAMERA
    found_page = machine.apply_camera(start, CameraStatus(CameraWay.REAL, "2", cams, "", SeatName.MIRROR))[0]
    assert (found_page.page, found_page.form.seat) == (PageName.TITLE, "mirror")
    paused, _ = pause_for(in_game(fresh()), "The camera is gone")
    assert build_page(paused)["note 0"].text == "The camera is gone"
    assert press(paused, "resume")[0].stopped_by == ""
    choosing, actions = press(paused, "camera")
    assert actions == (Request.FIND_CAMERAS,)
    back = machine.apply_camera(choosing, CameraStatus(CameraWay.NONE, "none", cams, "", SeatName.TABLE))[0]
    assert (back.page, back.stopped_by) == (PageName.PAUSE, "")


def test_a_request_from_the_pause_page_resumes_the_game() -> None:
    paused, _ = machine.press_key(replace(in_game(fresh(3)), guide=None), Key.ESCAPE)
    question, nothing = press(paused, "give_up")
    assert nothing == ()
    assert press(question, "stay")[0].page is PageName.PAUSE
    for page, name, action in ((question, "give_up", Ask(Act.GIVE_UP)), (paused, "undo", Ask(Act.UNDO, 1))):
        after, actions = press(page, name)
        assert actions == (action,)
        assert is_running(after)
    assert "score" not in {widget.name for widget in build_page(paused).widgets}, (
        "the game isn't played as a team"
    )
    form = paused.form.with_options(TOGETHER)
    team = replace(paused, form=form, score=4)
    assert press(team, "score")[1] == (Ask(Act.SCORE),)
    assert not build_page(replace(team, score=None))["score"].enabled


def test_putting_back_is_not_scanned_right_before_releasing() -> None:
    names = ("let_go", "left", "right", "put_back")
    offered = tuple(
        TableChoice(name, name, group="nudge" if name in ("left", "right") else "") for name in names
    )
    changed = replace(Preferences(), way=Way.SWITCH)
    table, _ = machine.offer_choices(
        replace(in_game(fresh()), guide=None, preferences=changed), OpenChoices(offered)
    )
    steps = [names[0] for names in list_scan_steps(get_plan(replace(table, page=PageName.TABLE)))]
    place = steps.index("choose put_back")
    assert steps[(place + 1) % len(steps)] != "choose let_go"


def test_scoring_is_offered_at_the_table_only_while_it_would_be_accepted() -> None:
    table = replace(in_game(fresh(3)), form=in_game(fresh(3)).form.with_options(TOGETHER))
    assert "score" not in {widget.name for widget in build_page(table).widgets}
    scoring = replace(table, score=1)
    assert "1 point" in build_page(scoring)["score"].text
    assert build_page(replace(scoring, score=5, best_score=4))["score"].text == "Score 5 points instead of 4"
    assert press(scoring, "score")[1] == (Ask(Act.SCORE),)
    assert is_running(press(scoring, "score")[0])
    for aspect, size in ((1.78, TextSize.NORMAL), (1.78, TextSize.DOUBLE), (0.6, TextSize.NORMAL)):
        changed = replace(scoring.preferences, text_size=size, way=Way.SWITCH)
        sized = replace(scoring, preferences=changed, aspect=aspect)
        chooses, _ = machine.offer_choices(sized, OpenChoices((TableChoice("roll", "Roll the die"),)))
        score, roll = (build_page(chooses)[name].rect for name in ("score", "choose roll"))
        assert score.y + score.height <= roll.y or roll.y + roll.height <= score.y
    assert "score" not in {widget.name for widget in build_page(replace(scoring, score=None)).widgets}


def test_the_result_leads_to_chart_and_scores_and_saves_a_picture() -> None:
    form = in_game(fresh(3)).form.with_options(TOGETHER)
    ended = ResultNews("4 points", (), "The last tear is taken", score=4)
    screens = replace(in_game(fresh(3)), form=form, result=ended).reset_to(PageName.RESULT)
    scores, actions = press(screens, "scores")
    assert actions == (Request.OPEN_SCORES,)
    chosen = [widget.name for widget in build_page(scores).widgets if widget.chosen]
    assert chosen == ["rank 4"]
    assert press(screens, "picture")[1] == (Request.SAVE_PICTURE,)
    result = replace(screens, picture="The picture is kept: a.png")
    assert build_page(result)["outcome 1"].text == "The picture is kept: a.png"
    assert not build_page(result)["picture"].enabled


def test_practice_offers_die_faces_placing_again_and_undo_at_the_table() -> None:
    screens, actions = press(fresh().go_to(PageName.PRACTICE), "start")
    assert len(actions) == 1
    for number in (1, 2, 3):
        after, actions = press(screens, f"face {number}")
        assert actions == (Ask(Act.ROLL, number),)
        assert after.page is PageName.TABLE
    assert press(screens, "place_again")[1] == (Ask(Act.PLACE_AGAIN),)
    assert press(screens, "undo")[1] == (Ask(Act.UNDO, 1),)
    paused, _ = press(screens, "pause")
    assert build_page(paused)["undo"].enabled
    assert not build_page(paused)["overrule"].enabled
    counting = in_game(fresh())
    assert not {"face 1", "place_again", "undo"} & {widget.name for widget in build_page(counting).widgets}


# The guide ----------------------------------------------------------------------------------------------------


def test_the_guide_takes_two_minutes_and_follows_the_table() -> None:
    assert 90.0 <= sum(step.usual_s for step in STEPS) <= 130.0
    facts_by_step = {
        "show": GuideFacts(hand_seen=True),
        "pinch": GuideFacts(hand_seen=True, pinching=True),
        "open": GuideFacts(hand_seen=True),
        "roll": GuideFacts(offered=True),
        "side": GuideFacts(offered=True),
        "hint": GuideFacts(offered=True, hinted=True),
        "take": GuideFacts(hand_seen=True, pinching=True, held=True),
        "carry": GuideFacts(hand_seen=True, pinching=True, held=True, over_base=True),
        "ghost": GuideFacts(hand_seen=True, pinching=True, held=True, over_base=True),
        "waits": GuideFacts(hand_seen=True, held=True, over_base=True, waits=True),
        "touch": GuideFacts(hand_seen=True, pinching=True, held=True, over_base=True, touching=1, good=True),
        "let_go": GuideFacts(hand_seen=True, settling=True, touching=1),
        "judged": GuideFacts(judged=True, stands=True),
        "table": GuideFacts(turned=True),
        "die": GuideFacts(),
        "tears": GuideFacts(),
        "help": GuideFacts(),
    }
    guide, before = GuidedGame(), GuideFacts()
    for k, step in enumerate(STEPS):
        assert guide.step == k
        if step.hold_s < 5.0 and not step.is_done(before):
            assert guide.advance(before, 60.0).step == k, f"{step.key} is passed without being done"
        assert guide.advance(facts_by_step[step.key], MIN_STEP_S * 0.9).step == k
        for _ in range(150):
            if guide.step == k:
                guide = guide.advance(facts_by_step[step.key], 0.1)
        before = facts_by_step[step.key]
    assert guide.is_over
    assert guide.progress == 1.0
    assert guide.advance(GuideFacts(), 1.0) == guide


TURN = STEPS[1 + [step.key for step in STEPS].index("roll") : [step.key for step in STEPS].index("table")]


@pytest.mark.parametrize("step", TURN, ids=lambda step: step.key)
def test_the_guide_repeats_the_turn_until_a_ladder_stands(step: GuideStep) -> None:
    guide = GuidedGame(STEPS.index(step))
    fallen = guide.advance(GuideFacts(judged=True), 0.1)
    assert STEPS[fallen.step].key == "roll"
    assert fallen.text_name == "again"
    standing = GuideFacts(judged=True, stands=True)
    for _ in range(60):
        guide = guide.advance(standing, 0.1)
    assert STEPS[guide.step].key == "table"


@pytest.mark.parametrize("good", [None, False])
def test_the_guide_lets_no_ladder_go_that_would_fall(good: bool | None) -> None:
    touch = next(k for k, step in enumerate(STEPS) if step.key == "touch")
    held = GuideFacts(held=True, over_base=True, touching=1, good=good)
    assert GuidedGame(touch).advance(held, 60.0).step == touch
    assert STEPS[GuidedGame(touch + 1).advance(held, 0.1).step].key == ("let_go" if good is None else "touch")


@pytest.mark.parametrize("size", [TextSize.NORMAL, TextSize.ENORMOUS])
def test_the_join_address_appears_only_in_the_window(size: TextSize) -> None:
    key = ADDRESS.rpartition(":")[2]
    names_with_code = set()
    for name, screens in every_page():
        changed = replace(screens.preferences, text_size=size)
        for scrolled in range(4):
            page = build_page(replace(screens, preferences=changed, scrolled=scrolled))
            words = "".join(widget.text + widget.value for widget in page.widgets).replace(" ", "")
            if key in words or any(widget.name == "code" for widget in page.widgets):
                names_with_code.add(name)
                assert page.window_only, name
    assert "party on" in names_with_code


@pytest.mark.parametrize("size", [(1280, 720), (960, 720), (400, 700)])
@pytest.mark.parametrize("left_handed", [False, True], ids=["right", "left"])
def test_widgets_stay_inside_the_page_and_do_not_overlap(size: tuple[int, int], left_handed: bool) -> None:
    for name, state in every_page():
        mirrored = replace(state, preferences=replace(state.preferences, left_handed=left_handed))
        (screens,) = resize(mirrored, size)
        page = build_page(screens)
        assert page.look == screens.preferences.look
        check_no_overlaps(page, name)
        waits = screens.remote_tables.asked_host or screens.remote_tables.is_searching
        has_main = (
            screens.page in (PageName.SETTINGS, PageName.PARTY, PageName.RESULT, PageName.FAR) and not waits
        )
        assert has_main <= sum(widget.main for widget in page.widgets) <= 1, name


@pytest.mark.parametrize("left_handed", [False, True], ids=["right", "left"])
@pytest.mark.parametrize("name", ["pause", "turn left", "turn right", "attitude", "hint"])
def test_the_tables_icons_show_their_text_to_any_resting_pointer(name: str, left_handed: bool) -> None:
    changed = replace(fresh().preferences, left_handed=left_handed)
    screens = replace(in_game(fresh()), preferences=changed, hover=None, pointer=None)
    icon = build_page(screens)[name]
    assert icon.text == ""
    assert icon.drawing is not None
    assert icon.spoken
    place = icon.rect.centre
    moved, _ = machine.move_pointer(screens, place)
    pointed, _ = machine.rest_hand(screens, place, 0.01)
    focused = screens
    while not build_page(focused)[name].focused:
        focused, _ = machine.press_key(focused, Key.TAB)
    for resting in (moved, pointed, focused):
        widget = build_page(resting)[name]
        assert widget.text
        assert widget.spoken == icon.spoken
        assert widget.rect.contains(place)
        assert not build_page(resting)["pause" if name != "pause" else "turn left"].text, (
            "the others stay icons"
        )
    assert not build_page(machine.move_pointer(moved, (0.5, 0.3))[0])[name].text
    assert machine.press_pointer(screens, place) == machine.press_pointer(moved, place)


@pytest.mark.parametrize("way", [Way.SWITCH, Way.SWITCHES, Way.VOICE, Way.HEAD])
def test_the_tables_buttons_have_text_for_players_who_scan_speak_or_listen(way: Way) -> None:
    table = in_game(fresh())
    page = build_page(replace(table, preferences=replace(table.preferences, way=way)))
    brief = build_page(replace(table, preferences=replace(table.preferences, speech=Speech.BRIEF)))
    for name in ("pause", "turn left", "turn right", "attitude", "hint"):
        assert page[name].text
        assert brief[name].text


@pytest.mark.parametrize("size", [(1280, 720), (640, 480), (540, 960)])
def test_repeated_presses_in_one_place_change_only_the_text_size(size: tuple[int, int]) -> None:
    start = replace(fresh(), aspect=size[0] / size[1], height_px=size[1]).go_to(PageName.SETTINGS)
    widget = build_page(start)["text_size"]
    x, y, width, height = widget.rect.x, widget.rect.y, widget.rect.width, widget.rect.height
    place = (x + (1.0 + widget.arrows[2]) / 2.0 * width, y + height / 2.0)
    screens, sizes = start, [start.preferences.text_size]
    for _ in TextSize:
        screens, _ = machine.press_pointer(screens, (place[0] + 0.002, place[1]))
        sizes.append(screens.preferences.text_size)
        assert screens.preferences == replace(start.preferences, text_size=sizes[-1])
    assert set(sizes) == set(TextSize)
    large = machine.press_key(
        replace(screens, preferences=replace(start.preferences, text_size=TextSize.LARGEST)), Key.TAB
    )[0]
    moved, _ = machine.move_pointer(large, (0.5, 0.999))
    back, _ = machine.press_pointer(moved, place)
    under = [widget.name for widget in build_page(moved).widgets if widget.rect.contains(place)]
    assert back.preferences.text_size is TextSize.LARGEST or "text_size" in under
