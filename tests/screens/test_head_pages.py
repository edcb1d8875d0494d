"""Pages for playing with the head, which is recognised at the first start and measured in ten seconds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.face_kit import Sitter
from support.screens_kit import first_start, fresh
from support.session_kit import by_head

from armoon.app.front import Front, build_head_settings, should_track_heads
from armoon.faces import HeadPointer
from armoon.screens.events import ChangeSetting
from armoon.screens.machine import build_page
from armoon.screens.measuring import HEAD_STEP_S, HeadSample, HeadStep
from armoon.screens.pages.measure import add_sample
from armoon.screens.state import PageName, Screens
from armoon.values.choices import HeadConfirm, Way


def front_with_sitter(screens: Screens, seconds: float, mouth: float) -> Front:
    front = Front(screens)
    sitter, pointer = Sitter(), HeadPointer(build_head_settings(screens))
    for frame in range(round((1.5 + seconds) * 30.0)):
        pointer.settings = build_head_settings(front.screens)
        front.handle_head(
            pointer.add_heads(sitter.next_heads(sitter.head(mouth=mouth if frame >= 45 else 0.03)))
        )
    return front


def test_at_the_first_start_a_mouth_opened_three_times_selects_the_head() -> None:
    front = front_with_sitter(first_start(), 1.2, 0.4)
    assert front.screens.page is PageName.SETTINGS
    front = front_with_sitter(front.screens, 1.2, 0.4)
    assert front.screens.page is PageName.WAY
    front = front_with_sitter(front.screens, 1.2, 0.4)
    assert front.screens.preferences.way is Way.HEAD
    assert front.screens.page is PageName.TITLE
    assert ChangeSetting("way", Way.HEAD) in front.drain_actions()


@pytest.mark.parametrize(("seconds", "mouth"), [(0.6, 0.4), (6.0, 0.15)])
def test_a_short_laugh_or_talk_selects_nothing(seconds: float, mouth: float) -> None:
    front = front_with_sitter(first_start(), seconds, mouth)
    assert front.screens.must_choose_way
    assert front.screens.page is PageName.TITLE


def test_no_head_is_tracked_for_other_ways() -> None:
    assert should_track_heads(first_start())
    assert not should_track_heads(fresh())
    assert not should_track_heads(fresh().go_to(PageName.WAY)), "the page was opened later, from the settings"
    assert should_track_heads(fresh().go_to(PageName.HEAD_MEASURE)), (
        "a measurement tracks the head, whatever the player's way"
    )
    with_head = replace(fresh().preferences, way=Way.HEAD)
    assert should_track_heads(replace(fresh(), preferences=with_head))


def test_the_widget_under_the_head_pointer_shows_dwell_progress() -> None:
    screens = replace(fresh(), preferences=replace(fresh().preferences, way=Way.HEAD))
    front = front_with_sitter(screens, 0.2, 0.4)
    assert front.screens.pointer == pytest.approx((0.5, 0.5), abs=0.05)
    dwelling = [widget for widget in build_page(front.screens).widgets if widget.dwell > 0.0]
    under = [widget for widget in build_page(front.screens).widgets if widget.rect.contains((0.5, 0.5))]
    assert [widget.name for widget in dwelling] == [widget.name for widget in under if widget.enabled]


def measure_head(
    turns: float = 20.0, still: float = 0.3, opens: float = 0.4, hidden_every: int = 0
) -> tuple[Screens, float]:
    screens, duration_s = fresh().go_to(PageName.HEAD).go_to(PageName.HEAD_MEASURE), 0.0
    for frame in range(2000):
        step = screens.head.step
        if step is HeadStep.DONE:
            break
        duration_s += 1.0 / 30.0
        if hidden_every and frame % hidden_every < hidden_every // 2:
            screens, _ = add_sample(screens, HeadSample(1.0 / 30.0))
            continue
        yaw = {HeadStep.TURN: (turns, -turns)[frame // 15 % 2]}.get(step, (still, -still)[frame % 2])
        mouth = opens if step is HeadStep.MOUTH and frame // 20 % 2 else 0.03
        screens, _ = add_sample(screens, HeadSample(1.0 / 30.0, (yaw + 3.0, -5.0), mouth))
    return screens, duration_s


def test_a_measurement_takes_ten_seconds_and_proposes_settings() -> None:
    screens, duration_s = measure_head()
    assert duration_s == pytest.approx(sum(HEAD_STEP_S.values()), abs=0.2)
    assert duration_s == pytest.approx(10.0, abs=0.2)
    now = screens.head
    assert now.max_rotation_deg == pytest.approx(20.0, abs=1.0)
    assert now.still_deg == pytest.approx(0.3, abs=0.05)
    assert (now.dead_deg, now.reach_deg, now.mouth, now.confirm) == (2.0, 15.0, 0.22, HeadConfirm.MOUTH)
    screens, actions = by_head(screens, "take")
    assert screens.page is PageName.HEAD
    saved = screens.preferences
    assert (saved.head_dead_deg, saved.head_reach_deg, saved.head_mouth) == (2.0, 15.0, 0.22)
    assert {action.name for action in actions if isinstance(action, ChangeSetting)} >= {"head_dead_deg"}


@pytest.mark.parametrize("tremble", [0.2, 0.8, 1.6])
@pytest.mark.parametrize("turns", [6.0, 12.0, 30.0])
def test_the_proposal_suits_the_head(turns: float, tremble: float) -> None:
    screens, _ = measure_head(turns, tremble)
    now = screens.head
    assert now.dead_deg >= min(4.0 * tremble, 8.0)
    assert now.dead_deg < now.reach_deg <= max(turns, now.dead_deg + 3.0, 8.0)


def test_an_undetected_player_is_informed_and_loses_nothing() -> None:
    screens = fresh().go_to(PageName.HEAD_MEASURE)
    screens, _ = add_sample(screens, HeadSample(0.1, (0.0, 0.0), 0.03))
    screens, _ = add_sample(screens, HeadSample(5.0))
    assert screens.head.seconds == pytest.approx(0.1)
    assert screens.head.is_missing
    screens, duration_s = measure_head(hidden_every=20)
    assert screens.head.step is HeadStep.DONE
    assert duration_s == pytest.approx(20.0, abs=1.0)
