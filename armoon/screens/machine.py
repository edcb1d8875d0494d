"""The screens as a machine: one event in, the next state and the app's tasks out.

Every input ends in one of two events: a widget is pressed, or a choice is changed. So a page works for mouse, keys,
gamepad and resting hand as soon as it works for one.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any

from armoon.games import game_names
from armoon.games.news import FinalNews, ResultNews, VerdictNews
from armoon.messages import language, speaking_of, text
from armoon.screens import events
from armoon.screens.form import form_for
from armoon.screens.input import (
    Dwelt,
    Key,
    KeyGiven,
    LetterTyped,
    OpenChoices,
    PadButton,
    PointerMoved,
    PointerPressed,
    Resized,
    Scan,
    Switch,
    TimePassed,
    WidgetWished,
)
from armoon.screens.layout import Item, Plan, Reply, laid_out, turn_passed
from armoon.screens.measuring import HandSeen, HeadSeen
from armoon.screens.pages import (
    measure,
    opening,
    party,
    profile,
    result,
    rulebook,
    settings,
    table,
    together,
    trials,
)
from armoon.screens.scanning import DIRECTIONS, focus_of, nearest, next_in_order, passed, switched, wished
from armoon.screens.state import STEADY, Dwell, PageName, Screens
from armoon.settings.preferences import Preferences, Settings
from armoon.values import replace
from armoon.values.choices import CameraWay, SeatName, Way
from armoon.values.page import Page, WidgetKind
from armoon.values.places import HINT
from armoon.values.poses import Vec2

_PAGES: dict[PageName, Callable[[Screens], Plan]] = {
    PageName.TITLE: opening.title,
    PageName.MORE: opening.more,
    PageName.UNFINISHED: opening.unfinished,
    PageName.GAME: opening.game,
    PageName.PLAYERS: party.players,
    PageName.NAME: party.name,
    PageName.PROFILE: profile.profile,
    PageName.HANDICAP: profile.handicap,
    PageName.HABITS: profile.habits,
    PageName.DATE: profile.date,
    PageName.EDITION: opening.edition,
    PageName.OPTIONS: opening.options,
    PageName.FIRST: opening.first,
    PageName.SEAT: opening.seat,
    PageName.LEARN: opening.learn,
    PageName.OTHERS: opening.others,
    PageName.PRACTICE: opening.practice,
    PageName.WAY: measure.way,
    PageName.SWITCH: measure.asked,
    PageName.PLAYING: measure.playing,
    PageName.MEASURE: measure.measure,
    PageName.MOVING: profile.moving,
    PageName.MOVING_MEASURE: profile.measure_hand,
    PageName.HEAD: measure.head,
    PageName.HEAD_MEASURE: measure.measure_head,
    PageName.SETTINGS: settings.settings,
    PageName.DEPTH: settings.depth,
    PageName.KIT: settings.kit,
    PageName.CARD: opening.how_to_play_by_card,
    PageName.HEARING: settings.hearing,
    PageName.PHRASES: settings.phrases,
    PageName.SEEING: settings.seeing,
    PageName.KEYS: settings.keys,
    PageName.CAMERA: settings.camera,
    PageName.BOOK: result.book,
    PageName.RULES: rulebook.rules,
    PageName.FIND: settings.find,
    PageName.GUIDE: table.guide,
    PageName.TABLE: table.table,
    PageName.PAUSE: table.pause_page,
    PageName.OVERRULE: table.overrule,
    PageName.LEAVE: table.leave,
    PageName.GIVE_UP: table.give_up,
    PageName.QUIT: opening.quit_page,
    PageName.VERDICT: table.verdict,
    PageName.FINAL: table.final,
    PageName.RESULT: result.result,
    PageName.SCORES: result.scores,
    PageName.TRIALS: trials.trials,
    PageName.RESEARCH: trials.research,
    PageName.REVIEW: result.review,
    PageName.FAR: together.far,
    PageName.PARTY: together.on_air,
}
#: Pages with widgets between the panels of the glass, mirrored with them.
_WITH_GLASS = (PageName.TABLE, PageName.GUIDE, PageName.VERDICT)


#: Scanning and pointing don't change the page's contents.
_PASSING: dict[str, Any] = {"scan": Scan(), "pointer": None, "hover": None, "in_use": None, "dwell": Dwell()}
_LASTING = attrgetter(*(one.name for one in fields(Screens) if one.name not in _PASSING))
#: The last states' plans: states that share most of their values are quicker to compare than to hash.
_PLANS: list[tuple[tuple[Any, ...], Plan]] = []


def plan_of(screens: Screens) -> Plan:
    key = (language(), *_LASTING(screens))
    plan = next((plan for kept, plan in _PLANS if kept == key), None)
    if plan is None:
        plan = _plan(replace(screens, **_PASSING))
        _PLANS[:] = ((key, plan), *_PLANS[:7])
    return plan


def _plan(screens: Screens) -> Plan:
    with speaking_of(screens.form.options.traits.words):
        plan = laid_out(_PAGES[screens.page](screens), screens)
    if not (screens.preferences.left_handed and screens.page in _WITH_GLASS):
        return plan
    return replace(plan, items=tuple(one.having(rect=one.widget.rect.mirrored) for one in plan.items))


def page_of(screens: Screens) -> Page:
    plan = plan_of(screens)
    focus = focus_of(screens, plan)
    dwell = screens.dwell
    part = min(1.0, dwell.seconds / screens.dwell_s)
    # At the table Enter is the game's, so no widget looks as if Enter pressed it.
    focus_shown = screens.focus_shown and (screens.page is not PageName.TABLE or screens.walked)
    shown: tuple[str, ...] = (focus.widget.name,) if focus_shown and focus is not None else ()
    if screens.scans:
        shown = screens.scan.names
    widgets = []
    for item in plan.items:
        name = item.widget.name
        one = item.widget
        if name in shown or name == dwell.widget:
            rests = (part, dwell.side) if name == dwell.widget else (0.0, 0)
            one = replace(one, focused=name in shown, dwell=rests[0], dwell_side=rests[1])
        widgets.append(item.worded(one, (screens.hover, screens.pointer)))
    wishes = screens.preferences
    return Page(
        screens.page.value,
        tuple(widgets),
        plan.veil,
        screens.pointer,
        plan.moon,
        wishes.text_scale,
        wishes.look,
        notice=text("switch.asleep") if screens.scans and screens.scan.asleep else "",
        stays=plan.stays,
        rested=screens.rested,
    )


#: Pages that show a game's news at once; elsewhere the news wait.
_AT_TABLE = (PageName.TABLE, PageName.VERDICT, PageName.FINAL)


def noted(screens: Screens, event: events.Event) -> Screens:
    match event:
        case events.FarTold():
            return replace(screens, far=event)
        case VerdictNews() | FinalNews() | ResultNews():
            return _of_game(screens, event)
        case events.CameraStatus():
            return _of_camera(screens, event)
        case events.TurnPassed(player):
            return turn_passed(screens, player)
        case events.FarBegun(game, players, options):
            # The form keeps the players of this table.
            form = replace(screens.form, game=game).with_options(options, game)
            at_table = replace(screens.cleared(PageName.TABLE), form=form, party=players)
            return replace(at_table, in_game=True, practice=False, trial=None)
        case events.TableAsked():
            return replace(screens.home(PageName.FIND), in_game=False, table=events.TableSearch())
        case events.CameraPaused(sentence) if screens.in_game and screens.page is not PageName.PAUSE:
            return replace(screens.home(PageName.PAUSE), stopped_by=sentence)
    return screens


def _of_game(screens: Screens, news: VerdictNews | FinalNews | ResultNews) -> Screens:
    at_table = screens.in_game and screens.page in _AT_TABLE
    match news:
        case VerdictNews():
            judged = replace(screens, verdict=news)
            return judged.home(PageName.VERDICT) if at_table and news.stop else judged
        case FinalNews():
            tied = replace(screens, final=news)
            return tied.home(PageName.FINAL) if at_table else tied
    return replace(screens, result=news).home(PageName.RESULT) if screens.in_game else screens


def _of_camera(screens: Screens, camera: events.CameraStatus) -> Screens:
    """Return the screens with this camera, in its usual seat, and back from the page that chose it.

    Only players whose way needs a camera are asked about a missing one; a lost one is reported to all.
    """
    before, page = screens.camera, screens.page is PageName.CAMERA
    seen = replace(screens, camera=camera)
    if camera.seat is not None and camera.way is not before.way:
        seen = replace(seen, form=replace(seen.form, seat=camera.seat))
    if camera.asks:
        wanted = screens.preferences.seen or camera.way is CameraWay.REAL
        return seen.to(PageName.CAMERA) if wanted and not (page or screens.asks_way) else seen
    return replace(seen.returned(), stopped_by="") if page and camera.seat is not None else seen


#: A choice's name, which a pointer only focuses, instead of an arrow; its part of a stacked choice.
_NAME, _LABEL = 2, 0.45
_PAD_KEYS = {
    PadButton.UP: Key.UP,
    PadButton.DOWN: Key.DOWN,
    PadButton.LEFT: Key.LEFT,
    PadButton.RIGHT: Key.RIGHT,
    PadButton.A: Key.ENTER,
    PadButton.B: Key.ESCAPE,
}
#: At the table the other keys are the game's.
_TABLE_KEYS = (Key.ESCAPE,)


def first_screens(
    settings: Settings,
    preferences: Preferences,
    *,
    games: tuple[str, ...] = (),
    known: tuple[events.FormPlayer, ...] = (),
    today: datetime.date = datetime.date(2000, 1, 1),
) -> Screens:
    """Return the title with a filled-in form; ``games``: playable, the usual one first, or all; ``known``: profiles."""
    games = games or game_names()
    seat = settings.seat or SeatName.MIRROR
    form = form_for(settings.players, games[0], settings.games, seat, known)
    return Screens(form, preferences, games, today=today)


def running(screens: Screens) -> bool:
    """Return whether the table's time runs: in a game, without a page over it to read."""
    return screens.in_game and screens.page in (PageName.TABLE, PageName.GUIDE)


def hear(screens: Screens, event: events.Event) -> Reply:
    """Return the state after an event, and what the app has to do."""
    match event:
        case Resized(aspect, height_px):
            return replace(screens, aspect=aspect, height_px=height_px), ()
        case PointerMoved(place):
            return _moved(screens, place), ()
        case PointerPressed(place):
            screens, first = measure.ended_switch(screens, Way.MOUSE)
            pressed, actions = _press_at(replace(_moved(screens, place), dwell=Dwell()), place)
            return pressed, (*first, *actions)
        case Key():
            screens, first = measure.ended_switch(screens, Way.KEYS) if event in DIRECTIONS else (screens, ())
            pressed, actions = _key(screens, event)
            return pressed, (*first, *actions)
        case KeyGiven():
            return settings.given(screens, event)
        case LetterTyped(letter):
            return (party.typed(screens, letter) if screens.page is PageName.NAME else screens), ()
        case PadButton():
            return _pad(screens, event)
        case Dwelt(place, seconds):
            return _dwelt(screens, place, seconds)
        case TimePassed(seconds):
            return _passed(screens, seconds), ()
        case Switch():
            return _switched(screens, event)
        case WidgetWished():
            return wished(screens, plan_of(screens), event, _press)
        case OpenChoices():
            # A new set restarts scanning, also after it had stopped.
            scan = Scan(screens.page.value, rests_s=screens.scan.rests_s, down=screens.scan.down)
            walked = screens.walked and bool(event.choices)
            offered = replace(screens, choices=event, scan=scan, walked=walked)
            if event.hinted and not screens.choices.hinted and screens.page is PageName.TABLE:
                # Enter takes the hint at once; any other key plays on.
                offered = replace(offered, walked=True, focus=f"choose {HINT}", focus_shown=True)
            return offered, ()
        case HandSeen():
            return profile.seen_hand(screens, event), ()
        case HeadSeen():
            return measure.seen_head(screens, event), ()
        case events.GuideProgress(facts, seconds):
            now = screens.guide if screens.page is PageName.GUIDE else None
            return (screens if now is None else table.watched(screens, now, facts, seconds)), ()
        case _:
            return noted(screens, event), ()


def _passed(screens: Screens, seconds: float) -> Screens:
    if measure.waits(screens):
        return measure.passed(screens, seconds)
    moved = rulebook.passed(screens, seconds) if screens.page is PageName.RULES else screens
    return passed(moved, plan_of(moved), seconds)


def _switched(screens: Screens, what: Switch) -> Reply:
    """Handle a switch: select the lit widget, be measured, or at the first start ask whether it is one."""
    if screens.asks_way and screens.page is PageName.TITLE and not screens.scans:
        rests = Scan(rests_s=screens.preferences.switch_pause_s)
        asked = replace(screens.to(PageName.SWITCH), focus_shown=False, scan=rests)
        return (asked if what is Switch.DOWN else screens), ()
    if measure.waits(screens):
        return measure.pressed(screens) if what is Switch.DOWN else (screens, ())
    return switched(screens, plan_of(screens), what, _press)


# Pressing and turning -----------------------------------------------------------------------------------------


def _press(screens: Screens, item: Item | None, side: int = 0) -> Reply:
    if item is None or not item.live:
        return screens, ()
    focused = replace(screens, focus=item.widget.name)
    if side == _NAME:
        return focused, ()
    if item.turn is not None and side:
        return item.turn(focused, side)
    return (focused, ()) if item.press is None else item.press(focused)


def _under(plan: Plan, place: Vec2) -> tuple[Item | None, int]:
    for item in plan.items:
        meant = plan.item(item.stands_for) if item.stands_for else item
        if meant is not None and meant.live and item.widget.rect.holds(place):
            return meant, _side(item, place)
    return None, 0


def _side(item: Item, place: Vec2) -> int:
    if item.widget.kind is not WidgetKind.CHOICE:
        return 0
    across = (place[0] - item.widget.rect.x) / item.widget.rect.width
    less_from, less_to, _ = item.widget.arrows
    down = (place[1] - item.widget.rect.y) / item.widget.rect.height
    if down < _LABEL if item.widget.stacked else across < less_from:
        return _NAME
    return -1 if less_from <= across <= less_to else 1


def _moved(screens: Screens, place: Vec2) -> Screens:
    """Move the mouse: focus the widget below it, and hide a pointing hand."""
    item, _ = _meant(screens, place)
    return replace(
        screens,
        hover=place,
        in_use=screens.in_use if screens.in_use_at(place) else None,
        pointer=None,
        focus=screens.focus if item is None else item.widget.name,
        focus_shown=item is not None,
        walked=False,
    )


def _press_at(screens: Screens, place: Vec2) -> Reply:
    item, side = _meant(screens, place)
    pressed, actions = _press(screens, item, side)
    if item is None or item.turn is None or abs(side) != 1:
        return replace(pressed, in_use=None), actions
    return replace(pressed, in_use=screens.in_use or (place, item.widget.name, side)), actions


def _meant(screens: Screens, place: Vec2) -> tuple[Item | None, int]:
    """Return the widget below the mouse, or the choice in use, which may have moved when it was turned."""
    plan = plan_of(screens)
    name, side = screens.in_use_at(place) or ("", 0)
    item = plan.item(name)
    return (item, side) if item is not None and item.live else _under(plan, place)


def _dwelt(screens: Screens, place: Vec2 | None, seconds: float) -> Reply:
    """Rest or move a pointing hand; a long enough rest presses once."""
    dwell, plan = screens.dwell, plan_of(screens)
    if place is None:
        return replace(screens, pointer=None, dwell=Dwell()), ()
    pointing = replace(screens, pointer=place, hover=place, focus_shown=False)
    if dwell.spent is not None:
        if dwell.spent.holds(place, STEADY):
            return pointing, ()
        dwell = Dwell()
    item, side = _under(plan, place)
    held = plan.item(dwell.widget)
    if held is not None and held.live and held.widget.rect.holds(place, STEADY):
        new_side = _side(held, place)
        if new_side == dwell.side:
            item, side = held, dwell.side
    if item is None:
        return replace(pointing, dwell=Dwell()), ()
    pointing = replace(pointing, focus=item.widget.name)
    same = (item.widget.name, side) == (dwell.widget, dwell.side)
    rested = (dwell.seconds if same else 0.0) + seconds
    if rested < screens.dwell_s:
        return replace(pointing, dwell=Dwell(item.widget.name, side, rested)), ()
    return _press(replace(pointing, dwell=Dwell(spent=item.widget.rect)), item, side)


# Keys and gamepad ---------------------------------------------------------------------------------------------


def _pad(screens: Screens, button: PadButton) -> Reply:
    if button is PadButton.START:
        if screens.page is PageName.PAUSE:
            return table.resume(screens)
        return table.pause(screens) if screens.page in (PageName.TABLE, PageName.GUIDE) else (screens, ())
    if screens.page is PageName.TABLE:
        return screens, ()  # A and B are the game's; START pauses it
    return _key(screens, _PAD_KEYS[button])


def _key(screens: Screens, key: Key) -> Reply:
    if key is Key.HELP:
        return rulebook.open_rules(screens)
    plan = plan_of(screens)
    if screens.page is PageName.TABLE and key not in _TABLE_KEYS:
        return _at_table(screens, plan, key)
    if key is Key.ESCAPE:
        return plan.leave(screens)
    if key is Key.BACKSPACE:
        return (replace(screens, typed=screens.typed[:-1]) if screens.page is PageName.NAME else screens), ()
    at = focus_of(screens, plan)
    shown = replace(screens, focus_shown=True, pointer=None, dwell=Dwell())
    if at is None:
        return shown, ()
    if key is Key.ENTER:
        # Someone still playing may press Enter; don't start a new game by accident.
        asks = screens.page is PageName.RESULT and not screens.focus_shown
        return (shown, ()) if asks else _press(shown, at)
    if key in DIRECTIONS and not screens.focus_shown:
        return replace(shown, focus=at.widget.name), ()
    if key in (Key.TAB, Key.BACKTAB):
        return replace(shown, focus=next_in_order(plan, at, 1 if key is Key.TAB else -1)), ()
    if at.turn is not None and key in (Key.LEFT, Key.RIGHT):
        return at.turn(replace(shown, focus=at.widget.name), 1 if key is Key.RIGHT else -1)
    return replace(shown, focus=nearest(plan, at, key)), ()


def _at_table(screens: Screens, plan: Plan, key: Key) -> Reply:
    """Handle Tab, which steps through the buttons, and Enter after it; other keys are the game's."""
    at = focus_of(screens, plan)
    if at is not None and key in (Key.TAB, Key.BACKTAB):
        step = 1 if key is Key.TAB else -1
        focus = next_in_order(plan, at, step) if screens.walked else at.widget.name
        return replace(screens, focus=focus, focus_shown=True, walked=True, pointer=None), ()
    if key is Key.ENTER and screens.walked:
        return _press(screens, at)
    return replace(screens, walked=False), ()
