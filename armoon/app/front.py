"""The screens in front of the table: window events in, pages and tasks out."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import TYPE_CHECKING

from armoon.app.players import known_players
from armoon.games.shared.seating import FirstBy
from armoon.saves.profiles import Profiles
from armoon.screens.actions import Action
from armoon.screens.events import (
    Dwelt,
    Event,
    Key,
    KeyPressed,
    LetterTyped,
    PointerMoved,
    PointerPressed,
    Resized,
)
from armoon.screens.machine import first_screens, hear, page_of, running
from armoon.screens.preferences import Preferences
from armoon.screens.state import PageName, Screens
from armoon.settings.options import PlayOptions
from armoon.settings.preferences_file import load_preferences
from armoon.values.page import Page, WidgetKind
from armoon.values.poses import Vec2

if TYPE_CHECKING:
    from armoon.view.window import Pointer

#: What the window calls the keys that pages listen to.
_KEYS = {
    "up": Key.UP,
    "down": Key.DOWN,
    "left": Key.LEFT,
    "right": Key.RIGHT,
    "enter": Key.ENTER,
    "return": Key.ENTER,
    "space": Key.ENTER,
    "escape": Key.ESCAPE,
    "tab": Key.TAB,
    "backtab": Key.BACKTAB,
    "backspace": Key.BACKSPACE,
}
_PRESSABLE = (WidgetKind.BUTTON, WidgetKind.CHOICE, WidgetKind.KEY)


class Front:
    """Holds the screens' state, and collects what they ask of the app."""

    def __init__(self, screens: Screens) -> None:
        self.screens = screens
        self._actions: list[Action] = []
        self._pressed = False

    @property
    def page(self) -> Page:
        """What is to be drawn."""
        return page_of(self.screens)

    @property
    def running(self) -> bool:
        """The table's own time goes on."""
        return running(self.screens)

    @property
    def at_table(self) -> bool:
        """Keys and mouse belong to the game, but for what is over a button."""
        return self.screens.in_game and self.screens.page in (PageName.TABLE, PageName.GUIDE)

    @property
    def shows_glass(self) -> bool:
        """The game's own score and hints are to be seen under this page."""
        return self.screens.page in (PageName.TABLE, PageName.GUIDE, PageName.VERDICT)

    @property
    def over_button(self) -> bool:
        """The mouse is over something that can be pressed."""
        place = self.screens.hover
        return place is not None and self._over_a_button(place)

    def tell(self, event: Event) -> None:
        """Let the screens hear something."""
        self.screens, actions = hear(self.screens, event)
        self._actions += actions

    def take_actions(self) -> tuple[Action, ...]:
        """What the screens have asked for since the last call."""
        actions = tuple(self._actions)
        self._actions.clear()
        return actions

    def key(self, name: str, pressed: bool) -> bool:
        """A key of the window; whether it was for the screens and not for the game."""
        if not pressed:
            return False
        typing = self.screens.page is PageName.NAME
        key = None if typing and name == "space" else _KEYS.get(name)
        if self.screens.page is PageName.TABLE and key is not Key.ESCAPE:
            return False
        if key is not None:
            self.tell(KeyPressed(key))
        return True

    def letter(self, letter: str) -> None:
        """A character was typed."""
        self.tell(LetterTyped(letter))

    def pointer(self, pointer: Pointer) -> bool:
        """The mouse; whether it was for the screens and not for the game."""
        press, self._pressed = pointer.pressed and not self._pressed, pointer.pressed
        mine = not self.at_table or self._over_a_button(pointer.over)
        if press and mine:
            self.tell(PointerPressed(pointer.over))
        else:
            self.tell(PointerMoved(pointer.over))
        return mine

    def hand(self, place: Vec2 | None, seconds: float) -> None:
        """A pointing hand, in parts of the window; None if there is none."""
        if place is not None or self.screens.pointer is not None:
            self.tell(Dwelt(place, seconds))

    def resized(self, width: int, height: int) -> None:
        """The window has this size now."""
        aspect = width / max(1, height)
        if abs(aspect - self.screens.aspect) > 1e-3:
            self.tell(Resized(aspect))

    def _over_a_button(self, place: Vec2) -> bool:
        return any(
            widget.kind in _PRESSABLE and widget.enabled and widget.rect.holds(place)
            for widget in self.page.widgets
        )


def front_for(options: PlayOptions, profiles: Profiles) -> Front:
    """The title, with what was typed on the command line and what is known of the players filled in."""
    usual = Preferences(grip=options.grip, depth_help=options.depth_help, air=options.air)
    preferences = load_preferences(options.language, usual=usual)
    known, today = known_players(profiles), datetime.date.today()
    screens = first_screens(options, preferences, known=known, today=today)
    form = screens.form.with_options(options.game_options, options.game)
    if isinstance(options.first, FirstBy):
        form = replace(form, way=options.first)
    elif options.first is not None:
        form = replace(form, way=FirstBy.CHOSEN, chosen=options.first.seat)
    return Front(replace(screens, form=form.tidy()))
