"""The screens in front of the table: keys, clicks, saved settings, and the offer to read aloud."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.screens_kit import every_page, fresh
from support.sound_kit import QuietVoice
from support.table_kit import USUAL, parse_options

from armoon.app import speech
from armoon.app.front import MIN_HOVER_S, Front
from armoon.app.host import make_front
from armoon.app.session import Session
from armoon.app.speech import AudioAids
from armoon.app.switches import show_key_names
from armoon.games.news import ResultNews
from armoon.messages import language, text
from armoon.saves.profiles import Profiles
from armoon.screens.events import ChangeSetting, StartGame, TableSearch
from armoon.screens.layout import Item, set_preference
from armoon.screens.machine import build_page, first_screens, get_plan, search_table
from armoon.screens.measuring import ReactionMeasurement
from armoon.screens.pages.opening import start_guide
from armoon.screens.state import PageName, Scan, Screens
from armoon.settings.files import load_preferences, save_preferences
from armoon.settings.preferences import MAX_VOLUME, PREFERENCES, Preferences, Settings
from armoon.sinks.sink import Moment
from armoon.sound.player import Player
from armoon.speech_output.speaker import ENGINES
from armoon.values.acts import Act, find_act_by_key
from armoon.values.choices import Device, Language, Speech
from armoon.values.page import WidgetKind
from armoon.values.poses import Vec2
from armoon.view.window import MousePointer


def new_front() -> Front:
    return Front(first_screens(Settings(), Preferences()))


def front_at_table() -> Front:
    front = new_front()
    for _ in range(6):
        front.handle_key("return", True)
    assert front.screens.page is PageName.TABLE
    return front


def mouse(place: Vec2, pressed: bool) -> MousePointer:
    return MousePointer(place, pressed, over=place)


def test_a_press_on_the_result_starts_no_game_before_the_focus_is_visible() -> None:
    front = new_front()
    over = replace(front.screens, page=PageName.RESULT, result=ResultNews("Over.", ()), in_game=True)
    front.screens = over
    for _ in range(3):
        assert front.handle_key("space", True) is None
    assert front.drain_actions() == ()
    assert front.screens.page is PageName.RESULT
    front.handle_key("return", True)
    assert front.drain_actions() == ()
    front.screens = over
    front.handle_pad("a", True)
    assert front.drain_actions() == ()
    assert front.handle_key("space", True) is None
    assert isinstance(front.drain_actions()[0], StartGame)


def test_a_name_can_contain_a_space() -> None:
    front = new_front()
    front.screens = front.screens.go_to(PageName.PLAYERS)
    front.handle_pointer(mouse(front.page["name 0"].rect.centre, True))
    assert front.screens.page is PageName.NAME
    before = front.screens.typed
    assert front.handle_key("space", True) is None
    front.handle_letter(" ")
    front.handle_letter("B")
    assert front.screens.typed == before + " B"


def test_the_table_is_located_before_the_game_begins() -> None:
    front = front_at_table()
    front.apply(search_table)
    front.change(table=TableSearch("Cover nothing.", "±1 mm, 1 px"))
    assert front.screens.page is PageName.FIND
    assert not front.is_running
    assert front.page["note 0"].text == "Cover nothing."
    front.drain_actions()
    front.handle_key("return", True)
    assert front.is_running


class QuietPlayer(Player):
    volume = 0.0
    night: float | None = None

    def configure(self, volume: float, night: float, *, mono: bool = False, ambience: bool = False) -> None:
        self.volume, self.night = volume, night


class FakePictures:
    text_scale = 1.0

    def set_aids(self, preferences: Preferences) -> None:
        self.text_scale = preferences.text_scale


def make_session(front: Front, quiet: QuietPlayer, pictures: FakePictures) -> Session:
    session = Session.__new__(Session)
    session._front, session.audio_aids, session._applied_settings = front, AudioAids(dict, quiet), None
    session.pictures = pictures  # type: ignore[assignment]
    return session


def begin_game(*typed: str) -> Front:
    return make_front(parse_options(*typed, *USUAL), Profiles())


def test_changed_settings_are_saved_and_apply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armoon.settings.files.settings_path", lambda: tmp_path / "settings.toml")
    front = new_front()
    front.screens = front.screens.go_to(PageName.SETTINGS)
    quiet, pictures = QuietPlayer(), FakePictures()
    session = make_session(front, quiet, pictures)
    louder = front.page["volume"].rect
    front.handle_pointer(mouse((louder.x + 0.9 * louder.width, louder.centre[1]), True))
    (changed,) = front.drain_actions()
    assert changed == ChangeSetting("volume", Preferences().volume + 1)
    session._carry_out(changed)
    assert load_preferences() == front.screens.preferences
    assert load_preferences().volume == Preferences().volume + 1
    session._apply_preferences()
    assert quiet.volume == (Preferences().volume + 1) / MAX_VOLUME
    assert pictures.text_scale == 1.0
    larger = front.page["text_size"].rect
    for pressed in (False, True):
        front.handle_pointer(mouse((larger.x + 0.9 * larger.width, larger.centre[1]), pressed))
    for action in front.drain_actions():
        session._carry_out(action)
    session._apply_preferences()
    assert pictures.text_scale == 1.2, "the next frame doesn't use the new text size"


def test_during_the_guide_keys_play_and_tab_reaches_the_page() -> None:
    front = new_front()
    front.screens, _ = start_guide(front.screens)
    step = front.screens.guide
    for name in ("space", "q", "e", "w", "s", "a", "d", "up", "left", "return", "comma", "r", "1"):
        assert front.handle_key(name, True) is find_act_by_key(name), name
    assert front.screens.guide is not None
    assert step is not None
    assert front.screens.device is Device.KEYS
    assert front.screens.guide == step.fit_to(Device.KEYS)
    before = front.screens.guide
    for _ in range(3):
        assert front.handle_key("tab", True) is None
    assert front.handle_key("return", True) is None
    assert front.screens.guide == before.next_step()
    assert front.handle_key("return", True) is Act.TAKE
    assert front.handle_key("escape", True) is None
    assert front.screens.page is PageName.PAUSE


def test_during_the_guide_a_gamepad_plays_and_start_pauses() -> None:
    front = new_front()
    front.screens, _ = start_guide(front.screens)
    for name in ("a", "b", "up"):
        assert not front.handle_pad(name, True), name
    assert front.screens.device is Device.PAD
    assert front.handle_pad("start", True)
    assert front.screens.page is PageName.PAUSE


def test_every_preference_survives_a_restart(home: Path) -> None:
    offering = [option for option in PREFERENCES if option.offers]
    others = {o.name: next(offer for offer in o.offers if offer != o.default) for o in offering}
    saved = Preferences(**others, keys=(("roll", "z"),), pad=(("roll", "leftstick"),))
    save_preferences(saved)
    assert begin_game().screens.preferences == saved
    assert language() == saved.language


@pytest.mark.parametrize("page", [PageName.TITLE, PageName.SETTINGS, PageName.TABLE, PageName.NAME])
@pytest.mark.parametrize(("key", "name"), [("f4", "muted"), ("f6", "ambience")])
def test_one_key_toggles_sound_or_ambience_on_every_page(page: PageName, key: str, name: str) -> None:
    front = new_front()
    front.screens = replace(front.screens, page=page)
    before = getattr(front.screens.preferences, name)
    for value in (not before, before):
        assert front.handle_key(key, True) is None
        assert getattr(front.screens.preferences, name) == value
        assert front.drain_actions() == (ChangeSetting(name, value),)


@pytest.mark.parametrize(
    ("system", "chosen", "typed", "shown"),
    [
        ("fr_FR.UTF-8", None, (), Language.FR),
        ("fr_FR.UTF-8", None, ("--language", "en"), Language.EN),
        ("fr_FR.UTF-8", Language.EN, (), Language.EN),
        ("C.UTF-8", Language.FR, (), Language.FR),
        ("C.UTF-8", Language.FR, ("--language", "en"), Language.EN),
        ("de_DE.UTF-8", None, (), Language.EN),
    ],
)
def test_the_language_comes_from_the_command_line_the_choice_or_the_system(
    system: str,
    chosen: Language | None,
    typed: tuple[str, ...],
    shown: Language,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", system)
    if chosen is not None:
        save_preferences(Preferences(language=chosen))
    assert begin_game(*typed).screens.preferences.language is shown
    assert language() == shown


def test_music_and_voice_have_separate_volumes(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    save_preferences(Preferences(volume=3, music_volume=0, voice_volume=5), path)
    loaded = load_preferences(path)
    assert (loaded.volume, loaded.music_volume, loaded.voice_volume) == (3, 0, 5)
    quiet = QuietPlayer()
    AudioAids(dict, quiet).apply_preferences(loaded)
    assert (quiet.volume, quiet.night) == (0.3, 0.0)
    assert [ENGINES[0].build_command("en", 175, v)[1:3] for v in (100, 50)] == [["-v", "en-gb"], ["-a", "50"]]


@pytest.mark.parametrize("engine", [ENGINES[0], None])
def test_reading_aloud_is_offered_once_by_voice_and_a_key_turns_it_on(
    engine: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech, "find_engine", lambda: engine)
    front, quiet = Front(replace(fresh(), must_choose_way=True)), QuietVoice()
    show_key_names(Preferences())

    def turn_on() -> None:
        front.apply(lambda screens: set_preference(screens, "speech", Speech.BRIEF))
        audio.apply_preferences(front.screens.preferences)

    audio = AudioAids(dict, turn_on=turn_on)
    audio.voice._make_voice = lambda: quiet
    audio.apply_preferences(front.screens.preferences)
    audio.offer_reading()

    def spoken_texts() -> list[str]:
        utterances = audio.voice.select(Moment(1.0, page=build_page(front.screens), shown=True))
        if utterances is not None:
            audio.voice.process(utterances)
        spoken, quiet.utterances = quiet.utterances, []
        return spoken

    offer = text("speech.offer")
    assert "F2" in offer
    assert spoken_texts() == ([offer] if engine else [])
    assert spoken_texts() == []
    assert audio.handle_act(Act.SAY_AGAIN, pressed=True)
    assert front.screens.preferences.speech is Speech.BRIEF
    read = spoken_texts()
    assert read
    assert offer not in read
    assert spoken_texts() == []
    assert audio.handle_act(Act.SAY_AGAIN, pressed=True)
    assert spoken_texts() == read, "the key doesn't repeat the text"


PAGES = dict(every_page())


def click(front: Front, place: Vec2) -> None:
    for pressed in (True, False):
        front.handle_pointer(mouse(place, pressed))


@pytest.mark.parametrize("name", PAGES)
def test_a_second_click_presses_only_the_same_button(name: str) -> None:
    start = replace(PAGES[name], aspect=16.0 / 9.0)
    for item in get_plan(start).items:
        if not item.is_live or item.widget.kind is WidgetKind.NUMBER:
            continue
        place = item.widget.rect.centre
        front = Front(start)
        front.advance_time(1.0)
        front.advance_time(2.0)
        front.handle_pointer(mouse(place, False))
        click(front, place)
        front.advance_time(2.1)
        after_click = _without_marks(front.screens)
        front.drain_actions()
        if front.screens.is_scanning:
            continue  # now the mouse button is a switch, wherever the mouse is
        item_there = next(
            (item for item in get_plan(front.screens).items if item.widget.rect.contains(place)), None
        )
        if item_there is not None and _shown_values(front.screens, item_there) == _shown_values(start, item):
            continue
        for later in (2.1, 2.0 + MIN_HOVER_S / 2.0):
            front.advance_time(later)
            click(front, place)
            assert front.drain_actions() == (), item.widget.name
            assert _without_marks(front.screens) == after_click, item.widget.name


def _shown_values(screens: Screens, item: Item) -> tuple[object, ...]:
    return (screens.page, item.widget.name, item.widget.text)


def _without_marks(screens: Screens) -> Screens:
    unmarked: dict[str, Any] = {"focus": None, "focus_shown": False, "hover": None, "pointer": None}
    still = replace(
        screens, **unmarked, device=Device.MOUSE, guide=None, measuring=ReactionMeasurement(), scan=Scan()
    )
    return replace(still, rules=replace(still.rules, seconds=0.0))


def test_a_click_on_the_label_of_a_choice_changes_nothing() -> None:
    clicks = 0
    for screens in PAGES.values():
        for item in get_plan(screens).items:
            if item.is_live and item.widget.kind is WidgetKind.CHOICE:
                rect = item.widget.rect
                front = Front(screens)
                click(front, (rect.x + 0.1 * rect.width, rect.y + 0.3 * rect.height))
                assert front.drain_actions() == ()
                assert _without_marks(front.screens) == _without_marks(screens), item.widget.name
                clicks += 1
    assert clicks > 20
