"""The page of trials: its sheets and players, the game that a card starts, and the pages after a trial."""

from __future__ import annotations

from dataclasses import replace

from support.screens_kit import LAST_GAME, TRIALS, fresh, in_game
from support.screens_kit import press_widget as press

from armoon.games.moon.kind import KIND
from armoon.games.moon.options import MoonOptions
from armoon.games.news import ResultNews, Trials
from armoon.screens.events import Ask, Request, ReviewState, StartTrial
from armoon.screens.machine import build_page, press_key, show_news
from armoon.screens.pages.opening import resume_saved
from armoon.screens.pages.trials import MAX_CARDS, make_start_trial, split_into_sheets
from armoon.screens.state import Key as PageKey
from armoon.screens.state import PageName, Screens


def open_trials() -> Screens:
    screens, actions = press(fresh(), "trials")
    assert actions == (Request.OPEN_TRIALS,)
    assert screens.page is PageName.TRIALS
    assert build_page(screens)["none 0"].text
    return replace(screens, trials=TRIALS)


def test_every_trial_is_on_one_sheet() -> None:
    sheets = split_into_sheets(TRIALS.lines)
    names = [line.name for _, lines in sheets for line in lines]
    assert sorted(names) == sorted(line.name for line in TRIALS.lines)
    assert all(len(lines) <= MAX_CARDS for _, lines in sheets)
    assert len({label for label, _ in sheets}) == len(sheets)
    screens, groups = open_trials(), []
    for _ in sheets:
        groups.append(build_page(screens)["group"].value)
        screens, _ = press(screens, "group")
    assert groups == [label for label, _ in sheets]
    assert build_page(screens)["group"].value == groups[0]


def test_a_card_names_each_remaining_medal() -> None:
    line = next(line for line in TRIALS.lines if not line.bests)
    cards = build_page(replace(open_trials(), trials=Trials((line,))))
    value = cards[line.name].value
    assert value == " · ".join(
        f"{medal}: {score}" for medal, score in zip(("Bronze", "Silver", "Gold"), line.goals, strict=True)
    )


def test_a_card_starts_for_the_chosen_player() -> None:
    screens, _ = press(open_trials(), "player")
    chosen = build_page(screens)["player"].value
    assert chosen == screens.form.players[1].name
    at_table, (request,) = press(screens, "t0-0")
    assert isinstance(request, StartTrial)
    assert (request.trial, request.party.names) == ("t0-0", (chosen,))
    assert (at_table.page, at_table.in_game, at_table.party) == (PageName.TABLE, True, (chosen,))
    assert at_table.form == screens.form  # the party's next game is unchanged

    over, _ = press_key(show_news(at_table, ResultNews("It is over", ()))[0], PageKey.ESCAPE)
    restarted, actions = press(over, "again")
    assert actions == (request,)
    assert restarted.trial == request
    back, actions = press(over, "trials")
    assert (back.page, actions) == (PageName.TRIALS, (Request.OPEN_TRIALS,))


def test_no_verdict_can_be_overruled_in_a_trial() -> None:
    screens, _ = press(open_trials(), "t0-0")
    paused, _ = press_key(screens, PageKey.ESCAPE)
    assert not build_page(paused)["overrule"].enabled


def test_a_saved_trial_resumes_and_leaves_the_form_alone() -> None:
    options = KIND.build_trial_options("place-three", MoonOptions())
    screens, game = fresh(), replace(LAST_GAME, players=("Zoé",), options=options)
    at_table, actions = resume_saved(game)(screens)
    assert actions == (Ask(Request.RESUME_GAME, game),)
    assert at_table.form == screens.form
    assert at_table.trial is not None
    assert (at_table.trial.trial, at_table.party) == ("place-three", ("Zoé",))


def test_the_review_is_requested_shown_as_it_arrives_and_cancelled() -> None:
    result = replace(in_game(fresh()), review=ReviewState()).go_to(PageName.RESULT)
    screens, actions = press(result, "review")
    assert (screens.page, actions) == (PageName.REVIEW, (Request.OPEN_REVIEW,))
    screens = replace(screens, review=ReviewState().with_news(12))
    assert "12" in build_page(screens)["said 0"].text
    assert not build_page(screens)["keep"].enabled
    screens, actions = press(screens, "back")
    assert (screens.page, actions) == (PageName.RESULT, (Request.STOP_REVIEW,))


def test_landmarks_are_written_only_after_consent_on_their_page() -> None:
    assert "research" not in [widget.name for widget in build_page(open_trials()).widgets], (
        "there is no trial to share"
    )
    tried = replace(open_trials(), trial=make_start_trial(open_trials(), "moon", TRIALS.lines[0].name, "Ann"))
    page, actions = press(tried, "research")
    assert (page.page, actions) == (PageName.RESEARCH, ())
    assert build_page(page)["back"].enabled
    assert press(page, "back")[1] == ()
    assert press(page, "write")[1] == (Request.SAVE_LANDMARKS,)
    written = replace(page, picture="It lies there.")
    assert build_page(written)["asked 3"].text == "It lies there."
    assert not build_page(written)["write"].enabled
