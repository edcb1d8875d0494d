"""The page of keys and buttons.

It lists each act with its key. Pressing another one reassigns it; if that is in use, the page names its act.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.messages import key_name, text
from armoon.screens.input import KeyGiven
from armoon.screens.layout import back_button, body_place, choice, close_places, page, put
from armoon.screens.own import set_preference
from armoon.screens.pages.settings import row as option_row
from armoon.screens.plan import Item, Plan, Reply
from armoon.screens.state import KeysAt, Screens
from armoon.settings.preferences import PREFERENCES
from armoon.values.bindings import (
    GROUPS,
    KEPT_BUTTONS,
    KEPT_KEYS,
    KEYS,
    MORE_KEYS,
    PAD,
    PAD_GROUPS,
    Layout,
    Moved,
    act_of_word,
    buttons_for,
    holder,
    keys_for,
)
from armoon.values.flex import GAP, REST, Part, grid, rows
from armoon.values.page import Widget, WidgetKind

_GROUPS = tuple(GROUPS)
_KEY_HAND = next(one for one in PREFERENCES if one.name == "key_hand")


def keys(screens: Screens) -> Plan:
    """One group of acts, each with its key."""
    at, body = screens.keys, body_place(screens.tall)
    group = _GROUPS[at.group]
    row = 0.06 if screens.tall else 0.09
    across = 1 if screens.tall else 2
    chosen = Part(2.0 * row + 0.008 if screens.tall else row)
    above, note, rest = rows(body, chosen, Part(row), REST, gap=0.008)
    first, second = grid(above, 2, across, gap=(GAP[0], 0.008))
    acts = GROUPS[group]
    label = text("screens.keys.group")
    items = (
        choice("group", label, text(f"screens.keys.of.{group}"), _turn_group, rect=first),
        option_row(screens, _KEY_HAND).having(rect=second),
        Item(Widget("note", WidgetKind.TEXT, note, _note(screens, group))),
        *put((_row(screens, act) for act in acts), close_places(screens.tall, len(acts), rest)),
    )
    usual = ("usual", text("screens.keys.usual"), _usual, _has_moved(screens))
    return page(screens, text("screens.keys.heading"), items, back_button(), usual)


def given(screens: Screens, event: KeyGiven) -> Reply:
    """Assign a pressed key or button to the act that waits for one; Escape leaves the act as it was."""
    at = screens.keys
    if not at.waits or event.pad != (_GROUPS[at.group] in PAD_GROUPS):
        return screens, ()
    kept = KEPT_BUTTONS if event.pad else KEPT_KEYS
    if event.name in kept:
        return replace(screens, keys=KeysAt(at.group)), ()
    other = holder(event.name, _now(screens, at.group))
    if other not in ("", at.waits) and at.asked != event.name:
        return replace(screens, keys=replace(at, asked=event.name)), ()
    return _moved(screens, at.waits, event.name)


def _row(screens: Screens, act: str) -> Item:
    waits = screens.keys.waits == act
    now = _now(screens, screens.keys.group)
    shown = text("screens.keys.press") if waits else key_name((now[act],))
    item = choice(act, text(act_of_word(act).text_key), shown, _turning(act)).having(chosen=waits or None)
    return item if screens.preferences.scans else replace(item, press=_waiting(act))


def _note(screens: Screens, group: str) -> str:
    at = screens.keys
    if at.asked:
        other = holder(at.asked, _now(screens, at.group))
        act = text(act_of_word(other).text_key)
        return text("screens.keys.taken", named=key_name((at.asked,)), act=act)
    if at.waits:
        act = text(act_of_word(at.waits).text_key)
        return text("screens.keys.waiting_pad" if group in PAD_GROUPS else "screens.keys.waiting", act=act)
    return text("screens.keys.about")


def _now(screens: Screens, group: int) -> Layout:
    wishes = screens.preferences
    pad = _GROUPS[group] in PAD_GROUPS
    return buttons_for(wishes.pad) if pad else keys_for(wishes.key_hand, wishes.keys)


def _waiting(act: str) -> Callable[[Screens], Reply]:
    return lambda screens: (replace(screens, keys=KeysAt(screens.keys.group, act)), ())


def _turning(act: str) -> Callable[[Screens, int], Reply]:
    """Through the keys that nothing has, so that no other act loses its own."""

    def turn(screens: Screens, step: int) -> Reply:
        now = _now(screens, screens.keys.group)
        pad = _GROUPS[screens.keys.group] in PAD_GROUPS
        # Gamepads have no spare buttons: there two change places.
        every = tuple(PAD.values()) if pad else (*KEYS.values(), *MORE_KEYS)
        free = [key for key in dict.fromkeys(every) if pad or key == now[act] or not holder(key, now)]
        place = free.index(now[act]) if now[act] in free else 0
        return _moved(screens, act, free[(place + step) % len(free)])

    return turn


def _moved(screens: Screens, act: str, key: str) -> Reply:
    screens = replace(screens, keys=KeysAt(screens.keys.group))
    name = "pad" if _GROUPS[screens.keys.group] in PAD_GROUPS else "keys"
    before: Moved = getattr(screens.preferences, name)
    return set_preference(screens, name, _shortened(screens, (*before, (act, key)), pad=name == "pad"))


def _shortened(screens: Screens, moved: Moved, *, pad: bool) -> Moved:
    """Return the same layout by its differences alone, where the way to it has become longer than what can be kept."""
    hand = screens.preferences.key_hand
    if not pad and len(moved) <= len(KEYS):
        return moved
    usual, wanted = (PAD, buttons_for(moved)) if pad else (keys_for(hand, ()), keys_for(hand, moved))
    return tuple((act, key) for act, key in wanted.items() if key != usual[act])


def _has_moved(screens: Screens) -> bool:
    return bool(screens.preferences.keys or screens.preferences.pad)


def _usual(screens: Screens) -> Reply:
    screens, keys = set_preference(screens, "keys", ())
    screens, pad = set_preference(screens, "pad", ())
    return replace(screens, keys=KeysAt(screens.keys.group)), (*keys, *pad)


def _turn_group(screens: Screens, step: int) -> Reply:
    return replace(screens, keys=KeysAt((screens.keys.group + step) % len(_GROUPS))), ()
