"""Keys of any keyboard layout, in a window that is never opened."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from armoon import messages
from armoon.values.acts import find_act_by_key, get_act
from armoon.view.window import GameWindow, map_names_by_position

#: X11 codes of the keys of a US keyboard.
CODES = {"q": 24, "p": 33, "a": 38, "l": 46, "z": 52, "m": 58, "1": 10, "0": 19}


class OffscreenWindow(GameWindow):
    def __init__(self) -> None:
        self.keys: list[tuple[str, bool]] = []
        self._pressed_keys, self._shift = {}, 1
        self._key_name = lambda symbol: (
            chr(symbol).upper() if symbol < 1 << 32 else f"user_key({symbol >> 32:x})"
        )
        self._on_key = lambda name, pressed: self.keys.append((name, pressed))
        self._window = SimpleNamespace()


@pytest.mark.parametrize(("letter", "code"), CODES.items())
def test_a_letter_of_another_script_is_the_key_in_its_position(letter: str, code: int) -> None:
    window = OffscreenWindow()
    for symbol in (code << 32, ord(letter)):  # the key's symbol in a Russian or Greek, and in a Latin layout
        window.keys.clear()
        window._handle_key_press(symbol, 0)
        window._handle_key_release(symbol, 0)
        assert window.keys == [(letter, True), (letter, False)]


#: A layout's letters on the rows of a US keyboard, by the first code of each.
LAYOUTS = {
    "us": {24: "qwertyuiop", 38: "asdfghjkl", 52: "zxcvbnm"},
    "fr": {24: "azertyuiop", 38: "qsdfghjkl", 52: "wxcvbn,"},
    "de": {24: "qwertzuiop", 38: "asdfghjkl", 52: "yxcvbnm"},
    "dvorak": {24: "',.pyfgcrl", 38: "aoeuidhtn", 52: ";qjkxbm"},
}
MOVING = {24: "roll_left", 25: "nod", 26: "roll_right", 38: "spin_left", 39: "nod_back", 40: "spin_right"}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rotation_keys_have_the_same_positions_on_every_keyboard_and_their_printed_names(
    layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = LAYOUTS[layout]
    printed = {first + k: letter for first, row in rows.items() for k, letter in enumerate(row)}
    monkeypatch.setattr(OffscreenWindow, "_names_by_printed", lambda self: map_names_by_position(printed))
    window = OffscreenWindow()
    messages.set_printed(window.printed_names)
    try:
        for code, word in MOVING.items():
            window._handle_key_press(ord(printed[code]), 0)
            name = window.keys[-1][0]
            assert find_act_by_key(name) is get_act(word)
            assert messages.key_name((name,)) == printed[code].upper()
        for letter in printed.values():
            window._handle_key_press(ord(letter), 0)
        pressed = [name for name, _ in window.keys[len(MOVING) :]]
        assert len(set(pressed)) == len(pressed), "two keys have the same name"
    finally:
        messages.set_printed({})


def test_digit_keys_need_no_shift_on_a_french_keyboard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pyglet has no name for é, and letters are in other positions too."""
    printed = {10: "AMPERSAND", 11: "233", 24: "A", 25: "Z", 38: "Q", 52: "W"}
    monkeypatch.setattr(OffscreenWindow, "_names_by_printed", lambda self: map_names_by_position(printed))
    window = OffscreenWindow()
    monkeypatch.setattr(window, "_key_name", {38: "AMPERSAND", 97: "A"}.get)
    for symbol in (38, 11 << 32, 97):
        window._handle_key_press(symbol, 0)
    assert [name for name, _ in window.keys] == ["1", "2", "q"]
    assert window.printed_names == {"q": "a", "w": "z", "a": "q", "z": "w"}
    assert map_names_by_position({24: "1738", 25: "1731"}) == {}, (
        "letters of another script replace the names of their positions"
    )
