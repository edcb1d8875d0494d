"""The acts of keys and gamepad buttons, as the players have assigned them."""

from __future__ import annotations

from armoon.messages import set_keys, set_ways
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import Preferences
from armoon.values.acts import Act
from armoon.values.bindings import PAD, Layout, act_of_key, buttons_for, keys_for, words_for
from armoon.values.choices import Way

#: For each way to play, the ways whose texts fit it, the best first.
_TOLD = {
    Way.HAND: (),
    Way.CARD: (),
    Way.MOUSE: ("mouse",),
    Way.KEYS: ("keys",),
    Way.SWITCH: ("switch", "choice"),
    Way.SWITCHES: ("switch", "choice"),
    Way.VOICE: ("voice", "choice"),
    Way.HEAD: ("head", "choice"),
}


def asks_key(screens: Screens) -> bool:
    """Return whether the page of keys waits for one."""
    return screens.page is PageName.KEYS and bool(screens.keys.waits)


def meant_key(screens: Screens, name: str) -> Act | None:
    """Return the act of a key; for switch users and while typing, keys have their usual meaning."""
    wishes = screens.preferences
    if wishes.scans or screens.page is PageName.NAME:
        return act_of_key(name)
    return act_of_key(name, keys_for(wishes.key_hand, wishes.keys))


def buttons_now(screens: Screens) -> Layout:
    """Return the acts of a gamepad's buttons now."""
    wishes = screens.preferences
    return PAD if wishes.scans else buttons_for(wishes.pad)


def name_keys(wishes: Preferences, switch: str = "") -> None:
    """Texts name the keys as they are now, the switch pressed last, and the way to play."""
    switches = {"k_switch": (switch,)} if switch else {}
    set_keys(words_for(wishes.key_hand, wishes.keys, wishes.pad) | switches)
    set_ways(*_TOLD[wishes.way])
