"""Routes input from keys, pointers, gamepads, hands and heads to the pages or to the table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from armoon.app import switches
from armoon.app.frames import FrameInput
from armoon.faces import HeadPointing, HeadSettings
from armoon.games.contract import Game, format_keys
from armoon.inputs.controls import PUSH_AT, RELEASE_AT
from armoon.messages import language, text
from armoon.screens import machine
from armoon.screens.events import Action, Ask, Request
from armoon.screens.layout import Reply, begin_turn, current_habits, emit, set_preference
from armoon.screens.machine import build_page, get_plan, is_running
from armoon.screens.pages import table as table_page
from armoon.screens.pages.measure import is_measuring
from armoon.screens.pages.players import type_letter
from armoon.screens.pages.settings import assign_key
from armoon.screens.state import Key, OpenChoices, PageName, Screens
from armoon.values import replace
from armoon.values.acts import D_PAD, MOVES, NUMBERS, TILTS, Act, find_act_by_button
from armoon.values.choices import ButtonKind, Device, HeadConfirm, Way
from armoon.values.page import Page, Rect, Widget, WidgetKind
from armoon.values.poses import Vec2

if TYPE_CHECKING:
    from armoon.app.free_places import ScenePlaces
    from armoon.app.table import Table
    from armoon.engine.events import Output
    from armoon.view.window import MousePointer

P = ParamSpec("P")
#: Page key of each act.
_PAGE_KEYS = {
    Act.AWAY: Key.UP,
    Act.NEAR: Key.DOWN,
    Act.LEFT: Key.LEFT,
    Act.RIGHT: Key.RIGHT,
    Act.TAKE: Key.ENTER,
    Act.ROLL: Key.ENTER,
    Act.MENU: Key.ESCAPE,
    Act.NEXT: Key.TAB,
    Act.PREVIOUS: Key.BACKTAB,
    Act.ERASE: Key.BACKSPACE,
    Act.RULES: Key.HELP,
}
#: Acts that take or place a ladder; players with a paper card use them too.
_PLACING_ACTS = (Act.ROLL, Act.TAKE, Act.SET_DOWN, Act.PUT_BACK, Act.PARK, Act.TIP)
#: Acts that steer the simulated hand with keys or a gamepad.
_GRIP_ACTS = (*_PLACING_ACTS, *MOVES, *TILTS)
#: Page keys of gamepad buttons; the D-pad and Start have the same meaning everywhere.
_PAD_PAGE_KEYS = {Act.TAKE: Key.ENTER, Act.PUT_BACK: Key.ESCAPE}
#: Pages with animated pictures.
ANIMATED_PAGES = (PageName.RULES, PageName.GUIDE, PageName.MEASURE, PageName.TOWER)
#: Interval between two frames of an animation, and maximum time step after a stall, in seconds.
ANIMATION_STEP_S, MAX_ANIMATION_STEP_S = 0.04, 0.25
#: Keys sent by the D-pad and A while choices are listed at the table: they move the focus and take the focused choice.
_PAD_FOCUS_KEYS = {Key.UP: Key.BACKTAB, Key.DOWN: Key.TAB, Key.ENTER: Key.ENTER}
#: Minimum time between a widget's appearance under the pointer and a press on it, in seconds; an earlier press was
#: meant for the previous widget.
MIN_HOVER_S = 0.4
_PRESSABLE = (WidgetKind.BUTTON, WidgetKind.CHOICE, WidgetKind.KEY, WidgetKind.NUMBER)
#: Factor by which the mouth must stay open longer than usual to choose head control on the first start.
FIRST_PAGE_PATIENCE = 3.0


def build_head_settings(screens: Screens) -> HeadSettings:
    if _is_first_page(screens):
        return HeadSettings(dwell_s=screens.dwell_s, patience=FIRST_PAGE_PATIENCE)
    current = screens.preferences
    return HeadSettings(
        dwell_s=screens.dwell_s,
        kind=current.head,
        confirm=current.head_confirm,
        dead_deg=current.head_dead_deg,
        reach_deg=current.head_reach_deg,
        mouth=current.head_mouth,
    )


def is_played_by_head(screens: Screens) -> bool:
    return screens.preferences.way is Way.HEAD and not is_measuring(screens, "head")


def is_head_needed(screens: Screens) -> bool:
    return screens.preferences.way is Way.HEAD or is_measuring(screens, "head")


def should_track_heads(screens: Screens) -> bool:
    """Return whether to track heads; on the first start, they are tracked in the table camera's pictures."""
    return is_head_needed(screens) or _is_first_page(screens)


def _is_first_page(screens: Screens) -> bool:
    return screens.must_choose_way and screens.page in (PageName.TITLE, PageName.SETTINGS, PageName.WAY)


class Front:
    """Holds the state of the screens, and collects the actions that they request from the app."""

    def __init__(self, screens: Screens) -> None:
        self.screens = screens
        self._actions: list[Action] = []
        self._pressed = False
        self._animated_s = self._now_s = 0.0
        self.switches, self._dwell_clicker = switches.Switches(), switches.DwellClicker()
        self.is_voice_busy: Callable[[float], bool] = lambda now_s: False
        """Whether scanning must wait because the voice is reading more than the highlighted widget."""
        self.handle_speech_act: Callable[[Act, bool], bool] = lambda act, pressed: False
        """Handles ``SAY_AGAIN`` and ``TALK``; returns whether the act was used."""
        self.is_head_pointing = False
        self.frame_input, self.is_hand_pointing = FrameInput(), False
        """The source's newest input, and whether a finger points at the screen."""
        self._pushed_direction = ""
        """Direction of the stick's last step, until the stick is released."""
        self._layout: dict[tuple[PageName, str, str], tuple[Rect, float]] = {}
        """Area of each widget, by page, name and text, and the time at which it appeared there, in seconds."""
        self._layout_page: Page | None = None
        self._reported_loss: str | None = None
        """Message key of the reported reason for missing camera pictures; None: there are pictures."""
        self._number_inputs: object = None
        """Inputs of the last layout of the numbers; None: no numbers are shown."""
        self._page: tuple[Screens, str, Page] | None = None
        """State and language of the last composed page, and the page."""
        self._was_tab = False
        """Whether the guide's last key was Tab; then Enter presses the focused widget."""

    def change(self, **changes: Any) -> None:
        if not changes.items() <= vars(self.screens).items():
            self.screens = replace(self.screens, **changes)

    @property
    def page(self) -> Page:
        if self._page is None or self._page[0] is not self.screens or self._page[1] != language():
            self._page = self.screens, language(), build_page(self.screens)
        return self._page[2]

    @property
    def is_running(self) -> bool:
        return is_running(self.screens)

    @property
    def is_at_table(self) -> bool:
        return self.screens.in_game and self.screens.page in (PageName.TABLE, PageName.GUIDE)

    @property
    def is_over_button(self) -> bool:
        place = self.screens.hover
        return place is not None and self._is_button_at(place)

    def apply(
        self, update: Callable[Concatenate[Screens, P], Reply], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Replace the screens by the result of ``update`` for them, and collect the actions that it requests."""
        self.screens, actions = update(self.screens, *args, **kwargs)
        self._actions += actions

    def show_table(self, table: Table, output: Output) -> None:
        """Update the pages with a frame's news, the open choices and the state of the table."""
        for news in table.list_news(output):
            self.apply(machine.show_news, news)
        game, match = table.game, table.game.match
        self.apply(table_page.advance_guide, game.collect_guide_facts(), table.passed_s)
        choices = OpenChoices(() if table.is_elsewhere else game.list_help_choices())
        if game.should_list_choices and not table.is_elsewhere:
            choices = OpenChoices(game.list_choices(), game.search_status())
        if choices != self.screens.choices:
            self.apply(machine.offer_choices, choices)
        player = match.players[match.on_turn[1]]
        if match.bot is None and not match.over and player != self.screens.on_turn:
            self.apply(begin_turn, player)
        is_offered = match.bot is None and match.offered_at_home is not None
        is_holding = match.bot is None and bool(match.holding)
        requests = {Act.UNDO, Act.TURN, Act.ADD_TEAR}
        requests |= {Act.HINT, Act.GIVE_UP} if is_offered or is_holding else set()
        requests |= {Act.TIP, Act.ANOTHER} if is_offered and not match.is_parked else set()
        possible = {Act.LOOK_BACK} if table.replay.is_possible else set()
        possible |= set(filter(table.can_request, requests))
        # Only the current player's own table asks for the die's face.
        score, best = (None, 0) if table.is_elsewhere else game.compute_score()
        is_awaiting_face = not table.is_elsewhere and game.is_awaiting_face()
        self.change(
            possible=frozenset(possible), is_awaiting_face=is_awaiting_face, score=score, best_score=best
        )

    def find_pause_reason(self, table: Table) -> str | None:
        """Return the message key of the table's pause, if any: ``"screen"`` while a page is in front."""
        if self.is_running:
            return table.find_pause_reason(None)
        return "pause.asked" if self.screens.page is PageName.PAUSE and table.is_shared else "screen"

    def drain_actions(self) -> tuple[Action, ...]:
        actions = tuple(self._actions)
        self._actions.clear()
        return actions

    def handle_key(self, name: str, pressed: bool) -> Act | None:
        """Handle a key; return its act if the table should handle it."""
        act = switches.find_act_for_key(self.screens, name)
        if pressed and act is Act.LIFT and Act.LOOK_BACK in self.screens.possible:
            act = Act.LOOK_BACK
        is_used = (
            self._assign_key(name, pressed)
            or self.switches.handle_key(name, pressed, self.screens, self._now_s)
            or (act in _GRIP_ACTS and self._use_grip_act(act, pressed, Device.KEYS))
            or self.handle_act(act, pressed)
        )
        return None if is_used else act

    def _use_grip_act(self, act: Act, pressed: bool, device: Device) -> bool:
        """Steer the simulated hand, or ignore acts that the player's way excludes; return whether the act was used."""
        screens, choices, is_placing = self.screens, self.screens.choices, act in _PLACING_ACTS
        is_allowed = self.can_play_with(Way.KEYS) or (is_placing and self.can_play_with(Way.CARD))
        if self.is_at_table and not (screens.tabbed or is_allowed):
            return True
        if device is Device.PAD and act is not Act.TAKE:
            return False  # the D-pad moves the focus through the choices
        if not pressed:
            can_stop = choices.awaits_release or choices.has(Act.STOP.word)
            if is_placing or not (screens.in_game and can_stop):
                return False
            # Sent even before the screens report a movement; ignored if there is none.
            self.apply(emit(Ask(Request.TAKE_CHOICE, Act.STOP.word)))
            return True
        choice = Act.LET_GO if act is Act.TAKE and not screens.tabbed else act
        is_steering = choice is Act.LET_GO or not is_placing
        if not (is_steering and self.is_at_table and choices.awaits_release and choices.has(choice.word)):
            return False
        self.set_device(device)
        self.apply(emit(Ask(Request.TAKE_CHOICE, choice.word)))
        return True

    def handle_act(self, act: Act | None, pressed: bool) -> bool:
        """Handle an act from a key or a phrase; return whether it was used."""
        if act in (Act.SAY_AGAIN, Act.TALK):
            return self.handle_speech_act(act, pressed)
        if not pressed:
            return False
        self.set_device(Device.KEYS)
        screens, is_at_table = self.screens, self.is_at_table
        types_space = act is Act.ROLL and screens.page is PageName.NAME
        key = None if act is None or types_space else _PAGE_KEYS.get(act)
        match act:
            case Act.SEAT if is_at_table:
                self.apply(emit(Request.CHANGE_SEAT))
            case Act.LOOK_BACK if is_at_table and act in screens.possible:
                self.apply(emit(Ask(act)))
            case Act.MUTE | Act.NIGHT:
                name = "muted" if act is Act.MUTE else "ambience"
                self.apply(set_preference, name, not getattr(screens.preferences, name))
            case Act.GIVE_UP if is_at_table and act in screens.possible:
                self.apply(table_page.ask_to_give_up)
            case _ if act in NUMBERS and is_at_table and screens.choices.has(f"place {NUMBERS[act]}"):
                self.apply(machine.request_widget, f"choose place {NUMBERS[act]}")
            case Act.ROLL if screens.page is PageName.RESULT and not screens.focus_shown:
                pass  # the roll key at the end of a game doesn't start another one
            case _ if screens.page is PageName.TABLE and key not in (Key.ESCAPE, Key.HELP):
                return self._move_focus(key)
            case _ if self._is_guided and (act is Act.ROLL or not self._record_guide_key(key)):
                return False
            case _ if key is not None:
                self.apply(machine.press_key, key)
        return True

    def handle_loud_sound(self, down: bool) -> None:
        self.switches.handle_loud_sound(down, self.screens, self._now_s)

    def _assign_key(self, name: str, pressed: bool, *, pad: bool = False) -> bool:
        """Assign the key or button if the page of keys is waiting for one."""
        is_asking = self.screens.page is PageName.KEYS and bool(self.screens.keys.waiting_act)
        if is_asking and pressed:
            self.apply(assign_key, name, pad=pad)
        return is_asking

    def handle_pad(self, name: str, pressed: bool) -> bool:
        """Handle a gamepad button; return False if the table should handle it."""
        if self._assign_key(name, pressed, pad=True):
            return True
        if self.switches.handle_pad(name, pressed, self.screens, self._now_s):
            return True
        act = find_act_by_button(name, switches.get_current_buttons(self.screens))
        if act in _GRIP_ACTS and self._use_grip_act(act, pressed, Device.PAD):
            return True
        page_key = Key(name) if name in D_PAD else _PAD_PAGE_KEYS.get(act) if act else None
        key = _PAD_FOCUS_KEYS.get(page_key) if page_key is not None else None
        if pressed and key is not None:
            is_at_choices = self.screens.page is PageName.TABLE and bool(self.screens.choices.choices)
            if is_at_choices and (key is not Key.ENTER or self.screens.tabbed):
                return self._move_focus(key)
            if self._is_guided and self.screens.preferences.chooses and self._record_guide_key(key):
                self.set_device(Device.PAD)
                self.apply(machine.press_key, key)
                return True
        is_playing = self.screens.page is PageName.TABLE or self._is_guided
        if pressed:
            self.set_device(Device.PAD)
        if pressed and name == "start":
            self.apply(machine.press_start)
        elif pressed and page_key is not None and not is_playing:
            self.apply(machine.press_pad, page_key)
        else:
            return False
        return True

    def describe_pad_loss(self, *, is_unplugged: bool) -> str:
        """Return a sentence if the gamepad in use was unplugged; empty once another device is used."""
        return text("pad.gone") if is_unplugged and self.screens.device is Device.PAD else ""

    def should_rumble(self) -> bool:
        return self.screens.device is Device.PAD and self.screens.preferences.rumble

    def handle_sticks(self, pushed: Mapping[str, float]) -> bool:
        if self.screens.page is PageName.TABLE or self._is_guided:
            self._pushed_direction = ""
            return not self.can_play_with(Way.KEYS)
        name = max(pushed, key=lambda direction: pushed[direction])
        if self._pushed_direction and pushed[name] < RELEASE_AT:
            self._pushed_direction = ""
        elif not self._pushed_direction and pushed[name] > PUSH_AT:
            self._pushed_direction = name
            if self._assign_key(name, True, pad=True):
                return True
            for pressed in (True, False):
                self.handle_pad(name.rpartition("_")[2], pressed)
        return True

    def _move_focus(self, key: Key | None) -> bool:
        """At the table, handle Tab, which moves the focus, and Enter after it; return whether the key was used."""
        was_tabbed = self.screens.tabbed
        if key in (Key.TAB, Key.BACKTAB) or was_tabbed:
            self.apply(machine.press_key, key or Key.BACKSPACE)
        return key in (Key.TAB, Key.BACKTAB) or (was_tabbed and key is Key.ENTER)

    @property
    def highlighted_choice(self) -> str | None:
        """The choice at the table that is highlighted, focused or under the pointer, if any."""
        screens = self.screens
        if screens.page not in (PageName.TABLE, PageName.GUIDE) or not screens.choices.choices:
            return None
        names = [widget.name for widget in self.page.widgets if widget.focused]
        if not names and screens.hover is not None:
            pointer = screens.hover
            names = [widget.name for widget in self.page.widgets if widget.rect.contains(pointer)]
        chosen = [name.partition(" ")[2] for name in names if name.startswith(("choose ", "number "))]
        return chosen[0] if chosen else None

    def can_play_with(self, way: Way) -> bool:
        """Return whether ladders can be moved in this way now; players with their own way can use only that one."""
        return current_habits(self.screens).way in (None, way)

    def set_device(self, device: Device) -> None:
        if device is not self.screens.device:
            self.screens = table_page.set_device(self.screens, device)

    def describe_keys(self, game: Game[Any], override: str = "") -> str:
        """Describe the keys of the device in use, only on the table's page; a non-empty ``override`` replaces them."""
        screens = self.screens
        if screens.page is not PageName.TABLE or not screens.preferences.show_keys:
            return ""
        if override:
            return override
        if screens.preferences.uses_switch or screens.preferences.way in (Way.VOICE, Way.CARD):
            return text(f"strip.{screens.preferences.way}")
        if self.is_head_pointing or screens.preferences.way is Way.HEAD:
            confirm = screens.preferences.head_confirm
            return text("strip.head" if confirm is HeadConfirm.MOUTH else f"strip.head_{confirm}")
        by_pointing = screens.device in (Device.HAND, Device.MOUSE)
        if by_pointing and screens.preferences.chooses and screens.choices.choices and not game.match.over:
            return text(f"strip.{screens.device}.pick")
        if screens.choices.awaits_release and not game.match.over:
            return text(f"strip.{screens.device}.{'pick' if by_pointing else 'awaits'}")
        can_undo = Act.UNDO in screens.possible
        keys = format_keys(game, screens.device, draws_any=screens.draws_any, can_undo=can_undo)
        offered = screens.choices.has("place 1")
        return f"{text(f'strip.{screens.device}.places')} · {keys}" if offered else keys

    @property
    def _is_guided(self) -> bool:
        guide = self.screens.guide
        return self.screens.page is PageName.GUIDE and guide is not None and not guide.is_over

    def _record_guide_key(self, key: Key | None) -> bool:
        """Record the key, and return whether the guide uses it: Tab, or Enter after Tab; others belong to the game."""
        was_tab, self._was_tab = self._was_tab, key in (Key.TAB, Key.BACKTAB)
        return self._was_tab or key in (Key.ESCAPE, Key.HELP) or (was_tab and key is Key.ENTER)

    def handle_letter(self, letter: str) -> None:
        if not self.screens.preferences.uses_switch:
            self.apply(type_letter, letter)

    def handle_pointer(self, pointer: MousePointer) -> bool:
        self._dwell_clicker.move_to(pointer, self._now_s)
        if self.switches.handle_pointer(pointer, self.screens, self._now_s):
            return True
        is_press, self._pressed = pointer.pressed and not self._pressed, pointer.pressed
        is_used = not (self.is_at_table and self.can_play_with(Way.MOUSE)) or self._is_button_at(pointer.over)
        if is_press:
            self.set_device(Device.MOUSE)
        if is_press and is_used:
            if not self._appeared_too_recently(pointer.over):
                self.apply(machine.press_pointer, pointer.over)
        else:
            self.apply(machine.move_pointer, pointer.over)
        return is_used

    def _appeared_too_recently(self, place: Vec2) -> bool:
        """Return whether the widget under the pointer appeared too recently for this press to be meant for it."""
        page = self.screens.page
        widget = next((w for w in self.page.widgets if _is_pressable(w) and w.rect.contains(place)), None)
        if active_choice := self.screens.active_choice_at(place):
            widget = next((widget for widget in self.page.widgets if widget.name == active_choice[0]), widget)
        if widget is None or not self._layout:
            return False
        _, since_s = self._layout.get((page, widget.name, widget.text), (widget.rect, self._now_s))
        return self._now_s - since_s < MIN_HOVER_S

    def _update_layout(self) -> None:
        """Record when each widget came to its position or, at the table, when it first appeared."""
        if self.page is self._layout_page:
            return
        self._layout_page = self.page
        page, before = self.screens.page, self._layout
        can_move = page in (PageName.TABLE, PageName.GUIDE)
        self._layout = {}
        for widget in self.page.widgets:
            key = (page, widget.name, widget.text)
            rect, since_s = before.get(key, (None, self._now_s))
            is_same = rect is not None and (can_move or rect == widget.rect)
            self._layout[key] = (widget.rect, since_s if is_same else self._now_s if before else -math.inf)

    def pop_dwell_clicks(self, *, holding: bool) -> tuple[MousePointer, ...]:
        """Return a click (press and release) once the mouse has rested; releasing a ladder needs a longer rest."""
        dwell_s = self.screens.dwell_s * (
            switches.RELEASE_DWELL_FACTOR if holding and not self.is_over_button else 1.0
        )
        if self.screens.preferences.button is not ButtonKind.DWELL or self.screens.is_scanning:
            return ()
        progress = self._dwell_clicker.progress(self._now_s, dwell_s)
        if progress != self.screens.rested:
            pointer = self.screens.hover if progress > 0.0 else None
            self.change(rested=progress, pointer=pointer)
        return self._dwell_clicker.pop_click(self._now_s, dwell_s)

    def handle_hand(self, place: Vec2 | None, seconds: float) -> None:
        place = place if not self.is_at_table or self.can_play_with(Way.HAND) else None
        if place is not None or (self.screens.pointer is not None and not self.screens.rested):
            self.apply(machine.rest_hand, place, seconds)

    def handle_head(self, pointing: HeadPointing | None) -> tuple[Vec2, bool] | None:
        """Handle the place that a head points at, if any; over the table, return it and whether the head presses."""
        screens = self.screens
        is_first_page = _is_first_page(screens)
        if pointing is None or not (is_played_by_head(screens) or is_first_page):
            if self.is_head_pointing:
                self.apply(machine.rest_hand, None, 0.0)
            self.is_head_pointing = False
            return None
        place = pointing.place
        if is_first_page:
            if not pointing.dwell_added_s and not pointing.ended:
                return None
            plan = get_plan(screens)
            item = plan.item(Way.HEAD.value) or plan.item("ways") or plan.item("settings")
            place = place if item is None else item.widget.rect.centre
        can_press = screens.preferences.head_confirm is not HeadConfirm.DWELL
        is_over_table = self.is_at_table and can_press and not self._is_button_at(place)
        if pointing.ended:
            self.apply(machine.rest_hand, None, 0.0)
        self.apply(machine.rest_hand, place, pointing.dwell_added_s)
        self.is_head_pointing = True
        return (place, pointing.confirmed) if is_over_table else None

    def advance_time(self, now_s: float) -> None:
        """Handle due presses of switches, and advance the pages' animations, at most at their usual rate."""
        self._now_s = now_s
        self._update_layout()
        for switch in self.switches.drain_presses(self.screens, now_s):
            self.apply(machine.press_switch, switch)
        fault = self.switches.pop_fault()
        if fault and self.is_running:
            self.apply(table_page.pause_for, text(fault))
        seconds = now_s - self._animated_s
        if seconds >= ANIMATION_STEP_S:
            self._animated_s = now_s
            is_scanning = self.screens.is_scanning and not self.is_voice_busy(now_s)
            if self.screens.page in ANIMATED_PAGES or is_scanning:
                self.apply(machine.pass_time, min(seconds, MAX_ANIMATION_STEP_S))

    def report_camera_loss(self, key: str | None, sentence: str) -> None:
        """Pause the game if pictures are missing for reason ``key``; only once per reason if players need no camera."""
        if key is None:
            self._reported_loss = None
        elif self.is_running and (self.screens.preferences.uses_camera or key != self._reported_loss):
            self._reported_loss = key
            self.apply(table_page.pause_for, sentence)

    def resize_window(self, width: int, height: int) -> None:
        aspect = width / max(1, height)
        if abs(aspect - self.screens.aspect) > 1e-3 or height != self.screens.height_px:
            self.change(aspect=aspect, height_px=height)

    def lay_out_overlays(self, places: ScenePlaces, find_text_areas: Callable[[], tuple[Rect, ...]]) -> None:
        """Move the guide's card and, if anything near them has changed, the numbers to free areas of the picture.

        ``find_text_areas`` returns the areas of the picture's texts, as fractions of the window.
        """
        if self.screens.page is PageName.GUIDE:
            busy = places.find_busy_areas(left_handed=self.screens.preferences.left_handed)
            self.screens = table_page.place_card(self.screens, busy)
        ghosts = tuple((ghost.number, ghost.pose) for ghost in places.scene.ghosts if ghost.number)
        if not ghosts:
            if self._number_inputs is not None:
                self._number_inputs = None
                self.change(numbers=())
            return
        screens, areas = self.screens, find_text_areas()
        ends = (places.to_window((0.0, 0.0)), places.to_window((1.0, 1.0)))
        inputs = (ghosts, ends, places.view.table_from_camera, screens.aspect, screens.preferences, areas)
        if inputs != self._number_inputs:
            self._number_inputs = inputs
            self.change(numbers=places.place_numbers(screens, areas))

    def _is_button_at(self, place: Vec2) -> bool:
        return any(_is_pressable(widget) and widget.rect.contains(place) for widget in self.page.widgets)


def _is_pressable(widget: Widget) -> bool:
    is_titled_card = widget.kind is WidgetKind.CARD and bool(widget.text)
    return widget.enabled and (widget.kind in _PRESSABLE or is_titled_card)
