"""State machine of the screens: a function for each kind of input returns the next state and actions for the app.

Every input either presses a widget or changes a choice, so a page that works with one device works with all of them.
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
from armoon.screens.form import make_form
from armoon.screens.layout import Item, Plan, Reply, lay_out
from armoon.screens.pages import measure, opening, players, result, rulebook, settings, table, together
from armoon.screens.pages.trials import research_page, trials_page
from armoon.screens.state import TREMOR_MARGIN, Dwell, PageName, Screens
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
#: Pages with panels over the picture, which are mirrored for left-handed players.
_MIRRORED_PAGES = (PageName.TABLE, PageName.GUIDE, PageName.VERDICT)
#: Reset values of the fields for scanning and pointing, which don't affect a page's contents.
_TRANSIENT: dict[str, Any] = {
    "scan": state.Scan(),
    "pointer": None,
    "hover": None,
    "active_choice": None,
    "dwell": Dwell(),
}
_get_contents = attrgetter(*(field.name for field in fields(Screens) if field.name not in _TRANSIENT))
#: Cached plans, latest first. Comparing states that share most of their values is faster than hashing them.
_PLANS: list[tuple[tuple[Any, ...], Plan]] = []


def get_plan(screens: Screens) -> Plan:
    key = (language(), *_get_contents(screens))
    plan = next((plan for cached_key, plan in _PLANS if cached_key == key), None)
    if plan is None:
        plan = _make_plan(replace(screens, **_TRANSIENT))
        _PLANS[:] = ((key, plan), *_PLANS[:7])
    return plan


def _make_plan(screens: Screens) -> Plan:
    with speaking_of(screens.form.options.terms):
        plan = lay_out(_PAGES[screens.page](screens), screens)
    if not (screens.preferences.left_handed and screens.page in _MIRRORED_PAGES):
        return plan
    return replace(plan, items=tuple(item.change(rect=item.widget.rect.mirrored) for item in plan.items))


def build_page(screens: Screens) -> Page:
    plan = get_plan(screens)
    focus = scanning.find_focused(screens, plan)
    dwell = screens.dwell
    # At the table, Enter takes the hint or acts in the game, so the focus is shown only after Tab.
    focus_shown = screens.focus_shown and (screens.page is not PageName.TABLE or screens.tabbed)
    shown: tuple[str, ...] = (focus.widget.name,) if focus_shown and focus is not None else ()
    if screens.is_scanning:
        shown = screens.scan.names
    widgets = []
    for item in plan.items:
        widget = replace(item.widget, focused=True) if item.widget.name in shown else item.widget
        if widget.name == dwell.widget:
            progress = min(1.0, dwell.seconds / screens.dwell_s)
            widget = replace(widget, dwell=progress, dwell_side=dwell.side)
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
        notice=text("switch.asleep") if screens.is_scanning and screens.scan.is_asleep else "",
        window_only=plan.is_private,
        rested=screens.rested,
    )


#: Pages that the page of a final round replaces at once; other pages stay open.
_AT_TABLE = (PageName.TABLE, PageName.VERDICT, PageName.FINAL)


def start_remote_game(screens: Screens, game: str, names: tuple[str, ...], options: GameOptions) -> Reply:
    """Show a game with other tables that the app has started."""
    form = replace(screens.form, game=game).with_options(options, game)
    at_table = replace(screens.cleared_for(PageName.TABLE), form=form, party=names)
    return replace(at_table, in_game=True, practice=False, trial=None), ()


def show_remote_tables(screens: Screens, status: events.RemoteTablesStatus) -> Reply:
    """Show the status; if a link or an address has just been pasted, focus the button that uses it."""
    focus = screens.focus
    if status.pasted and screens.page is PageName.FAR and focus == "paste":
        focus = "join" if status.is_invitation_pasted else "broker"
    return replace(screens, remote_tables=status, focus=focus), ()


def search_table(screens: Screens) -> Reply:
    """Show the search for the real table, which must be found before the game starts."""
    return replace(screens.reset_to(PageName.FIND), in_game=False, table=events.TableSearch()), ()


def show_news(screens: Screens, news: News) -> Reply:
    match news:
        case VerdictNews():
            return replace(screens, verdict=news), ()
        case FinalNews():
            updated = replace(screens, final=news)
            is_at_table = screens.in_game and screens.page in _AT_TABLE
            return (updated.reset_to(PageName.FINAL) if is_at_table else updated), ()
    ended = replace(screens, result=news, alone_s=result.ALONE_S)
    return (ended.reset_to(PageName.TOWER) if screens.in_game else screens), ()


def apply_camera(screens: Screens, camera: events.CameraStatus) -> Reply:
    """Show the camera's status; for a new camera, apply its usual seat and leave the camera page.

    Players who don't need a camera are asked about a lost one, but not about a missing one.
    """
    before, is_open = screens.camera, screens.page is PageName.CAMERA
    after = replace(screens, camera=camera)
    if camera.seat is not None and camera.way is not before.way:
        after = replace(after, form=replace(after.form, seat=camera.seat))
    if camera.should_ask_player:
        is_needed = screens.preferences.uses_camera or camera.way is CameraWay.REAL
        return (
            after.go_to(PageName.CAMERA) if is_needed and not (is_open or screens.must_choose_way) else after
        ), ()
    return (replace(after.go_back(), stopped_by="") if is_open and camera.seat is not None else after), ()


#: Side of a choice that shows its name, where a press only moves the focus; height of the name in a stacked choice,
#: relative to the choice's.
_NAME_SIDE, _NAME_HEIGHT = 2, 0.45


def first_screens(
    settings: Settings,
    preferences: Preferences,
    *,
    games: tuple[str, ...] = (),
    known: tuple[events.FormPlayer, ...] = (),
    today: datetime.date = datetime.date(2000, 1, 1),
) -> Screens:
    """Return the initial state. ``games``: the offered games, the default first; empty: all."""
    games = games or game_names()
    seat = settings.seat or SeatName.MIRROR
    form = make_form(settings.players, games[0], settings.games, seat, known)
    return Screens(form, preferences, games, today=today)


def is_running(screens: Screens) -> bool:
    """Return whether the game's clock runs, which it doesn't while another page is open."""
    return screens.in_game and screens.page in (PageName.TABLE, PageName.GUIDE)


def offer_choices(screens: Screens, choices: state.OpenChoices) -> Reply:
    # New choices restart scanning, even after it has stopped.
    scan = state.Scan(screens.page.value, pause_s=screens.scan.pause_s, is_down=screens.scan.is_down)
    tabbed = screens.tabbed and bool(choices.choices)
    offered = replace(screens, choices=choices, scan=scan, tabbed=tabbed)
    if choices.has_hint and not screens.choices.has_hint and screens.page is PageName.TABLE:
        # Enter now takes the hint, and any other key continues the game.
        offered = replace(offered, tabbed=True, focus=f"choose {HINT}", focus_shown=True)
    return offered, ()


def request_widget(
    screens: Screens, name: str, action: state.WidgetAction = state.WidgetAction.PRESS
) -> Reply:
    """Focus, press or change a widget for a screen reader or a voice command; ignore unknown names."""
    item = get_plan(screens).item(name)
    if item is None or not item.is_live:
        return screens, ()
    is_at_table = screens.page is PageName.TABLE
    shown = replace(screens, focus=name, focus_shown=True, pointer=None, dwell=Dwell(), tabbed=is_at_table)
    side = {state.WidgetAction.MORE: 1, state.WidgetAction.LESS: -1}.get(action, 0)
    if action is state.WidgetAction.FOCUS or (side and item.adjust is None):
        return shown, ()
    return _press(shown, item, side)


def pass_time(screens: Screens, seconds: float) -> Reply:
    """Advance animations, measurements and scanning."""
    if measure.is_measuring_reaction(screens):
        return measure.pass_time(screens, seconds), ()
    advance = {PageName.RULES: rulebook.pass_time, PageName.TOWER: result.pass_time}.get(screens.page)
    later = screens if advance is None else advance(screens, seconds)
    return scanning.pass_time(later, get_plan(later), seconds), ()


def press_switch(screens: Screens, switch: state.SwitchEvent) -> Reply:
    """Handle a switch: scan, measure a reaction, or, at the first start, ask whether the key is a switch."""
    if screens.must_choose_way and screens.page is PageName.TITLE and not screens.is_scanning:
        paused = state.Scan(pause_s=screens.preferences.switch_pause_s)
        opened = replace(screens.go_to(PageName.SWITCH), focus_shown=False, scan=paused)
        return (opened if switch is state.SwitchEvent.DOWN else screens), ()
    if measure.is_measuring_reaction(screens):
        return measure.press_target(screens) if switch is state.SwitchEvent.DOWN else (screens, ())
    return scanning.handle_switch(screens, get_plan(screens), switch, _press)


def _press(screens: Screens, item: Item | None, side: int = 0) -> Reply:
    if item is None or not item.is_live:
        return screens, ()
    focused = replace(screens, focus=item.widget.name)
    if side == _NAME_SIDE:
        return focused, ()
    if item.adjust is not None and side:
        return item.adjust(focused, side)
    return (focused, ()) if item.press is None else item.press(focused)


def _find_item(plan: Plan, point: Vec2) -> tuple[Item | None, int]:
    for item in plan.items:
        target = plan.item(item.stands_for) if item.stands_for else item
        if target is not None and target.is_live and item.widget.rect.contains(point):
            return target, _find_side(item, point)
    return None, 0


def _find_side(item: Item, point: Vec2) -> int:
    if item.widget.kind is not WidgetKind.CHOICE:
        return 0
    across = (point[0] - item.widget.rect.x) / item.widget.rect.width
    less_from, less_to, _ = item.widget.arrows
    down = (point[1] - item.widget.rect.y) / item.widget.rect.height
    if down < _NAME_HEIGHT if item.widget.stacked else across < less_from:
        return _NAME_SIDE
    return -1 if less_from <= across <= less_to else 1


def move_pointer(screens: Screens, point: Vec2) -> Reply:
    """Move the mouse or a finger to a point (fractions of the window) and focus the widget there."""
    item, _ = _find_target(screens, point)
    return replace(
        screens,
        hover=point,
        active_choice=screens.active_choice if screens.active_choice_at(point) else None,
        pointer=None,
        focus=screens.focus if item is None else item.widget.name,
        focus_shown=item is not None,
        tabbed=False,
    ), ()


def press_pointer(screens: Screens, point: Vec2) -> Reply:
    """Press the mouse's button, or pinch, at a point (fractions of the window)."""
    screens, first = measure.stop_trying_switch(screens, Way.MOUSE)
    screens = replace(move_pointer(screens, point)[0], dwell=Dwell())
    item, side = _find_target(screens, point)
    pressed, actions = _press(screens, item, side)
    is_adjusted = item is not None and item.adjust is not None and abs(side) == 1
    choice = (screens.active_choice or (point, item.widget.name, side)) if item and is_adjusted else None
    return replace(pressed, active_choice=choice), (*first, *actions)


def _find_target(screens: Screens, point: Vec2) -> tuple[Item | None, int]:
    """Return the active choice, even if its change has moved it away, else the widget at this point."""
    plan = get_plan(screens)
    name, side = screens.active_choice_at(point) or ("", 0)
    item = plan.item(name)
    return (item, side) if item is not None and item.is_live else _find_item(plan, point)


def rest_hand(screens: Screens, point: Vec2 | None, seconds: float) -> Reply:
    """Handle a hand that has pointed at ``point`` (fractions of the window) for ``seconds``; None: no hand."""
    dwell, plan = screens.dwell, get_plan(screens)
    if point is None:
        return replace(screens, pointer=None, dwell=Dwell()), ()
    pointing = replace(screens, pointer=point, hover=point, focus_shown=False)
    if dwell.blocked_area is not None:
        if dwell.blocked_area.contains(point, TREMOR_MARGIN):
            return pointing, ()
        dwell = Dwell()
    item, side = _find_item(plan, point)
    last = plan.item(dwell.widget)
    is_near = last is not None and last.is_live and last.widget.rect.contains(point, TREMOR_MARGIN)
    if last is not None and is_near and _find_side(last, point) == dwell.side:
        item, side = last, dwell.side
    if item is None:
        return replace(pointing, dwell=Dwell()), ()
    pointing = replace(pointing, focus=item.widget.name)
    is_same = (item.widget.name, side) == (dwell.widget, dwell.side)
    dwell_s = (dwell.seconds if is_same else 0.0) + seconds
    if dwell_s < screens.dwell_s:
        return replace(pointing, dwell=Dwell(item.widget.name, side, dwell_s)), ()
    return _press(replace(pointing, dwell=Dwell(blocked_area=item.widget.rect)), item, side)


def press_start(screens: Screens) -> Reply:
    """Handle a gamepad's Start button: pause or resume."""
    if screens.page is PageName.PAUSE:
        return table.resume(screens)
    return table.pause(screens) if screens.page in (PageName.TABLE, PageName.GUIDE) else (screens, ())


def press_pad(screens: Screens, key: state.Key) -> Reply:
    """Handle a gamepad button that acts as a key; at the table, buttons act in the game instead."""
    return (screens, ()) if screens.page is PageName.TABLE else _press_page_key(screens, key)


def press_key(screens: Screens, key: state.Key) -> Reply:
    first: tuple[events.Action, ...] = ()
    if key in scanning.DIRECTIONS:
        screens, first = measure.stop_trying_switch(screens, Way.KEYS)
    pressed, actions = _press_page_key(screens, key)
    return pressed, (*first, *actions)


def _press_page_key(screens: Screens, key: state.Key) -> Reply:
    if key is state.Key.HELP:
        return rulebook.open_rules(screens)
    plan = get_plan(screens)
    if screens.page is PageName.TABLE and key is not state.Key.ESCAPE:
        return _handle_table_key(screens, plan, key)
    if key is state.Key.ESCAPE:
        return plan.leave(screens)
    if key is state.Key.BACKSPACE:
        return (replace(screens, typed=screens.typed[:-1]) if screens.page is PageName.NAME else screens), ()
    focused = scanning.find_focused(screens, plan)
    shown = replace(screens, focus_shown=True, pointer=None, dwell=Dwell())
    if focused is None:
        return shown, ()
    if key is state.Key.ENTER:
        # A player who hasn't noticed the end of the game must not start a new one by accident.
        is_focus_hidden = screens.page is PageName.RESULT and not screens.focus_shown
        return (shown, ()) if is_focus_hidden else _press(shown, focused)
    if key in scanning.DIRECTIONS and not screens.focus_shown:
        return replace(shown, focus=focused.widget.name), ()
    if key in (state.Key.TAB, state.Key.BACKTAB):
        step = 1 if key is state.Key.TAB else -1
        return replace(shown, focus=scanning.next_widget(plan, focused, step)), ()
    if focused.adjust is not None and key in (state.Key.LEFT, state.Key.RIGHT):
        return focused.adjust(replace(shown, focus=focused.widget.name), 1 if key is state.Key.RIGHT else -1)
    return replace(shown, focus=scanning.nearest_widget(plan, focused, key)), ()


def _handle_table_key(screens: Screens, plan: Plan, key: state.Key) -> Reply:
    """Handle Tab, which steps through the buttons, and Enter after it; all other keys act in the game."""
    focused = scanning.find_focused(screens, plan)
    if focused is not None and key in (state.Key.TAB, state.Key.BACKTAB):
        step = 1 if key is state.Key.TAB else -1
        focus = scanning.next_widget(plan, focused, step) if screens.tabbed else focused.widget.name
        return replace(screens, focus=focus, focus_shown=True, tabbed=True, pointer=None), ()
    if key is state.Key.ENTER and screens.tabbed:
        return _press(screens, focused)
    return replace(screens, tabbed=False), ()
