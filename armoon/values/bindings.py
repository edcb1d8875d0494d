"""The acts of keys and gamepad parts: the defaults, and the players' own assignments.

Every layout is a permutation: an act that takes a key gets it, and the previous act gets the freed one. A key without
an act does what it does by default.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from armoon.values.acts import MOVES, TILTS, Act, Group
from armoon.values.choices import KeyHand

#: What players have moved: an act and its key, one after the other, in the settings' words.
Moved = tuple[tuple[str, str], ...]
#: By the settings' word, the key or the part of a gamepad.
Layout = Mapping[str, str]

#: A gamepad's words that aren't the act's: they are older than the keys'.
_PAD_WORDS = {Act.ROLL_LEFT: "turn_left", Act.ROLL_RIGHT: "turn_right"}
KEYS: Layout = {act.word: act.row.key for group in Group for act in Act if act.row.group is group}
#: An act's first part of a gamepad is called as the act, the others are numbered: ``take``, ``take_2``.
_PAD_PARTS = {
    _PAD_WORDS.get(act, act.word) + (f"_{number}" if number > 1 else ""): (act, part)
    for act in Act
    for number, part in enumerate(act.row.pad, 1)
}
_PAD_ACTS = {word: act for word, (act, _) in _PAD_PARTS.items()}
PAD: Layout = {word: part for word, (_, part) in _PAD_PARTS.items()}
#: By the page's group: the words whose keys are moved there.
PAD_GROUPS = ("pad", "sticks")
_ON_STICKS = tuple(word for word, part in PAD.items() if "stick_" in part or "trigger" in part)
GROUPS: dict[str, tuple[str, ...]] = {
    **{group.value: tuple(act.word for act in Act if act.row.group is group) for group in Group},
    "pad": tuple(word for word in PAD if word not in _ON_STICKS),
    "sticks": _ON_STICKS,
}
#: Keys that can't be reassigned, so that a lost player finds the way out.
KEPT_KEYS = (Act.MENU.row.key, Act.FINE_HELD.row.key, *Act.FINE_HELD.row.keys)
#: The cross does what the arrows do as usual.
CROSS = {"up": Act.AWAY, "down": Act.NEAR, "left": Act.LEFT, "right": Act.RIGHT}
KEPT_BUTTONS = ("start", *CROSS)
#: What a key or button does that no act has in the players' layout.
_USUAL_KEYS = {key: act for act in Act for key in (act.row.key, *act.row.keys) if key}
_USUAL_PAD = CROSS | {control: act for act in Act for control in act.row.pad}
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
#: Words in texts: those whose keys they name.
KEY_WORDS: dict[str, tuple[str, ...]] = {
    **{f"k_{act.word}": (act.word,) for act in Act if act.row.key},
    "k_arrows": ("left", "right", "away", "near"),
    "k_turns": tuple(act.word for act in TILTS),
}
PAD_WORDS: dict[str, tuple[str, ...]] = {
    **{f"p_{word}": (word,) for word in PAD},
    "p_turns": ("turn_left", "turn_right"),
    "p_table": ("table_left", "table_right"),
    "p_carry": tuple(act.word for act in MOVES),
}


@lru_cache(maxsize=32)
def keys_for(hand: KeyHand, moved: Moved) -> Layout:
    """Where the keys lie for these hands, moved as players have."""
    return _swapped(KEYS, (*_ONE_HAND[hand], *moved))


@lru_cache(maxsize=32)
def buttons_for(moved: Moved) -> Layout:
    """Return the same for a gamepad."""
    return _swapped(PAD, moved)


def act_of_key(name: str, now: Layout = KEYS) -> Act | None:
    """Return what a key asks for; None: nothing."""
    word = holder(name, now)
    return Act[word.upper()] if word else _USUAL_KEYS.get(name)


def act_of_button(name: str, now: Layout = PAD) -> Act | None:
    """Return what a part of a gamepad asks for; None: nothing, or what it is on pages alone."""
    word = holder(name, now)
    return _PAD_ACTS[word] if word else _USUAL_PAD.get(name)


def act_of_word(word: str) -> Act:
    """Return the act that the settings call so, of a key or a gamepad."""
    return _PAD_ACTS.get(word) or Act[word.upper()]


def holder(name: str, now: Layout) -> str:
    """Return the word of the act that has this key; empty: none."""
    return next((word for word, key in now.items() if key == name), "")


def words_for(hand: KeyHand, keys: Moved, pad: Moved) -> dict[str, tuple[str, ...]]:
    """Return the names of keys and buttons that stand in texts now, by word."""
    now = {act.word: act.row.key for act in Act} | {**keys_for(hand, keys)}
    return {
        **{word: tuple(now[act] for act in acts) for word, acts in KEY_WORDS.items()},
        **{word: tuple(buttons_for(pad)[act] for act in acts) for word, acts in PAD_WORDS.items()},
    }


def _swapped(usual: Layout, moved: Moved) -> Layout:
    now = dict(usual)
    for word, key in moved:
        other = holder(key, now)
        if other:
            now[other] = now[word]
        now[word] = key
    return now
