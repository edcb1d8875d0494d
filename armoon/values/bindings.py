"""Which key and which gamepad button does what: an act's own name, its usual key, and what players have moved.

The program knows a key by its usual name wherever it asks for one; ``meant`` says which of them a real key stands
for. Every layout is a permutation: an act that takes a key gets it, and the act that had it gets the freed one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from armoon.values.choices import KeyHand

#: What players have moved: an act and its key, one after the other.
Moved = tuple[tuple[str, str], ...]

#: By the page's group: each act and its usual key.
GROUPS: dict[str, dict[str, str]] = {
    "play": {
        "roll": "space",
        "take": "enter",
        "put_back": "b",
        "park": "c",
        "tip": "v",
        "hint": "h",
        "give_up": "g",
        "undo": "u",
        "another": "n",
        "score": "t",
    },
    "carry": {
        "left": "left",
        "right": "right",
        "away": "up",
        "near": "down",
        "lift": "r",
        "lower": "f",
        "fine": "x",
        "table_left": "comma",
        "table_right": "period",
        "home": "home",
    },
    "turn": {
        "roll_left": "q",
        "roll_right": "e",
        "nod": "w",
        "nod_back": "s",
        "spin_left": "a",
        "spin_right": "d",
        "next": "tab",
        "pause": "p",
        "rules": "f1",
        "mute": "f4",
    },
}
PAD_GROUP = "pad"
KEYS: dict[str, str] = {act: key for group in GROUPS.values() for act, key in group.items()}
PAD: dict[str, str] = {
    "take": "a",
    "put_back": "b",
    "roll": "x",
    "park": "y",
    "turn_left": "leftshoulder",
    "turn_right": "rightshoulder",
    "tip": "back",
    "table_left": "leftstick",
    "table_right": "rightstick",
}
#: These keep their meaning: a lost player finds the way out by them.
KEPT_KEYS, KEPT_BUTTONS = ("escape", "lshift", "rshift"), ("start", "up", "down", "left", "right")
#: For one hand: letters that lie on that half of English, French and German keyboards.
_ONE_HAND: dict[KeyHand, Moved] = {
    KeyHand.BOTH: (),
    KeyHand.LEFT: (
        *(("left", "s"), ("right", "f"), ("away", "e"), ("near", "d"), ("lift", "r"), ("lower", "v")),
        *(("take", "g"), ("tip", "b"), ("put_back", "t"), ("roll_left", "q"), ("roll_right", "w")),
        *(("nod", "a"), ("nod_back", "y"), ("spin_left", "x"), ("spin_right", "c"), ("fine", "lctrl")),
        *(("table_left", "1"), ("table_right", "2"), ("park", "3"), ("hint", "4"), ("give_up", "5")),
    ),
    KeyHand.RIGHT: (
        *(("roll_left", "u"), ("roll_right", "o"), ("nod", "i"), ("nod_back", "k"), ("spin_left", "j")),
        *(("spin_right", "l"), ("lift", "pageup"), ("lower", "pagedown"), ("put_back", "h"), ("park", "n")),
        *(("roll", "backspace"), ("tip", "end"), ("undo", "insert"), ("give_up", "delete"), ("hint", "m")),
        *(("fine", "rctrl"),),
    ),
}
#: What a page's arrows offer besides the keys in use.
MORE_KEYS = (*"jkyzmoil", *"1234567890", "backspace", "insert", "delete", "end", "lctrl", "rctrl", "pageup")
#: Words in texts: the acts whose keys they name.
KEY_WORDS: dict[str, tuple[str, ...]] = {
    **{f"k_{act}": (act,) for act in KEYS},
    "k_arrows": ("left", "right", "away", "near"),
    "k_turns": ("roll_left", "roll_right", "nod", "nod_back", "spin_left", "spin_right"),
}
PAD_WORDS: dict[str, tuple[str, ...]] = {
    **{f"p_{act}": (act,) for act in PAD},
    "p_turns": ("turn_left", "turn_right"),
    "p_table": ("table_left", "table_right"),
}


@lru_cache(maxsize=32)
def keys_for(hand: KeyHand, moved: Moved) -> Mapping[str, str]:
    """By act, its key."""
    return _swapped(KEYS, (*_ONE_HAND[hand], *moved))


@lru_cache(maxsize=32)
def buttons_for(moved: Moved) -> Mapping[str, str]:
    """By act, its gamepad button."""
    return _swapped(PAD, moved)


def meant(name: str, usual: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Return the usual name of what this key stands for; one that stands for no act stays what it is."""
    return next((usual[act] for act, key in now.items() if key == name), name)


def holder(name: str, now: Mapping[str, str]) -> str:
    """Return the act that has this key; empty: none."""
    return next((act for act, key in now.items() if key == name), "")


def words_for(hand: KeyHand, keys: Moved, pad: Moved) -> dict[str, tuple[str, ...]]:
    """Return the names of keys and buttons that stand in texts now, by word."""
    return {
        **{word: tuple(keys_for(hand, keys)[act] for act in acts) for word, acts in KEY_WORDS.items()},
        **{word: tuple(buttons_for(pad)[act] for act in acts) for word, acts in PAD_WORDS.items()},
    }


def _swapped(usual: Mapping[str, str], moved: Moved) -> dict[str, str]:
    now = dict(usual)
    for act, key in moved:
        other = holder(key, now)
        if other:
            now[other] = now[act]
        now[act] = key
    return now
