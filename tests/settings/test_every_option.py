"""Every option in each of its scopes: the default, an allowed value, a wrong value, its texts and its effect."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.command_line import run
from support.every_case import Test, every_case
from support.log_kit import header_of
from support.options_kit import EVERY, NEEDS, OWN, make_value, record_options

from armoon import messages
from armoon.camera.profiles import SEATS
from armoon.cli.options import group_options
from armoon.engine.logbook import LogReader
from armoon.engine.match import Match
from armoon.engine.setup import make_setup
from armoon.errors import LogError, SettingsError
from armoon.games import game_names, game_options
from armoon.games.contract import load_kind
from armoon.games.library import create_logged_match
from armoon.games.moon.editions import Mode
from armoon.games.shared import FirstPlayer
from armoon.options.kinds import EnumValue, File, Names, Number, TargetAddress, Text
from armoon.options.option import (
    COMMAND,
    FILE,
    PAGE,
    SAVE,
    Configuration,
    InvalidValueError,
    Option,
    OptionScope,
    PageId,
    filter_options,
    read,
)
from armoon.options.parts import list_part_options
from armoon.saves import game_file
from armoon.screens.machine import build_page, first_screens, press_pointer
from armoon.screens.state import PageName
from armoon.settings.files import list_file_keys, load_preferences, load_settings
from armoon.settings.preferences import ALL_OPTIONS, GENERAL, PREFERENCES, PlayOptions, Preferences, Settings
from armoon.values.acts import KEPT_BUTTONS, KEPT_KEYS
from armoon.values.choices import Language, SeatName, Way
from armoon.values.page import LESS_FROM

PAGES = [preference for preference in PREFERENCES if preference.scopes == {PAGE}]


def in_scope(scope: OptionScope) -> Callable[[Test], Test]:
    return every_case(
        "game, option",
        [(game, option) for game, option in EVERY if option in filter_options((option,), scope)],
    )


def wrong_value(option: Option) -> tuple[Any, str]:
    """Return a value that isn't allowed, plain and as an argument; the argument is empty if any text is allowed."""
    kind = option.kind
    if isinstance(kind, Number):
        value = kind.least - 1
        return value, f"{int(value) if kind.whole else value}"
    if isinstance(kind, Names):
        return ["Ann", "Ann"], "Ann,Ann"
    if isinstance(kind, Text):
        return -1, ""
    if isinstance(kind, File):
        return 7, ""
    if isinstance(kind, EnumValue) and issubclass(kind.enum_type, int):
        return 45, "45"
    return ("nonsense", "nonsense") if option.name != "bots" else (["nonsense"], "nonsense")


def refusal_text(option: Option, value: object) -> str:
    return str(InvalidValueError(option, value))


# The description ----------------------------------------------------------------------------------------------


@every_case("language", Language)
@every_case("option", [*(option for _, option in EVERY), *PAGES])
def test_every_option_has_its_texts_in_both_languages(option: Option, language: Language) -> None:
    messages.set_language(language)
    assert option.help
    assert option.kind.describe_allowed()
    if PAGE in option.scopes:
        assert option.label
        for value in option.offers:
            by_page = ("volume", "music_volume", "voice_volume", "tears", "two_player_limit")
            if option.name not in by_page:  # their page has the texts
                assert option.format_value(value)


# The settings file --------------------------------------------------------------------------------------------


def format_toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {format_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


@in_scope(FILE)
def test_the_settings_file_sets_and_checks_an_option(game: str, option: Option, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    plain, _, value = make_value(option)
    tables = ("", f"[{game}]\n") if game else ("",)
    for table in tables:
        path.write_text(f"{table}{option.name} = {format_toml(plain)}\n", encoding="utf-8")
        settings = load_settings(path)
        read_value = (
            settings.options_for(game).collect_values()[option.name] if game else settings.value(option.name)
        )
        assert read_value == value
    refused, _ = wrong_value(option)
    for language in Language:
        first = "" if option.name == "language" else f'language = "{language}"'
        path.write_text(f"{first}\n\n{option.name} = {format_toml(refused)}\n", encoding="utf-8")
        messages.set_language("en")
        with pytest.raises(SettingsError) as caught:
            load_settings(path)
        assert refusal_text(option, refused) in str(caught.value)
        assert f"{path}, " in str(caught.value)
        assert " 3" in str(caught.value)


def test_the_remedy_names_every_key_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[moon]\nbots = []\n", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(path)
    assert all(key in caught.value.remedy for key in list_file_keys())


# The command line ---------------------------------------------------------------------------------------------


calls = pytest.fixture(record_options)

GAME_OF = game_file.read_game_name


def make_command_line(game: str, option: Option, typed: str) -> list[str]:
    line = ["play", *(["--game", game] if game else [])]
    line += [] if option.name in ("camera", "no_camera") else ["--camera", "demo"]
    if option.name in ("bots", "first", "handicaps"):
        line += ["--players", "Ann,Ben"]
    line += NEEDS[option.needs[0]] if option.needs else ()
    return [*line, option.spelling, *([typed] if option.switch is None else [])]


@in_scope(COMMAND)
def test_the_command_line_sets_an_option(
    game: str, option: Option, calls: list[PlayOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls.clear()
    _, typed, value = make_value(option)
    alone: list[bool] = []
    if option.name == "no_camera":
        kind = type(load_kind(game))
        report = lambda _, own, *_args: alone.append(own.collect_values()["no_camera"])  # noqa: E731
        monkeypatch.setattr(kind, "play_headless", report)
    result = run(*make_command_line(game, option, typed))
    if option.name == "no_camera":
        assert result.exit_code == 0
        assert (calls, alone) == ([], [True])
        return
    assert result.exit_code == 0, result.output
    (options,) = calls
    read_value = options.game_options.collect_values()[option.name] if game else options.value(option.name)
    assert read_value == value


@in_scope(COMMAND)
def test_the_command_line_shows_allowed_values(game: str, option: Option, calls: list[PlayOptions]) -> None:
    _, typed = wrong_value(option)
    if option.switch is not None or isinstance(option.kind, Text | File):
        return  # a bare flag has no value, and any text is allowed
    result = run(*make_command_line(game, option, typed), columns=300)
    assert result.exit_code == 2
    sentence = " ".join(result.output.split())
    assert option.kind.describe_allowed() in sentence
    assert option.spelling in sentence
    assert calls == []


#: Unusable values, by the kind of thing that an option names.
NOT_THERE = {
    "read": ("nowhere.toml", "/", "x" * 5000, "~nosuchuser/a"),
    "written": ("/", "film.mp4/a", "x" * 300),
    "film": ("nowhere.mp4", "/", "x" * 5000),
    "address": ("a.b/c", "http://a.b/c", "{0}://", "{0}://a.b:x/c", "{0}://a.b:99999/c", "²"),
    "chat": ("a b", "http://a.b/c", "irc://a.b:x/c", "²"),
    "saved game": ("nowhere", "7", "²"),
    "trial": ("nowhere",),
    "program": ("./nowhere,hand", "/,hand"),
    "port": ("65536", "²"),
}
#: Options that aren't checked in advance: a camera is opened (``test_an_invalid_camera_is_refused``), a table may have
#: any name, and an invitation is read when tables connect (``app/test_remote.py``).
NAMES_NOTHING = ("camera", "table", "join")


def get_name_kind(option: Option) -> str:
    kind = option.kind
    if isinstance(kind, File):
        return "written" if kind.is_output else "read"
    own = {"head_camera": "film", "chat": "chat", "resume": "saved game", "trial": "trial"}
    own |= {"bots": "program", "party_port": "port", "remote_port": "port"}
    return "address" if isinstance(kind, TargetAddress) else own.get(option.name, "")


@in_scope(COMMAND)
def test_files_and_addresses_are_checked_before_the_game(
    game: str, option: Option, calls: list[PlayOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = get_name_kind(option)
    assert kind or option.name in NAMES_NOTHING or not isinstance(option.kind, Text | File | TargetAddress)
    if kind == "program" and game == "lake":
        return  # only the moon has program bots
    if kind == "saved game":
        monkeypatch.setattr(game_file, "read_game_name", GAME_OF)
    for wrong_value in NOT_THERE.get(kind, ()):
        schemes = getattr(option.kind, "schemes", ("",))
        line = make_command_line(game, option, wrong_value.format(schemes[0]))
        result = run(*line)
        assert result.exit_code == 2, (line, result.output)
        assert "Traceback" not in result.output
        assert calls == []


def test_every_flag_is_in_the_help_once() -> None:
    flags = [option.spelling for group in group_options().values() for option in group]
    assert len(set(flags)) == len(flags)
    help_text = run("play", "--help").output
    assert all(f"{flag} " in help_text for flag in flags)


def test_the_help_names_the_common_options_first_and_the_rest_in_groups() -> None:
    help_text = run("play", "--help").output
    flags = [word for line in help_text.splitlines() for word in line.split() if word.startswith("--")]
    assert flags[:3] == ["--game", "--players", "--bots"]
    headings = ("Only for", "Also on the settings pages", "Camera, hand", "Streams, guests")
    assert [help_text.index(h) for h in headings] == sorted(help_text.index(h) for h in headings)
    assert help_text.index("--record") < help_text.index(headings[0])
    assert help_text.index("--stream") > help_text.index(headings[-1])


# The pages ----------------------------------------------------------------------------------------------------

_PAGES = {
    PageId.SETTINGS: PageName.SETTINGS,
    PageId.DEPTH: PageName.DEPTH,
    PageId.KIT: PageName.KIT,
    PageId.HEARING: PageName.HEARING,
    PageId.SEEING: PageName.SEEING,
    PageId.KEYS: PageName.KEYS,
    PageId.PLAYING: PageName.PLAYING,
    PageId.HEAD: PageName.HEAD,
    PageId.GAME: PageName.EDITION,
    PageId.HOUSE: PageName.OPTIONS,
}


# Keys have their own page and tests: tests/screens/test_keys.py.
@every_case("option", [preference for preference in PREFERENCES if preference.name not in ("keys", "pad")])
def test_a_settings_page_steps_through_all_values(option: Option, tmp_path: Path) -> None:
    assert option.page is not None
    screens = first_screens(Settings(), Preferences()).go_to(_PAGES[option.page])
    assert getattr(screens.preferences, option.name) == option.default
    assert option.offers, "the option has no values to step through: set its steps"
    values = set()
    for _ in option.offers:
        widget = build_page(screens)[option.name]
        more = widget.rect.x + widget.rect.width * (widget.arrows[2] + 1.0) / 2.0
        screens, _ = press_pointer(screens, (more, widget.rect.centre[1]))
        value = getattr(screens.preferences, option.name)
        values.add(value)
        path = tmp_path / "preferences.json"
        path.write_text(json.dumps({option.name: value}), encoding="utf-8")
        assert getattr(load_preferences(path), option.name) == value
    assert values == set(option.offers)


@pytest.mark.parametrize(
    ("saved", "step", "then"), [(0.9, 1, 1.0), (0.9, -1, 0.8), (9.0, 1, 0.5), (0.4, -1, 6.0)]
)
def test_a_number_between_two_steps_moves_to_the_next(saved: float, step: int, then: float) -> None:
    screens = first_screens(Settings(), Preferences(scan_s=saved)).go_to(PageName.PLAYING)
    rect = build_page(screens)["scan_s"].rect
    place = (rect.x + rect.width * (LESS_FROM if step < 0 else 0.98), rect.centre[1])
    screens, _ = press_pointer(screens, place)
    assert screens.preferences.scan_s == then


@every_case("option", PREFERENCES)
def test_an_invalid_stored_value_is_dropped_and_the_others_are_kept(option: Option, tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    path.write_text(json.dumps({"volume": 3, "muted": True, option.name: "nonsense"}), encoding="utf-8")
    loaded = load_preferences(path)
    assert getattr(loaded, option.name) == option.default
    assert option.name == "volume" or loaded.volume == 3


@in_scope(PAGE)
def test_a_games_pages_step_through_all_values(game: str, option: Option) -> None:
    if not game:
        return  # it is on the settings pages
    assert option.page is not None
    screens = first_screens(Settings(players=("Ann", "Ben")), Preferences())
    usual = game_options(game)().with_values(**({"turn_limit_s": 60.0} if "time" in option.name else {}))
    if option.name in ("mode", "line_m"):
        usual = usual.with_values(edition="kosmos-2022")
    if option.name == "line_m":  # only a team has a line
        usual = usual.with_values(mode=Mode.COOPERATIVE)
    form = replace(screens.form, game=game).with_options(usual)
    screens = replace(screens, form=form).go_to(_PAGES[option.page])
    values = set()
    for _ in option.offers:
        screens, _ = press_pointer(screens, build_page(screens)[option.name].rect.centre)
        start = screens.form.start_game()
        assert start.game == game
        start.options.check_players(start.party.names)
        values.add(start.options.collect_values()[option.name])
    assert values == set(option.offers)


# Headers of logs and saves ------------------------------------------------------------------------------------


def read_logged(header: dict[str, Any], path: Path) -> tuple[dict[str, Any], Match]:
    path.write_text(json.dumps(header) + "\n", encoding="utf-8")
    match = create_logged_match(LogReader(path))
    return header_of(match.game, match.table, match.setup), match


@pytest.mark.parametrize("game", game_names())
def test_headers_keep_and_check_every_option(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    options = PlayOptions(game=game, players=("Ann", "Ben"), game_options=game_options(game)())
    table = make_setup(SEATS[SeatName.TABLE](640, 360), "0")
    match = load_kind(game).create_match(table, options, FirstPlayer(), real_time=False)
    header = json.loads(json.dumps(header_of(match.game, match.table, match.setup)))
    match.close()
    checked = set()
    for option in filter_options((*GENERAL, *OWN[game]), SAVE):
        house = option.name in header.get("options", {})
        inner = header["options"] if house else header
        plain, _, value = make_value(option)
        if option.name == "mode":
            header["edition"] = "kosmos-2022"

        def header_with(value: Any, house: bool = house, option: Option = option) -> dict[str, Any]:
            if option.name == "trial":  # for one player, with the task's own house options
                own = {**header["options"], "trial": value, "tears": 3, "no_hints": True}
                return {**header, "options": own, "players": header["players"][:1]}
            if house:
                return {**header, "options": {**header["options"], option.name: value}}
            return {**header, option.name: value}

        assert option.name in inner
        reread, match = read_logged(header_with(plain), path)
        match.close()
        read_value = (reread["options"] if house else reread)[option.name]
        assert read(option, json.loads(json.dumps(read_value))) == value
        refused, _ = wrong_value(option)
        with pytest.raises(LogError) as caught:
            read_logged(header_with(refused), path)
        assert refusal_text(option, refused) in str(caught.value)
        checked.add(option.name)
    assert {"grip", "depth_help", "fine_gain", "grace_s", "palm_length_m", "seat"} < checked


# Configurations -----------------------------------------------------------------------------------------------

CONFIGURATION_WORDS: dict[Configuration, tuple[str, ...]] = {
    Configuration.MENUS: (),
    Configuration.NOW: ("--now",),
    Configuration.HEADLESS: ("--headless", "--record", "film.mp4"),
    Configuration.UNSEEN: ("--headless",),
    Configuration.ALONE: ("--game", "lake", "--no-camera"),
}
#: Options that determine the configuration.
DECIDING = ("game", "headless", "now", "resume", "record", "stream")
#: Options that work without camera and picture.
WORK_ALONE = {"game", "headless", "language", "now", "players", "seed"}


@pytest.mark.parametrize("configuration", Configuration)
def test_every_option_works_or_is_refused_in_one_sentence(
    configuration: Configuration, calls: list[PlayOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone: list[bool] = []
    monkeypatch.setattr("armoon.cli.play._play_without_camera", lambda *_args: alone.append(True))
    worked = set()
    for option in filter_options((*ALL_OPTIONS, *list_part_options()), COMMAND):
        if option.name in DECIDING:
            continue
        calls.clear()
        alone.clear()
        typed = () if option.switch is not None else (make_value(option)[1],)
        words = ("play", *CONFIGURATION_WORDS[configuration], option.spelling, *typed)
        if option.name == "first":
            words += ("--players", "Ann,Ben")
        if option.name != "camera" and configuration is not Configuration.ALONE:
            words += ("--camera", "demo")
            words += NEEDS[option.needs[0]] if option.needs else ()
        result = run(*words, columns=300)
        if result.exit_code == 0:
            assert bool(alone) is (configuration is Configuration.ALONE)
            assert bool(calls) is not bool(alone)
            worked.add(option.name)
        else:
            assert result.exit_code == 2, (words, result.output)
            assert [*calls, *alone] == []
            assert messages.text(f"option.not_where.{configuration}", flag=option.spelling) in " ".join(
                result.output.split()
            )
    every = {option.name for option in filter_options((*ALL_OPTIONS, *list_part_options()), COMMAND)} - set(
        DECIDING
    )
    refused = every - worked
    if configuration is Configuration.ALONE:
        assert worked == WORK_ALONE - set(DECIDING)
    assert (
        refused
        == {
            Configuration.MENUS: set(),
            Configuration.NOW: {"choosing", "loud_switch", "head_camera", "screen_reader"},
            Configuration.HEADLESS: {
                *("choosing", "loud_switch", "head_camera", "screen_reader"),
                *("button", "key_hand", "keys", "pad", "pad_mappings"),
            },
            Configuration.UNSEEN: {
                *("choosing", "loud_switch", "head_camera", "screen_reader"),
                *("button", "key_hand", "keys", "pad", "pad_mappings"),
                *("tier", "framing", "captions", "palette", "contrast", "patterns", "calm"),
            },
            Configuration.ALONE: every - WORK_ALONE,
        }[configuration]
    )


@pytest.mark.parametrize("configuration", [Configuration.NOW, Configuration.HEADLESS, Configuration.UNSEEN])
def test_without_pages_only_camera_ways_can_be_played(
    configuration: Configuration, calls: list[PlayOptions]
) -> None:
    for way in Way:
        calls.clear()
        words = ("play", *CONFIGURATION_WORDS[configuration], "--camera", "demo", "--way", str(way.value))
        result = run(*words, columns=300)
        allowed = way in (Way.HAND, Way.CARD)
        assert result.exit_code == (0 if allowed else 2), (words, result.output)
        assert [call.way for call in calls] == ([way] if allowed else [])


#: Each option that needs another one, alone (None) and together with each of those that it needs.
PAIRS = [
    (option, beside)
    for option in filter_options((*ALL_OPTIONS, *list_part_options()), COMMAND)
    if option.needs
    for beside in (None, *option.needs)
]


@pytest.mark.parametrize(("option", "beside"), PAIRS, ids=lambda value: getattr(value, "name", value))
@pytest.mark.parametrize("where", [(), ("--headless",)], ids=lambda words: " ".join(words))
def test_an_option_that_needs_another_one_is_refused_without_it(
    option: Option, beside: str | None, where: tuple[str, ...], calls: list[PlayOptions]
) -> None:
    typed = () if option.switch is not None else (make_value(option)[1],)
    words = ("play", "--camera", "demo", *where, option.spelling, *typed, *NEEDS.get(beside or "", ()))
    result = run(*words, columns=300)
    if beside is not None:
        assert result.exit_code == 0, result.output
        assert len(calls) == 1
        return
    assert result.exit_code == 2, result.output
    assert calls == []
    spellings = {o.name: o.spelling for o in list_part_options()}
    others = " / ".join(spellings[name] for name in option.needs)
    message = messages.text("option.needs", flag=option.spelling, others=others)
    assert message in " ".join(result.output.split())


@pytest.mark.parametrize("number", [2**63, 10**400, -(10**400), 1e300, math.inf])
@pytest.mark.parametrize("whole", [True, False])
def test_a_number_beyond_every_library_is_refused(number: float, whole: bool) -> None:
    with pytest.raises((ValueError, OverflowError)):
        Number(0, whole=whole).read(number)


@pytest.mark.parametrize(("name", "unchanged"), [("keys", KEPT_KEYS), ("pad", KEPT_BUTTONS)])
def test_reserved_keys_and_buttons_cannot_be_reassigned(name: str, unchanged: tuple[str, ...]) -> None:
    option = next(preference for preference in PREFERENCES if preference.name == name)
    for key in unchanged:
        with pytest.raises(InvalidValueError):
            read(option, {"roll": key})
    assert read(option, {"roll": "y"}) == (("roll", "y"),)
