"""The screens as a state machine: functions of inputs and news return the next state and requests to the app.

Every input ends in one of two events: a widget is pressed, or a choice is changed. So a page that works with one
device works with all of them.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any

from armoon.games import game_names
from armoon.games.news import FinalNews, News, VerdictNews
from armoon.games.options import GameOptions
from armoon.messages import language, speaking_of, text
from armoon.screens import events, scanning, state
from armoon.screens.form import form_for
from armoon.screens.layout import Item, Plan, Reply, lay_out
from armoon.screens.pages import measure, opening, players, result, rulebook, settings, table, together
from armoon.screens.pages.trials import research_page, trials_page
from armoon.screens.state import STEADY, Dwell, PageName, Screens
from armoon.settings.preferences import Preferences, Settings
from armoon.values import replace
from armoon.values.choices import CameraWay, SeatName, Way
from armoon.values.page import Page, WidgetKind
from armoon.values.places import HINT
from armoon.values.poses import Vec2

_PAGES: dict[PageName, Callable[[Screens], Plan]] = {
    PageName.TITLE: opening.title_page,
    PageName.MORE: opening.more_page,
    PageName.UNFINISHED: opening.unfinished_page,
    PageName.GAME: opening.game_page,
    PageName.PLAYERS: players.players_page,
    PageName.NAME: players.name_page,
    PageName.PROFILE: players.profile_page,
    PageName.HANDICAP: players.handicap_page,
    PageName.HABITS: players.habits_page,
    PageName.DATE: players.date_page,
    PageName.EDITION: opening.edition_page,
    PageName.OPTIONS: opening.options_page,
    PageName.FIRST: opening.first_page,
    PageName.SEAT: opening.seat_page,
    PageName.LEARN: opening.learn_page,
    PageName.OTHERS: opening.others_page,
    PageName.PRACTICE: opening.practice_page,
    PageName.WAY: measure.way_page,
    PageName.SWITCH: measure.switch_page,
    PageName.PLAYING: measure.playing_page,
    PageName.MEASURE: measure.measure_page,
    PageName.MOVING: players.movement_page,
    PageName.MOVING_MEASURE: players.measure_hand_page,
    PageName.HEAD: measure.head_page,
    PageName.HEAD_MEASURE: measure.measure_head_page,
    PageName.SETTINGS: settings.settings_page,
    PageName.DEPTH: settings.depth_page,
    PageName.KIT: settings.kit_page,
    PageName.CARD: opening.card_page,
    PageName.HEARING: settings.hearing_page,
    PageName.PHRASES: settings.phrases_page,
    PageName.SEEING: settings.seeing_page,
    PageName.KEYS: settings.keys_page,
    PageName.CAMERA: settings.camera_page,
    PageName.BOOK: result.book_page,
    PageName.RULES: rulebook.rules_page,
    PageName.FIND: settings.find_table_page,
    PageName.GUIDE: table.guide_page,
    PageName.TABLE: table.table_page,
    PageName.PAUSE: table.pause_page,
    PageName.OVERRULE: table.overrule_page,
    PageName.LEAVE: table.leave_page,
    PageName.GIVE_UP: table.give_up_page,
    PageName.QUIT: opening.quit_page,
    PageName.VERDICT: table.verdict_page,
    PageName.FINAL: table.final_page,
    PageName.TOWER: result.tower_page,
    PageName.RESULT: result.result_page,
    PageName.SCORES: result.scores_page,
    PageName.TRIALS: trials_page,
    PageName.RESEARCH: research_page,
    PageName.REVIEW: result.review_page,
    PageName.FAR: together.remote_page,
    PageName.PARTY: together.party_page,
}
#: Pages with widgets between the panels over the picture, mirrored together with them.
_WITH_PANELS = (PageName.TABLE, PageName.GUIDE, PageName.VERDICT)


#: Fields for scanning and pointing, which don't change the page's contents.
_PASSING: dict[str, Any] = {
    "scan": state.Scan(),
    "pointer": None,
    "hover": None,
    "active_choice": None,
    "dwell": Dwell(),
}
_LASTING = attrgetter(*(field.name for field in fields(Screens) if field.name not in _PASSING))
#: Plans of the last states. Comparing states that share most of their values is faster than hashing them.
_PLANS: list[tuple[tuple[Any, ...], Plan]] = []


def plan_of(screens: Screens) -> Plan:
    key = (language(), *_LASTING(screens))
    plan = next((plan for kept, plan in _PLANS if kept == key), None)
    if plan is None:
        plan = _make_plan(replace(screens, **_PASSING))
        _PLANS[:] = ((key, plan), *_PLANS[:7])
    return plan


def _make_plan(screens: Screens) -> Plan:
    with speaking_of(screens.form.options.terms):
        plan = lay_out(_PAGES[screens.page](screens), screens)
    if not (screens.preferences.left_handed and screens.page in _WITH_PANELS):
        return plan
    return replace(plan, items=tuple(item.change(rect=item.widget.rect.mirrored) for item in plan.items))


def page_of(screens: Screens) -> Page:
    plan = plan_of(screens)
    focus = scanning.focus_of(screens, plan)
    dwell = screens.dwell
    progress = min(1.0, dwell.seconds / screens.dwell_s)
    # At the table Enter belongs to the game, so no widget is shown with the focus.
    focus_shown = screens.focus_shown and (screens.page is not PageName.TABLE or screens.tabbed)
    shown: tuple[str, ...] = (focus.widget.name,) if focus_shown and focus is not None else ()
    if screens.is_scanning:
        shown = screens.scan.names
    widgets = []
    for item in plan.items:
        name = item.widget.name
        widget = item.widget
        if name in shown or name == dwell.widget:
            rests = (progress, dwell.side) if name == dwell.widget else (0.0, 0)
            widget = replace(widget, focused=name in shown, dwell=rests[0], dwell_side=rests[1])
        widgets.append(item.with_words(widget, (screens.hover, screens.pointer)))
    preferences = screens.preferences
    return Page(
        screens.page.value,
        tuple(widgets),
        plan.veil,
        screens.pointer,
        plan.moon,
        preferences.text_scale,
        preferences.look,
        notice=text("switch.asleep") if screens.is_scanning and screens.scan.asleep else "",
        window_only=plan.is_private,
        rested=screens.rested,
    )


#: Pages that show a game's news at once; on others news wait.
_AT_TABLE = (PageName.TABLE, PageName.VERDICT, PageName.FINAL)


def start_remote_game(screens: Screens, game: str, names: tuple[str, ...], options: GameOptions) -> Reply:
    """Show a game of several tables, which the app has prepared; the form keeps only this table's players."""
    form = replace(screens.form, game=game).with_options(options, game)
    at_table = replace(screens.cleared_for(PageName.TABLE), form=form, party=names)
    return replace(at_table, in_game=True, practice=False, trial=None), ()


def show_remote_tables(screens: Screens, status: events.RemoteTablesStatus) -> Reply:
    """Show other tables; after a link or an address was pasted, focus the button that uses it."""
    follows = status.pasted and screens.page is PageName.FAR and screens.focus == "paste"
    focus = ("join" if status.joins else "broker") if follows else screens.focus
    return replace(screens, remote_tables=status, focus=focus), ()


def search_table(screens: Screens) -> Reply:
    """Show the search for the real table, which must be found before the requested game."""
    return replace(screens.reset_to(PageName.FIND), in_game=False, table=events.TableSearch()), ()


def show_news(screens: Screens, news: News) -> Reply:
    match news:
        case VerdictNews():
            return replace(screens, verdict=news), ()
        case FinalNews():
            tied = replace(screens, final=news)
            at_table = screens.in_game and screens.page in _AT_TABLE
            return (tied.reset_to(PageName.FINAL) if at_table else tied), ()
    over = replace(screens, result=news, alone_s=result.ALONE_S)
    return (over.reset_to(PageName.TOWER) if screens.in_game else screens), ()


def apply_camera(screens: Screens, camera: events.CameraStatus) -> Reply:
    """Apply a camera's status: set its usual seat, and leave the page that chose it.

    Only players whose way needs a camera are asked about a missing one; all are asked about a lost one.
    """
    before, page = screens.camera, screens.page is PageName.CAMERA
    after = replace(screens, camera=camera)
    if camera.seat is not None and camera.way is not before.way:
        after = replace(after, form=replace(after.form, seat=camera.seat))
    if camera.asks:
        wanted = screens.preferences.uses_camera or camera.way is CameraWay.REAL
        return (after.go_to(PageName.CAMERA) if wanted and not (page or screens.asks_way) else after), ()
    return (replace(after.go_back(), stopped_by="") if page and camera.seat is not None else after), ()


#: Number of the side with a choice's name, which a pointer only focuses; its part of a stacked choice's height.
_NAME, _LABEL = 2, 0.45
#: Keys that do the same at the table as on other pages.
_TABLE_KEYS = (state.Key.ESCAPE,)


def first_screens(
    settings: Settings,
    preferences: Preferences,
    *,
    games: tuple[str, ...] = (),
    known: tuple[events.FormPlayer, ...] = (),
    today: datetime.date = datetime.date(2000, 1, 1),
) -> Screens:
    """Return the title with a filled-in form. ``games``: usual one first, empty for all; ``known``: from profiles."""
    games = games or game_names()
    seat = settings.seat or SeatName.MIRROR
    form = form_for(settings.players, games[0], settings.games, seat, known)
    return Screens(form, preferences, games, today=today)


def is_running(screens: Screens) -> bool:
    """Return whether game time runs: in a game, without a page over it."""
    return screens.in_game and screens.page in (PageName.TABLE, PageName.GUIDE)


def offer_choices(screens: Screens, choices: state.OpenChoices) -> Reply:
    # New choices restart scanning, even after it has stopped.
    scan = state.Scan(screens.page.value, rests_s=screens.scan.rests_s, down=screens.scan.down)
    tabbed = screens.tabbed and bool(choices.choices)
    offered = replace(screens, choices=choices, scan=scan, tabbed=tabbed)
    if choices.has_hint and not screens.choices.has_hint and screens.page is PageName.TABLE:
        # Enter takes the hint at once; any other key continues the game.
        offered = replace(offered, tabbed=True, focus=f"choose {HINT}", focus_shown=True)
    return offered, ()


def request_widget(
    screens: Screens, name: str, action: state.WidgetAction = state.WidgetAction.PRESS
) -> Reply:
    """Carry out a screen reader's or speaker's request to a widget."""
    return scanning.handle_widget_request(screens, plan_of(screens), name, action, _press)


def pass_time(screens: Screens, seconds: float) -> Reply:
    """Advance moving pictures, measurements and scanning."""
    if measure.is_measuring_reaction(screens):
        return measure.pass_time(screens, seconds), ()
    own = {PageName.RULES: rulebook.pass_time, PageName.TOWER: result.pass_time}.get(screens.page)
    moved = screens if own is None else own(screens, seconds)
    return scanning.pass_time(moved, plan_of(moved), seconds), ()


def press_switch(screens: Screens, switch: state.SwitchEvent) -> Reply:
    """Handle a switch: select the highlighted widget, measure, or at the first start ask whether it is a switch."""
    if screens.asks_way and screens.page is PageName.TITLE and not screens.is_scanning:
        rests = state.Scan(rests_s=screens.preferences.switch_pause_s)
        opened = replace(screens.go_to(PageName.SWITCH), focus_shown=False, scan=rests)
        return (opened if switch is state.SwitchEvent.DOWN else screens), ()
    if measure.is_measuring_reaction(screens):
        return measure.press_target(screens) if switch is state.SwitchEvent.DOWN else (screens, ())
    return scanning.handle_switch(screens, plan_of(screens), switch, _press)


def _press(screens: Screens, item: Item | None, side: int = 0) -> Reply:
    if item is None or not item.is_live:
        return screens, ()
    focused = replace(screens, focus=item.widget.name)
    if side == _NAME:
        return focused, ()
    if item.turn is not None and side:
        return item.turn(focused, side)
    return (focused, ()) if item.press is None else item.press(focused)


def _item_at(plan: Plan, place: Vec2) -> tuple[Item | None, int]:
    for item in plan.items:
        meant = plan.item(item.stands_for) if item.stands_for else item
        if meant is not None and meant.is_live and item.widget.rect.contains(place):
            return meant, _side_at(item, place)
    return None, 0


def _side_at(item: Item, place: Vec2) -> int:
    if item.widget.kind is not WidgetKind.CHOICE:
        return 0
    across = (place[0] - item.widget.rect.x) / item.widget.rect.width
    less_from, less_to, _ = item.widget.arrows
    down = (place[1] - item.widget.rect.y) / item.widget.rect.height
    if down < _LABEL if item.widget.stacked else across < less_from:
        return _NAME
    return -1 if less_from <= across <= less_to else 1


def move_pointer(screens: Screens, place: Vec2) -> Reply:
    """Move the mouse or a finger to a place (fractions of the window): focus the widget there, hide a pointing hand."""
    item, _ = _item_meant(screens, place)
    return replace(
        screens,
        hover=place,
        active_choice=screens.active_choice if screens.active_choice_at(place) else None,
        pointer=None,
        focus=screens.focus if item is None else item.widget.name,
        focus_shown=item is not None,
        tabbed=False,
    ), ()


def press_pointer(screens: Screens, place: Vec2) -> Reply:
    """Press the mouse's button, or close the fingers, at a place (fractions of the window)."""
    screens, first = measure.end_switch(screens, Way.MOUSE)
    screens = replace(move_pointer(screens, place)[0], dwell=Dwell())
    item, side = _item_meant(screens, place)
    pressed, actions = _press(screens, item, side)
    turned = item is not None and item.turn is not None and abs(side) == 1
    new = (screens.active_choice or (place, item.widget.name, side)) if item is not None and turned else None
    return replace(pressed, active_choice=new), (*first, *actions)


def _item_meant(screens: Screens, place: Vec2) -> tuple[Item | None, int]:
    """Return the widget under the mouse, or the choice in use, which may have moved when it changed."""
    plan = plan_of(screens)
    name, side = screens.active_choice_at(place) or ("", 0)
    item = plan.item(name)
    return (item, side) if item is not None and item.is_live else _item_at(plan, place)


def rest_hand(screens: Screens, place: Vec2 | None, seconds: float) -> Reply:
    """Let a hand, if any, point at a place for another ``seconds``; a long enough rest on a widget presses it once."""
    dwell, plan = screens.dwell, plan_of(screens)
    if place is None:
        return replace(screens, pointer=None, dwell=Dwell()), ()
    pointing = replace(screens, pointer=place, hover=place, focus_shown=False)
    if dwell.spent is not None:
        if dwell.spent.contains(place, STEADY):
            return pointing, ()
        dwell = Dwell()
    item, side = _item_at(plan, place)
    held = plan.item(dwell.widget)
    if held is not None and held.is_live and held.widget.rect.contains(place, STEADY):
        new_side = _side_at(held, place)
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


def press_start(screens: Screens) -> Reply:
    """Handle a gamepad's Start: pause, or resume."""
    if screens.page is PageName.PAUSE:
        return table.resume(screens)
    return table.pause(screens) if screens.page in (PageName.TABLE, PageName.GUIDE) else (screens, ())


def press_pad(screens: Screens, key: state.Key) -> Reply:
    """Handle the page key of a gamepad's button; at the table the buttons belong to the game."""
    return (screens, ()) if screens.page is PageName.TABLE else _press_page_key(screens, key)


def press_key(screens: Screens, key: state.Key) -> Reply:
    first: tuple[events.Action, ...] = ()
    if key in scanning.DIRECTIONS:
        screens, first = measure.end_switch(screens, Way.KEYS)
    pressed, actions = _press_page_key(screens, key)
    return pressed, (*first, *actions)


def _press_page_key(screens: Screens, key: state.Key) -> Reply:
    if key is state.Key.HELP:
        return rulebook.open_rules(screens)
    plan = plan_of(screens)
    if screens.page is PageName.TABLE and key not in _TABLE_KEYS:
        return _handle_table_key(screens, plan, key)
    if key is state.Key.ESCAPE:
        return plan.leave(screens)
    if key is state.Key.BACKSPACE:
        return (replace(screens, typed=screens.typed[:-1]) if screens.page is PageName.NAME else screens), ()
    focused = scanning.focus_of(screens, plan)
    shown = replace(screens, focus_shown=True, pointer=None, dwell=Dwell())
    if focused is None:
        return shown, ()
    if key is state.Key.ENTER:
        # Someone still playing may press Enter; don't start a new game by accident.
        asks = screens.page is PageName.RESULT and not screens.focus_shown
        return (shown, ()) if asks else _press(shown, focused)
    if key in scanning.DIRECTIONS and not screens.focus_shown:
        return replace(shown, focus=focused.widget.name), ()
    if key in (state.Key.TAB, state.Key.BACKTAB):
        return replace(
            shown, focus=scanning.next_widget(plan, focused, 1 if key is state.Key.TAB else -1)
        ), ()
    if focused.turn is not None and key in (state.Key.LEFT, state.Key.RIGHT):
        return focused.turn(replace(shown, focus=focused.widget.name), 1 if key is state.Key.RIGHT else -1)
    return replace(shown, focus=scanning.nearest_widget(plan, focused, key)), ()


def _handle_table_key(screens: Screens, plan: Plan, key: state.Key) -> Reply:
    """Handle Tab, which steps through the buttons, and Enter after it; other keys belong to the game."""
    focused = scanning.focus_of(screens, plan)
    if focused is not None and key in (state.Key.TAB, state.Key.BACKTAB):
        step = 1 if key is state.Key.TAB else -1
        focus = scanning.next_widget(plan, focused, step) if screens.tabbed else focused.widget.name
        return replace(screens, focus=focus, focus_shown=True, tabbed=True, pointer=None), ()
    if key is state.Key.ENTER and screens.tabbed:
        return _press(screens, focused)
    return replace(screens, tabbed=False), ()
