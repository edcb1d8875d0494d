"""What a key or a gamepad's button stands for, as the players have moved them."""

from __future__ import annotations

from armoon.messages import set_keys
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import Preferences
from armoon.values.bindings import KEYS, PAD, buttons_for, keys_for, meant, words_for


def asks_key(screens: Screens) -> bool:
    """The page of keys waits for one."""
    return screens.page is PageName.KEYS and bool(screens.keys.waits)


def meant_key(screens: Screens, name: str) -> str:
    """The usual name of what a key stands for; switches and who types have keys as they are."""
    wishes = screens.preferences
    if wishes.scans or screens.page is PageName.NAME:
        return name
    return meant(name, KEYS, keys_for(wishes.key_hand, wishes.keys))


def meant_button(screens: Screens, name: str) -> str:
    """The same of a gamepad's button."""
    wishes = screens.preferences
    return name if wishes.scans else meant(name, PAD, buttons_for(wishes.pad))


def name_keys(wishes: Preferences) -> None:
    """Texts name the keys as they are now."""
    set_keys(words_for(wishes.key_hand, wishes.keys, wishes.pad))
