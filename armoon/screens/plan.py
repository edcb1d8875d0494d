"""A page before it is drawn: its widgets, what pressing or turning each does, and how the page is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from armoon.screens.actions import Action
from armoon.screens.state import PageName, Screens
from armoon.values.page import Rect, Widget
from armoon.values.poses import Vec2

#: The next state and what the app is asked for.
Reply = tuple[Screens, tuple[Action, ...]]


@dataclass(frozen=True)
class Item:
    """A widget, and what comes of pressing or turning it."""

    widget: Widget
    press: Callable[[Screens], Reply] | None = None
    turn: Callable[[Screens, int], Reply] | None = None
    foot: bool = False
    """It stands along the lower edge, with what leaves the page."""
    group: str = ""
    """When a page is scanned, all items of a group are highlighted together first."""
    weighed: bool = False
    """A choice to think about, which is highlighted longer in the first round."""
    final: bool = False
    """It can't be undone."""
    stands_for: str = ""
    """A pointer on it is on the widget of this name."""
    words: str = ""
    """The words that a sign shows while it has the focus or a pointer."""
    spread: Rect | None = None
    """Place of these words."""

    @property
    def live(self) -> bool:
        """It can be pressed or turned."""
        return self.widget.enabled and (self.press is not None or self.turn is not None)

    def worded(self, widget: Widget, places: Iterable[Vec2 | None]) -> Widget:
        """Return the widget with a sign's words where it has the focus, or one of the places is on it."""
        if self.spread is None or not (
            widget.focused or any(at is not None and widget.rect.holds(at) for at in places)
        ):
            return widget
        rect = self.spread if self.spread.holds(widget.rect.centre) else self.spread.mirrored
        return replace(widget, text=self.words, drawing=None, rect=rect)

    def having(self, **changes: Any) -> Item:
        """Return the item with other fields of its widget."""
        return replace(self, widget=replace(self.widget, **changes))


@dataclass(frozen=True)
class Plan:
    """A page before it is drawn: its items and how it leaves."""

    items: tuple[Item, ...]
    veil: float
    leave: Callable[[Screens], Reply]
    """What Escape and B do."""
    first: str = ""
    """The widget that has the focus to begin with; empty: the first live one."""
    moon: bool = False
    stays: bool = False
    """It is left out of films and streams."""

    def item(self, name: str | None) -> Item | None:
        """Return the item of that name."""
        return next((item for item in self.items if item.widget.name == name), None)


def go_back(screens: Screens) -> Reply:
    """One page back."""
    return screens.returned(), ()


def going(page: PageName) -> Callable[[Screens], Reply]:
    """Return the action of a button to another page."""
    return lambda screens: (screens.to(page), ())


def asking(action: Action) -> Callable[[Screens], Reply]:
    """Return the action of a button that asks the app for something while its page stays."""
    return lambda screens: (screens, (action,))
