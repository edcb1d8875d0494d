"""Screens in every state, for tests of the state machine and of the rendered pages."""

from __future__ import annotations

import datetime
import functools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from armoon.games import news
from armoon.games.contract import find_picture_book_kind
from armoon.games.lake.options import LakeOptions
from armoon.games.library import MAX_UNFINISHED
from armoon.games.moon.editions import EditionName, Mode, Options
from armoon.games.moon.options import MoonOptions
from armoon.games.news import UnfinishedGame
from armoon.games.shared import FirstBy
from armoon.messages import language, text
from armoon.screens import events, measuring
from armoon.screens.layout import Reply
from armoon.screens.machine import build_page, first_screens, get_plan, press_pointer
from armoon.screens.pages.result import ALONE_S
from armoon.screens.pages.rulebook import list_books, open_rules
from armoon.screens.pages.trials import make_start_trial
from armoon.screens.state import STEPS, GuidedGame, OpenChoices, PageName, RulesPosition, Scan, Screens
from armoon.settings.preferences import Preferences, Settings
from armoon.values import choices
from armoon.values.names import LONGEST_NAME
from armoon.values.page import Drawing, WidgetKind
from armoon.values.places import TableChoice
from armoon.values.player_settings import Handicap, Movement, PlayerSettings, VisualAids

#: A name of the maximum length.
LONG_NAME = "Wilhelmina-Mower"
assert len(LONG_NAME) == LONGEST_NAME
TODAY = datetime.date(2026, 11, 21)
TOGETHER = MoonOptions(EditionName.KOSMOS_2022, house=Options(mode=Mode.COOPERATIVE))
#: A game that can be resumed.
LAST_GAME = UnfinishedGame(Path("moon.armoon"), "moon", ("Ann", LONG_NAME, "Cleo"), TOGETHER, 12, TODAY)
#: As many unfinished games as a page offers at most.
SEVERAL = (
    LAST_GAME,
    UnfinishedGame(Path("lake.armoon"), "lake", ("Ann", "Ben"), LakeOptions(), 3, TODAY, Drawing(())),
    *(
        replace(
            LAST_GAME, path=Path(f"moon-{k}.armoon"), players=tuple(f"{LONG_NAME[:-1]}{k}" for k in range(6))
        )
        for k in range(MAX_UNFINISHED - 2)
    ),
)
VERDICT = news.VerdictNews(
    f"{LONG_NAME} pays: it touches 3 ladders, not two",
    ("The die: touch exactly two ladders", "It touches 3 ladders", "Rule: scoring costs a raindrop"),
    "Mischievous Tightrope Walker",
    False,
)


CHART = (
    (0, "Feet on the ground"),
    (1, "Head in the clouds"),
    (2, "On tiptoe"),
    (4, "Touch the moon"),
    (7, "Sit on the moon"),
    (11, "Dance on the moon"),
    (16, "Gardener of the moon"),
    (22, "Neighbour of the stars"),
)
MAKERS = tuple(
    events.FigureCount(name, count, TODAY) for name, count in ((LONG_NAME, 12), ("Ann", 1), ("Cleo", 1))
)
MADE = dict.fromkeys(find_picture_book_kind().figures[::2], MAKERS)
BEST = tuple(
    (f"Ann, {LONG_NAME} and Cleo", 16 - k, "Neighbour of the stars · 9 tears, 20 ladders · 2026-11-21")
    for k in range(8)
)


def _make_review(turns: int) -> events.ReviewState:
    review = events.ReviewState(total=turns)
    for k in range(turns):
        shares = (0.25, 0.875, 0.5, 1.0, 0.0)[k % 5]
        line = f"{k + 1:>3}  {LONG_NAME}, two ladders: 88 % safe, the best would have been 100 %"
        review = review.with_news(
            news.TurnReview(k + 1, k % 6, shares, min(1.0, shares + 0.25), shares > 0.1, line)
        )
    return review


TURNING = f"It turned in turn 5: {LONG_NAME} gave away 75 % of safety there."
REVIEWED = _make_review(26).with_news(news.Review(TURNING, 5, "<svg/>"))


def _make_trials() -> news.Trials:
    about = "A tower has been begun. Each ladder that you add counts one, each tear takes one away."
    bests = (news.BestResult(LONG_NAME, "12 ladders", "gold"), news.BestResult("Ann", "13 ladders", "silver"))
    goals = ("14 ladders", "13 ladders", "12 ladders")
    return news.Trials(
        tuple(
            news.TrialNews(
                *("moon", f"t{group}-{k}", f"Somebody's tower {group}", about, f"Half-built, {k}"),
                goals,
                bests if k % 3 else (),
            )
            for group in range(6)
            for k in range(8)
        )
    )


TRIALS = _make_trials()


def press_item(screens: Screens, name: str) -> Reply:
    item = get_plan(screens).item(name)
    assert item is not None
    assert item.press is not None
    return item.press(screens)


def saved_players(actions: Iterable[events.Action]) -> list[events.FormPlayer]:
    asked = (action.value for action in actions if isinstance(action, events.Ask))
    return [value for value in asked if isinstance(value, events.FormPlayer)]


def press_widget(screens: Screens, name: str, *, less: bool = False) -> Reply:
    """Click a widget; in a choice click the right arrow, or with ``less`` the left one."""
    widget = build_page(screens)[name]
    share = 0.95 if widget.kind is WidgetKind.CHOICE else 0.5
    share = sum(widget.arrows[:2]) / 2.0 if less else share
    return press_pointer(screens, (widget.rect.x + share * widget.rect.width, widget.rect.centre[1]))


def fresh(seats: int = 3) -> Screens:
    names = ("Ann", LONG_NAME, "Cleo", "Dan", "Eva", "Finn")[:seats]
    return first_screens(Settings(players=names), Preferences(), today=TODAY)


def first_start() -> Screens:
    """Return the title page before the player has chosen a way to play."""
    return replace(fresh(), must_choose_way=True)


def _add_dates(screens: Screens) -> Screens:
    form = screens.form.with_player_changes(1, hand=choices.HandPreference.EITHER)
    form = form.with_player_changes(1, born=datetime.date(1999, 9, 28))
    form = form.with_player_changes(1, full_moon=datetime.date(2026, 9, 26))
    return replace(screens, form=form, editing=1)


def in_game(screens: Screens) -> Screens:
    names = screens.form.start_game().party.names
    lines = tuple(
        news.ScoreLine(name, (1, 7, 1, 3, 2, 4)[k], (events.COLOURS[k],), k == 0, k == 1, f"{3 * k} figures")
        for k, name in enumerate(names)
    )
    return replace(
        screens.reset_to(PageName.TABLE),
        in_game=True,
        party=names,
        verdict=VERDICT,
        final=news.FinalNews(names[:6]),
        result=news.ResultNews(
            f"{names[0]} and {names[-1]} share the victory",
            lines,
            "The last ladder is placed",
            (f"The highest ladder, 31.4 cm, is {LONG_NAME}'s.", "Mischievous Tightrope Walker: 2 times"),
        ),
        alone_s=ALONE_S,
        guide=GuidedGame(),
        scores=events.HighScores(CHART, BEST),
        trials=TRIALS,
        review=REVIEWED,
        unfinished=SEVERAL,
    )


def every_page() -> tuple[tuple[str, Screens], ...]:
    """Return each page with as much content as possible, and variants with other texts, in the current language."""
    return _every_page(language())


@functools.cache
def _every_page(language: str) -> tuple[tuple[str, Screens], ...]:
    return tuple(_pages())


def _pages() -> Iterator[tuple[str, Screens]]:
    full = in_game(fresh(6))
    searched = events.TableSearch(
        "Can't see it, because too little of it is in view: uncover it.", "±12.3 mm, 10.5 px"
    )
    yield "find", replace(full, table=searched).go_to(PageName.FIND)
    yield "find corners", replace(full, table=replace(searched, is_pointing=True)).go_to(PageName.FIND)
    for leaf in range(8):
        yield f"book {leaf}", replace(full, book_page=leaf, book=MADE).go_to(PageName.BOOK)
    for before in (fresh(), full):
        yield from _list_rules_pages(before)
    for page in PageName:
        yield page.value, replace(full.go_to(page), editing=1, typed=LONG_NAME[:-1], focus_shown=True)
    yield "table practice", replace(full, practice=True, party=()).reset_to(PageName.TABLE)
    for k in range(len(STEPS) + 1):
        yield f"guide {k}", replace(full.go_to(PageName.GUIDE), guide=GuidedGame(k))
    for device in choices.Device:
        for card in range(4):
            guided = replace(full.go_to(PageName.GUIDE), guide=GuidedGame(5, card=card), device=device)
            yield f"guide carry {device} {card}", guided
    all_dates = _add_dates(full)
    yield "give_up practice", replace(full, practice=True).go_to(PageName.GIVE_UP)
    yield "title resume", replace(fresh(), unfinished=(LAST_GAME,))
    long_path = "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/armoon-games-501"
    for when, state in (("", fresh()), (" resume", replace(fresh(), unfinished=(LAST_GAME,)))):
        yield f"title elsewhere{when}", replace(state, temp_folder=long_path)
    yield "profile with dates", all_dates.go_to(PageName.PROFILE)
    eased = all_dates.form.with_player_changes(1, handicap=Handicap(spared=2, hints=3, helps=VisualAids.ALL))
    for page in (PageName.PROFILE, PageName.HANDICAP):
        yield f"{page.value} eased", replace(all_dates, form=eased).go_to(page)
    for which in ("born", "full_moon"):
        dated = replace(all_dates, date_key=which, date=datetime.date(1999, 9, 28))
        yield f"date {which}", dated.go_to(PageName.DATE)
    for way in FirstBy:
        for known, state in (("nothing", full), ("all", all_dates)):
            form = replace(state.form, first_rule=way, chosen_first=1).with_options(
                TOGETHER.with_values(mode=Mode.COMPETITIVE)
            )
            yield f"first {way.value} {known}", replace(state, form=form).go_to(PageName.FIRST)
    at_lake = replace(fresh(4).form, game="lake", chosen_first=1)
    yield "handicap lake", replace(fresh(4), form=at_lake, editing=1).go_to(PageName.HANDICAP)
    yield "first lake", replace(fresh(4), form=at_lake).go_to(PageName.FIRST)
    duel, alone = fresh(2), fresh(1)
    together = full.form.with_options(TOGETHER)
    timed = duel.form.with_options(
        MoonOptions(house=Options(turn_limit_s=90.0, tears=12, two_player_limit=7, supply_size=20))
    )
    cameras = (("0", "Integrated Camera: Integrated C"), ("2", "Logitech BRIO"), ("4", ""))
    lost = "Webcam 0 gives no picture: it is missing, busy or unplugged. Close other programs that use it, plug it in "
    lost += "again, or use another --camera."
    webcam = events.CameraStatus(choices.CameraWay.REAL, "2", cameras)
    yield "camera found", replace(full, camera=webcam).go_to(PageName.CAMERA)
    no_camera = events.CameraStatus(choices.CameraWay.NONE, "none", (), lost)
    yield "camera lost", replace(full, camera=no_camera).go_to(PageName.CAMERA)
    demo = replace(fresh(), camera=events.CameraStatus(choices.CameraWay.DEMO, "demo"))
    yield "title demo", demo
    yield "more demo", demo.go_to(PageName.MORE)
    saved_note = "The picture is kept beside your games: armoon-20261121-234500.png"
    team = replace(full, form=together, score=12)
    yield "table team", team.reset_to(PageName.TABLE)
    ended = news.ResultNews(
        "The team's result: 4 points", (), "The last tear is taken · The team's rank: Touch the moon", score=4
    )
    yield "result team", replace(team, result=ended, picture=saved_note).go_to(PageName.RESULT)
    yield "scores none", replace(full, scores=events.HighScores(CHART)).go_to(PageName.SCORES)
    yield "scores reached", replace(team, result=ended).go_to(PageName.SCORES)
    broken = news.Trials(
        TRIALS.lines, ("/home/ann/.local/share/armoon/trials/mine.toml can't be played: no kind",)
    )
    yield "trials broken", replace(full, trials=broken).go_to(PageName.TRIALS)
    yield "trials none", replace(full, trials=news.Trials()).go_to(PageName.TRIALS)
    trial = make_start_trial(full, "moon", "t0-0", "Ann")
    medal = news.ResultNews(
        "The tower stood 17.6 cm high",
        (news.ScoreLine("Ann", 2, (events.COLOURS[0],), winner=True, note="3 figures", place=1),),
        "The last ladder is placed · Silver! · Gold: 18.2 cm",
        (f"Your best so far! The best here: 18.0 cm, by {LONG_NAME}.",),
    )
    yield "result trial", replace(full, trial=trial, result=medal).go_to(PageName.RESULT)
    tried = replace(full, trial=trial, result=medal)
    yield "trials after one", tried.go_to(PageName.TRIALS)
    yield "research", tried.go_to(PageName.RESEARCH)
    name = "landmarks-place-three-1.jsonl.gz"
    written = text("landmarks.kept", name=name, folder="/home/ann/.local/share/armoon/games")
    yield "research written", replace(tried.go_to(PageName.RESEARCH), picture=written)
    yield "review begun", replace(full, review=events.ReviewState()).go_to(PageName.REVIEW)
    yield "review under way", replace(full, review=replace(_make_review(3), total=12)).go_to(PageName.REVIEW)
    kept_curve = replace(
        REVIEWED, saved_text="The picture is kept beside your games: armoon-20261121-234500.svg"
    )
    yield "review kept", replace(full, review=kept_curve).go_to(PageName.REVIEW)
    failed = events.ReviewState(is_done=True, error=text("review.none", game="Jinns of the Lake"))
    yield "review none", replace(full, review=failed).go_to(PageName.REVIEW)
    yield from _list_party_pages(full)
    yield from _list_remote_pages(full)
    for saved in ((), SEVERAL):
        yield f"title first {len(saved)}", replace(first_start(), unfinished=saved)
    yield "switch asked", first_start().go_to(PageName.SWITCH)
    yield from _list_choice_pages(full)
    for measured in (
        measuring.ReactionMeasurement(is_lit=True),
        measuring.ReactionMeasurement((0.6, 0.7, 0.65, 0.62, 1.3) * 2),
    ):
        yield f"measure {measured.is_done}", replace(full.go_to(PageName.MEASURE), measuring=measured)
    for name, measured_hand in _measure_hands().items():
        yield f"moving_measure {name}", replace(full.go_to(PageName.MOVING_MEASURE), hand=measured_hand)
    moved = full.form.with_player_changes(
        1, movement=Movement(choices.Steadiness.STRONG, 2.5, 1.5, choices.GripKind.FIST)
    )
    moved = moved.with_player_changes(
        1, habits=PlayerSettings(choices.Way.SWITCHES, 1.2, choices.TextSize.ENORMOUS, choices.Palette.DEUTAN)
    )
    for page in (PageName.PROFILE, PageName.MOVING, PageName.HABITS):
        yield f"{page.value} moved", replace(full, form=moved, editing=1).go_to(page)
    for name, measured_head in _measure_heads().items():
        yield f"head_measure {name}", replace(full.go_to(PageName.HEAD_MEASURE), head=measured_head)
    for arguments in ((), ((("roll the die", 3),), "call")):
        own_phrases = measuring.PhraseRecording(*arguments)
        yield f"phrases {own_phrases.asked}", replace(full.go_to(PageName.PHRASES), phrases=own_phrases)
    yield "players alone", alone.go_to(PageName.PLAYERS)
    yield "edition alone", alone.go_to(PageName.EDITION)
    yield "edition together", replace(full, form=together).go_to(PageName.EDITION)
    yield "options duel", replace(duel, form=timed).go_to(PageName.OPTIONS)
    yield "players lake", replace(full, form=replace(full.form, game="lake")).go_to(PageName.PLAYERS)
    gone = "Paused: the camera is gone. The game goes on when it is back"
    yield "pause camera", replace(full.go_to(PageName.PAUSE), stopped_by=gone)


#: Rows of a QR code.
CODE = tuple(
    "".join("01"[(row * column + row // 3 + column) % 2] for column in range(37)) for row in range(37)
)
#: The longest possible address.
ADDRESS = f"http://192.168.178.201:58737/{'Wm_-' * 5}Wm/vote"
GUESSERS = ((LONG_NAME, 12), ("Zoé", 9), ("Guest 3", 7), (f"{LONG_NAME[:14]} 2", 5), ("Ann", 1), ("Ben", 1))


def _list_party_pages(full: Screens) -> Iterator[tuple[str, Screens]]:
    on = events.PartyState(
        True, True, ADDRESS, CODE, 24, GUESSERS, is_recording_people=True, fingerprint="3F2A 91C0 77AB 04DE"
    )
    own = events.PartyState(True, False, ADDRESS)
    error = text("air.port_taken", port=8737, why="Address already in use") + " "
    error += text("air.port_taken_remedy")
    yield "party lan", replace(full, party_on_lan=True, in_game=False).go_to(PageName.PARTY)
    yield "party on", replace(full, party_state=on).go_to(PageName.PARTY)
    yield "party own", replace(full, party_state=own).go_to(PageName.PARTY)
    yield "party error", replace(full, party_state=events.PartyState(error=error)).go_to(PageName.PARTY)
    filmed = replace(own, is_recording_people=True, always_records_people=True)
    yield "party filmed", replace(full, party_state=filmed).go_to(PageName.PARTY)
    yield "result party", replace(full, party_state=on).go_to(PageName.RESULT)
    yield "pause party", replace(full, party_state=on).go_to(PageName.PAUSE)


def _list_remote_pages(full: Screens) -> Iterator[tuple[str, Screens]]:
    """Yield the page for remote tables before others join, while they join, and after a failure."""
    others = ((LONG_NAME, "Zoé", "Nova"), ("Ben",))
    missing = text("remote.no_port", port=8738, why="Permission denied") + " " + text("remote.no_port_remedy")
    home, far = replace(full, in_game=False), events.RemoteTablesStatus(invitation="192.168.178.201:58737")
    statuses = {
        "link": events.RemoteTablesStatus(pasted="192.168.178.201", is_invitation_pasted=True),
        "broker": events.RemoteTablesStatus(pasted="broker.a-club-of-players.example"),
        "public": events.RemoteTablesStatus(pasted="test.mosquitto.org", is_public_broker=True),
        "seeks": events.RemoteTablesStatus(is_searching=True),
        "found": events.RemoteTablesStatus(
            is_searching=True, found_tables=(", ".join((LONG_NAME, "Zoé")), *"ABC")
        ),
        "invites": far,
        "requested": replace(far, tables=others, join_request=(LONG_NAME, "123 456")),
        "came": replace(far, tables=others, is_copied=True),
        "asks": events.RemoteTablesStatus(asked_host="broker.a-club-of-players.example"),
        "error": events.RemoteTablesStatus(error=missing),
    }
    for name, status in statuses.items():
        yield f"far {name}", replace(home, remote_tables=status).go_to(PageName.FAR)
    announced = replace(far, note=text("screens.far.announced"))
    phones = replace(home, remote_tables=announced, party_state=events.PartyState(tables_qr_code=CODE))
    yield "far phones", phones.go_to(PageName.FAR)


def _measure_hands() -> dict[str, measuring.HandMeasurement]:
    moments: dict[str, measuring.HandMeasurement] = {}
    for sure, name in ((True, "done"), (False, "no grip")):
        now = measuring.HandMeasurement()
        for k in range(310):
            moments.setdefault(now.step.value, now)
            far = now.step is measuring.HandStep.FAR
            place = (0.06 * math.sin(k / 6.0) if far else 0.006 * math.sin(1.3 * k), 0.0)
            is_closed = sure and k // 8 % 2 == 1
            now = now.add_sample(measuring.HandSample(1.0 / 30.0, place, is_closed, is_closed))
        moments[name] = now
    return moments


def _measure_heads() -> dict[str, measuring.HeadMeasurement]:
    moments: dict[str, measuring.HeadMeasurement] = {}
    for opens, name in ((0.4, "done"), (0.06, "no mouth")):
        now = measuring.HeadMeasurement()
        for k in range(310):
            moments.setdefault(now.step.value, now)
            tremble = 0.3 if k % 2 else -0.3
            turns = {measuring.HeadStep.TURN: (24.0, -22.0)[k % 2]}.get(now.step, tremble)
            mouth = opens if now.step is measuring.HeadStep.MOUTH else 0.03
            now = now.add_sample(measuring.HeadSample(1.0 / 30.0, (turns, -4.0 + tremble), mouth))
        moments[name] = now
    return moments


def _list_choice_pages(full: Screens) -> Iterator[tuple[str, Screens]]:
    preferences = replace(full.preferences, way=choices.Way.SWITCH)
    at_table = replace(full.reset_to(PageName.TABLE), preferences=preferences)
    of = {"touches": text("choose.on", count=2), "safe": text("choose.fair"), "height": "24 cm"}
    where = text("choose.where.back_right")
    places = tuple(
        TableChoice(f"place {rank}", text("choose.place", rank=rank, where=where, **of), slow_scan=True)
        for rank in range(1, 7)
    )
    others = tuple(TableChoice(name, text(f"choose.{name}")) for name in ("more", "free"))
    nudges = ("left", "right", "near", "away", "spin_left", "spin_right")
    freely = (*nudges[:4], "lower", "lift", *nudges[4:], "roll_left", "roll_right", "nod", "nod_back")
    moments = {
        "searching": OpenChoices(sentence=text("choose.looking", share="75")),
        "roll": OpenChoices((TableChoice("roll", text("choose.roll")),)),
        "places": OpenChoices((*places, *others)),
        "none": OpenChoices(
            tuple(TableChoice(name, text(f"choose.{name}")) for name in ("again", "free", "give_up")),
            text("choose.nothing"),
        ),
        "stop": OpenChoices((TableChoice("stop", text("choose.stop")),)),
    }
    for name, steps in (("nudge", nudges), ("free", freely)):
        moved = tuple(TableChoice(step, text(f"choose.{step}"), group="nudge") for step in steps)
        ends = (
            TableChoice("let_go", text("choose.let_go"), slow_scan=True),
            TableChoice("set_down", text("act.set_down"), slow_scan=True),
            TableChoice("put_back", text("choose.put_back")),
        )
        moments[name] = OpenChoices((*ends[:2], *moved, ends[2]))
    for name, offered in moments.items():
        lighted = (
            Scan(PageName.TABLE.value, (f"choose {offered.choices[0].name}",)) if offered.choices else Scan()
        )
        yield f"table choosing {name}", replace(at_table, choices=offered, scan=lighted)


def resize(
    state: Screens,
    size: tuple[int, int],
    language: str = "en",
    text_size: choices.TextSize = choices.TextSize.NORMAL,
) -> Iterator[Screens]:
    """Yield each screen of a page, for a window size, language and text size."""
    preferences = replace(state.preferences, language=choices.Language(language), text_size=text_size)
    resized = replace(state, aspect=size[0] / size[1], height_px=size[1], preferences=preferences)
    if "later" not in {widget.name for widget in build_page(resized).widgets}:
        yield resized
        return
    number, more = 0, True
    while more:
        screen = replace(resized, scrolled=number)
        yield screen
        number, more = number + 1, build_page(screen)["later"].enabled


def _list_rules_pages(before: Screens) -> Iterator[tuple[str, Screens]]:
    """Yield each rules screen that can be opened from a page, at the end of its longest step."""
    opened, _ = open_rules(before)
    for number, book in enumerate(list_books(opened)):
        for place, screen in enumerate(book.screens):
            longest = max(range(len(screen.steps)), key=lambda step: len(screen.steps[step].sentence))
            position = RulesPosition(number, place, longest, screen.steps[longest].seconds)
            yield f"rules {number} {screen.name}", replace(opened, rules=position)
