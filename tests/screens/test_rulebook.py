"""Every game's rules, step by step with moving or still pictures, from the title, the pause page and F1."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.screens_kit import TOGETHER, fresh, in_game, press_item
from support.toy_kit import register_toy

from armoon import messages
from armoon.games import GAMES, game_options, title_of
from armoon.games.contract import load_kind
from armoon.games.moon.editions import EditionName, Options
from armoon.games.moon.options import MoonOptions
from armoon.games.shared import RuleBook, RuleStep
from armoon.screens.machine import build_page, pass_time, press_key
from armoon.screens.pages.rulebook import REST_S, STILL_AT, list_books, open_rules
from armoon.screens.state import Key, PageName
from armoon.values.choices import Language, OneHand
from armoon.values.page import ASPECT, Drawing, Stroke

F1 = Key.HELP


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from register_toy(monkeypatch)


def all_books(language: str) -> list[tuple[str, RuleBook]]:
    messages.set_language(language)
    books = []
    for name in GAMES:
        kind = load_kind(name)
        for own in load_kind(name).list_rule_variants(game_options(name)()):
            books += [(name, kind.build_rule_book(own)), (name, kind.build_rule_book(own, own.max_players))]
    return books


def list_steps(language: str) -> list[tuple[str, RuleStep]]:
    return [
        (f"{name} {screen.name} {step.name}", step)
        for name, book in all_books(language)
        for screen in book.screens
        for step in screen.steps
    ]


def list_points(drawing: Drawing) -> list[tuple[float, float]]:
    points = []
    for shape in drawing.shapes:
        points += [shape.a, shape.b] if isinstance(shape, Stroke) else [shape.centre]
    return points


@pytest.mark.parametrize("language", Language)
def test_every_step_has_a_sentence_and_a_picture_that_moves(language: Language) -> None:
    for name, step in list_steps(language):
        assert step.sentence[0].isupper() or step.sentence[0].isdigit(), name
        assert step.sentence[-1] in ".!”", name
        assert "{" not in step.sentence, name
        if language is not Language.EN:
            continue  # its pictures are the same
        pictures = [step.picture(tenth / 10.0) for tenth in range(11)]
        assert len(set(pictures)) > 2, name
        for picture in pictures:
            assert all(math.isfinite(x) and math.isfinite(y) for x, y in list_points(picture)), name
        inside = [0.0 <= x <= ASPECT and 0.0 <= y <= 1.0 for x, y in list_points(step.picture(STILL_AT))]
        assert sum(inside) > 0.9 * len(inside) > 0, name


def test_the_moon_uses_its_editions_terms() -> None:
    def words(edition: EditionName, **own: object) -> str:
        book = load_kind("moon").build_rule_book(MoonOptions().with_values(edition=edition, **own))
        return " ".join(step.sentence for screen in book.screens for step in screen.steps)

    bombyx, kosmos = words(EditionName.BOMBYX_2017), words(EditionName.KOSMOS_2022)
    assert "tear" in bombyx
    assert "raindrop" not in bombyx
    assert "cloud" not in bombyx
    assert "raindrop" in kosmos
    assert "tear" not in kosmos.replace("start", "")
    assert "the 28 ladders" in bombyx
    assert "the 27 ladders" in kosmos
    assert "taken 3 tears" in bombyx
    assert "taken 4 raindrops" in kosmos
    assert "The 3 ladders" in words(EditionName.BOMBYX_2017, young_climbers=True)
    assert "the last of the 9 tears" in words(EditionName.BOMBYX_2017, tears=9)


@pytest.mark.parametrize(
    ("one_hand", "word"), [(OneHand.MISTAKE, "costs"), (OneHand.WARN, "warned"), (OneHand.OFF, "")]
)
def test_the_rule_of_a_second_hand_follows_the_options(one_hand: OneHand, word: str) -> None:
    book = load_kind("moon").build_rule_book(MoonOptions(house=Options(one_hand=one_hand)))
    sentences = [
        step.sentence for screen in book.screens for step in screen.steps if "second hand" in step.sentence
    ]
    assert [word in sentence for sentence in sentences] == ([True] if word else [])


def test_a_party_of_four_is_shown_no_rules_for_two_or_three() -> None:
    book = load_kind("lake").build_rule_book(game_options("lake")(), 4)
    names = {step.name for screen in book.screens for step in screen.steps}
    assert "tower_four" in names
    assert not names & {"tower_two", "tower_three", "colours_three", "neutral_top"}


# On the page ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [page for page in PageName if page is not PageName.RULES])
def test_f1_opens_the_rules_and_back_returns(page: PageName) -> None:
    before = in_game(fresh(4)).go_to(page)
    opened, actions = press_key(before, F1)
    assert opened.page is PageName.RULES
    assert actions == ()
    assert press_key(opened, F1) == (opened, ())
    closed, _ = press_key(opened, Key.ESCAPE)
    assert closed.page is page
    assert closed.back == before.back


def test_at_the_table_the_rules_are_the_current_ones() -> None:
    playing = in_game(fresh(4))
    playing = replace(playing, form=playing.form.with_options(TOGETHER))
    opened, _ = open_rules(playing)
    (book,) = list_books(opened)
    assert "score" in {screen.name for screen in book.screens}
    assert all(widget.name != "book" for widget in build_page(opened).widgets)


def test_before_a_game_the_rules_of_every_game_and_edition_can_be_read() -> None:
    opened, _ = open_rules(fresh())
    titles = []
    for _ in list_books(opened):
        titles.append(build_page(opened)["book"].text)
        opened, _ = press_item(opened, "book")
    assert len(set(titles)) == len(titles) == len(list_books(opened)) >= 4
    assert build_page(opened)["book"].text == titles[0]


def test_the_rules_open_at_the_chosen_game_and_edition() -> None:
    lake = replace(fresh(), form=replace(fresh().form, game="lake"))
    assert build_page(open_rules(lake)[0])["book"].text == title_of("lake")
    together = replace(fresh(), form=fresh().form.with_options(TOGETHER))
    assert "Together" in build_page(open_rules(together)[0])["book"].text


def test_pictures_move_and_the_next_step_follows() -> None:
    opened, _ = open_rules(fresh())
    first = list_books(opened)[0].screens[0].steps[0]
    later, _ = pass_time(opened, 0.2 * first.seconds)
    assert build_page(later)["picture"].drawing != build_page(opened)["picture"].drawing
    assert build_page(later)["sentence"] == build_page(opened)["sentence"]
    rested, _ = pass_time(later, first.seconds + REST_S)
    assert rested.rules.step == 1
    assert rested.rules.seconds == 0.0
    for _ in list_books(opened)[0].screens[0].steps:
        opened, _ = pass_time(opened, 100.0)
    assert opened.rules.step == 0


def test_still_pictures_advance_on_request() -> None:
    calm = replace(fresh(), preferences=replace(fresh().preferences, calm=True))
    opened, _ = open_rules(calm)
    assert pass_time(opened, 100.0)[0] == opened
    first = list_books(opened)[0].screens[0].steps[0]
    assert build_page(opened)["picture"].drawing == first.picture(STILL_AT)
    onward, _ = press_key(opened, Key.ENTER)
    assert onward.rules.step == 1


@pytest.mark.parametrize("name", ["moon", "lake", "toy"])
def test_every_games_rules_end_with_the_controls_of_hand_mouse_and_keys(name: str) -> None:
    screens = replace(fresh(), games=(name,), form=replace(fresh().form, game=name))
    for book in list_books(open_rules(screens)[0]):
        last = book.screens[-1]
        assert last.name == "keys"
        assert {"hand", "mouse", "keys", "always"} <= {step.name for step in last.steps}
        assert ("die" in last.steps[0].sentence) is (name == "moon")
        assert len({last.steps[0].picture(tenth / 10.0) for tenth in range(11)}) > 2
