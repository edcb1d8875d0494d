"""The game's window: shows the picture between bars, and reports keys and pointer as plain values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import cv2
import numpy as np
import pyglet

from armoon import gl
from armoon.errors import DisplayError
from armoon.messages import set_printed
from armoon.values.names import JOINERS
from armoon.values.page import CHOICES, TALL_ASPECT
from armoon.values.poses import Vec2
from armoon.view.scene.light import NIGHT
from armoon.view.scene.scenery import load_mark_picture, load_moon_picture

#: Minimum size of the window, in pixels, at which a player can still find it on the screen.
MIN_SIZE_PX = (200, 112)
#: Minimum height of a new window, in pixels.
_MIN_NEW_HEIGHT_PX = 720
_FULL_SCREEN_KEY = "f11"
#: Rows of letters and digits on a US keyboard, by the X11 key code of their first key.
_X11_ROWS = {10: "1234567890", 24: "qwertyuiop", 38: "asdfghjkl", 52: "zxcvbnm"}
_X11_KEYS = {first + k: letter for first, row in _X11_ROWS.items() for k, letter in enumerate(row)}
#: Keys for movement, rotation and numbers, which are named by their position on every keyboard.
_POSITION_KEYS = frozenset("qweasdrf1234567890")
#: pyglet's number of the right mouse button.
_RIGHT_BUTTON = 4

Rect = tuple[int, int, int, int]


def find_us_key(symbol: int) -> str:
    """Return a non-Latin key's US name under X11, else an empty string; other systems already name keys by position."""
    return _X11_KEYS.get(symbol >> 32, "")


def map_names_by_position(printed: Mapping[int, str]) -> dict[str, str]:
    """Map printed names to names by position; ``printed``: pyglet's names by X11 key code."""
    keys = {printed.get(code, key).lower().lstrip("_"): key for code, key in _X11_KEYS.items()}
    # pyglet has numbers instead of names for letters of other scripts; ``find_us_key`` names those.
    names = {name: k for name, k in keys.items() if k in _POSITION_KEYS and name != k and not name.isdigit()}
    letters = {name: key for name, key in names.items() if key.isalpha()}
    unnamed, unused = sorted({*letters.values()} - {*letters}), sorted({*letters} - {*letters.values()})
    return names | dict(zip(unnamed, unused, strict=True))


@dataclass(frozen=True)
class MousePointer:
    place: Vec2
    """Position in the picture, from (0, 0) upper left to (1, 1); outside this range over the bars around it."""
    pressed: bool
    wheel: float = 0.0
    """Wheel steps since the last event, positive away from the player."""
    over: Vec2 = (0.0, 0.0)
    """Position as fractions of the whole window, from the upper left."""
    turning: bool = False
    """Whether the right button is down."""
    lost: bool = False
    """Whether the window has lost focus; buttons then count as released, even if the player still holds them."""


class WindowListener(Protocol):
    """Receives the window's bounds and keyboard focus."""

    def set_bounds(self, bounds: tuple[float, float, float, float], size: tuple[int, int]) -> None:
        """Set the edges on the screen (left, top, right, bottom) and the size, in pixels."""

    def set_focus(self, focused: bool) -> None:
        """Set whether the window has keyboard focus."""


def _answer_clipboard_requests(window: Any) -> None:
    """Answer other programs' X11 clipboard requests, which pyglet's ``dispatch_events`` ignores."""
    from ctypes import byref

    from pyglet.libs.x11 import xlib

    event = xlib.XEvent()
    for kind in (xlib.SelectionRequest, xlib.SelectionClear):
        while xlib.XCheckTypedWindowEvent(window._x_display, window._window, kind, byref(event)):
            window.dispatch_platform_event(event)


def letterbox(window: tuple[int, int], aspect: float, *, fills: bool = False) -> Rect:
    """Return the largest centred rectangle (x, y, width, height) of this aspect ratio in a window.

    In a tall window, the picture is taller than the camera's and above the choices, or covers it all if ``fills``.
    """
    width, height = window
    is_tall = width < height
    if is_tall and fills:
        return (0, 0, width, height)
    if is_tall:
        aspect = min(aspect, TALL_ASPECT)
    fit_width = min(width, round(height * aspect))
    fit_height = min(height, round(width / aspect))
    low = (height - fit_height) // 2
    if is_tall:
        low = min(height - fit_height, round((1.0 - CHOICES[True].y) * height))
    return ((width - fit_width) // 2, low, max(1, fit_width), max(1, fit_height))


def fit_to_screen(size: tuple[int, int], screen: tuple[int, int]) -> tuple[int, int]:
    """Return a window's size, scaled down if necessary to fit on its screen, in pixels."""
    scale = min(1.0, *(room / wanted for wanted, room in zip(size, screen, strict=True)))
    return round(scale * size[0]), round(scale * size[1])


def _enlarge(width: int, height: int) -> tuple[int, int]:
    """Return a new window's size for pictures of this size, scaled up if they are small."""
    height_px = max(height, _MIN_NEW_HEIGHT_PX)
    return height_px * width // height, height_px


def open_window(width: int, height: int, title: str) -> GameWindow:
    """Open a window for pictures of this size, in pixels. Raises DisplayError."""
    window = GameWindow(*_enlarge(width, height), title)
    set_printed(window.printed_names)
    return window


class GameWindow:
    """A resizable window with its own OpenGL context."""

    def __init__(self, width: int, height: int, title: str) -> None:
        """Open a window that shows the moon until the first picture, and make its context current.

        Raises DisplayError without OpenGL 3.3.
        """
        if "pyglet.gl" in sys.modules and pyglet.options.headless:
            raise DisplayError(
                "This process already draws offscreen, so it can't open a window as well.",
                remedy="Start the program again for the window.",
            )
        self.aspect = width / height
        self.fills_window = False
        """Whether the picture fills a tall window."""
        self.is_closed = False
        self.on_close: Callable[[], None] | None = None
        self.on_focus_lost: Callable[[], None] = lambda: None
        self._pressed_keys: dict[int, str] = {}
        self._pointer = MousePointer((-1.0, -1.0), pressed=False)
        self._listener: WindowListener | None = None
        self._is_focused = False
        self._on_key: Callable[[str, bool], None] = lambda name, pressed: None
        self._on_pointer: Callable[[MousePointer], None] = lambda pointer: None
        self._on_text: Callable[[str], None] = lambda letter: None
        self._left_down = self._right_down = False
        self._right_down_at = (0.0, 0.0)
        try:
            from pyglet import window

            self._key_name = window.key.symbol_string
            self._shift = window.key.MOD_SHIFT
            screen = pyglet.display.get_display().get_default_screen()
            self._window: Any = window.Window(
                *fit_to_screen((width, height), (screen.width, screen.height)),
                caption=title,
                resizable=True,
                config=gl.make_surface_config(double_buffer=True),
                vsync=True,
                visible=False,
            )
            mark = load_mark_picture()
            icon = pyglet.image.ImageData(mark.shape[1], mark.shape[0], "RGBA", mark.tobytes())
            self._window.set_icon(icon)
            gl.get_context()
        except Exception as error:  # pyglet passes on errors of the window system and the driver
            cause = str(error).strip() or type(error).__name__
            raise DisplayError(
                "fault.display.window", version=f"{gl.GL_MAJOR}.{gl.GL_MINOR}", why=cause
            ) from error
        self._window.set_minimum_size(*MIN_SIZE_PX)
        self._window.push_handlers(
            on_key_press=self._handle_key_press,
            on_key_release=self._handle_key_release,
            on_text=self._handle_text,
            on_mouse_motion=lambda x, y, *_: self._report_pointer(x, y),
            on_mouse_drag=lambda x, y, *_: self._report_pointer(x, y),
            on_mouse_press=self._handle_mouse_press,
            on_mouse_release=self._handle_mouse_release,
            on_mouse_scroll=lambda x, y, _, steps: self._report_pointer(x, y, steps),
            on_close=self._handle_close,
            on_deactivate=self._handle_focus_loss,
        )
        self._window.push_handlers(
            on_activate=lambda: self._report_focus(True),
            on_deactivate=lambda: self._report_focus(False),
            on_move=lambda *_: self._report_bounds(),
            on_resize=lambda *_: self._report_bounds(),
        )
        self._window.set_visible(True)
        self._show_moon()

    def set_handlers(
        self,
        on_key: Callable[[str, bool], None],
        on_pointer: Callable[[MousePointer], None],
        on_text: Callable[[str], None] = lambda letter: None,
        listener: WindowListener | None = None,
    ) -> None:
        """Set the handlers that ``poll`` calls for keys, pointer, letters, bounds and focus.

        ``on_key`` gets a name such as "space", "a" or "backtab" (Shift and Tab), and whether the key went down;
        ``on_text`` gets typed letters with their accents.
        """
        self._on_key, self._on_pointer, self._on_text = on_key, on_pointer, on_text
        self._listener = listener
        self._report_bounds()
        self._report_focus(self._is_focused)

    def fit_picture(self, width: int, height: int) -> None:
        """Resize the window if pictures of this size (pixels) have a different aspect ratio."""
        if width / height != self.aspect:
            self.aspect = width / height
            screen = self._window.screen
            self._window.set_size(*fit_to_screen(_enlarge(width, height), (screen.width, screen.height)))

    def _show_moon(self) -> None:
        """Show the moon in a night sky, because drawing the first page takes a second or more."""
        self.begin_frame()
        gl.get_context().screen.clear(*NIGHT[:3])
        width, height = self.size
        size = min(width, height) // 2
        moon = cv2.resize(load_moon_picture(), (size, size), interpolation=cv2.INTER_AREA) / 255.0
        blended = np.full((size, size, 4), (*NIGHT[:3], 1.0))
        blended[..., :3] += moon[..., 3:] * (moon[..., :3] - NIGHT[:3])
        shown = gl.make_texture(size, size, 4, np.rint(255.0 * blended))
        place = ((width - size) // 2, (height - size) // 2)
        gl.copy_colour(gl.make_target(colour=shown), gl.get_bound_target(), *place, upside_down=True)
        self.end_frame()

    def make_current(self) -> None:
        self._window.switch_to()

    def poll(self) -> None:
        self._window.switch_to()
        self._window.dispatch_events()
        if hasattr(self._window, "_x_display"):
            _answer_clipboard_requests(self._window)

    def begin_frame(self) -> Rect:
        """Clear the window and return the picture's rectangle in framebuffer pixels."""
        self._window.switch_to()
        screen = gl.get_context().screen
        screen.use()
        screen.clear(alpha=1.0)
        return self.picture_rect

    @property
    def picture_rect(self) -> Rect:
        """The picture's (x, y, width, height) in framebuffer pixels from the lower left corner."""
        return letterbox(self.size, self.aspect, fills=self.fills_window)

    @property
    def size(self) -> tuple[int, int]:
        width, height = self._window.get_framebuffer_size()
        return int(width), int(height)

    def end_frame(self) -> None:
        self._window.flip()

    def toggle_full_screen(self) -> None:
        """Switch between the window and full screen on the monitor that shows most of the window."""
        full = not self._window.fullscreen
        self._window.set_fullscreen(full, screen=self._find_monitor() if full else None)

    def _find_monitor(self) -> Any:
        left, top = self._window.get_location()
        width, height = self._window.get_size()

        def count_shown_px(screen: Any) -> int:
            across = min(left + width, screen.x + screen.width) - max(left, screen.x)
            down = min(top + height, screen.y + screen.height) - max(top, screen.y)
            return int(max(0, across) * max(0, down))

        return max(self._window.display.get_screens(), key=count_shown_px)

    @property
    def clipboard_text(self) -> str:
        return str(self._window.get_clipboard_text())

    def copy_text(self, words: str) -> None:
        self._window.set_clipboard_text(words)

    def close(self) -> None:
        self.is_closed = True
        if self._window.context is not None:
            self._window.close()

    def _report_bounds(self) -> None:
        if self._listener is not None:
            left, top = self._window.get_location()
            width, height = self._window.get_size()
            self._listener.set_bounds((left, top, left + width, top + height), (width, height))

    def _report_focus(self, focused: bool) -> None:
        self._is_focused = focused
        if self._listener is not None:
            self._listener.set_focus(focused)

    def _handle_key_press(self, symbol: int, modifiers: int) -> bool:
        name = find_us_key(symbol)
        if not name:
            printed = self._key_name(symbol).lower()
            name = self._names_by_printed().get(printed, printed)
        if name == _FULL_SCREEN_KEY:
            self.toggle_full_screen()
        else:
            self._pressed_keys[symbol] = "backtab" if name == "tab" and modifiers & self._shift else name
            self._on_key(self._pressed_keys[symbol], True)
        return True  # handled: pyglet would close the window on Escape

    @property
    def printed_names(self) -> dict[str, str]:
        return {name: printed for printed, name in self._names_by_printed().items() if name.isalpha()}

    def _names_by_printed(self) -> dict[str, str]:
        display = getattr(self._window, "_x_display", None)
        if display is None:
            return {}
        from pyglet.libs.x11 import xlib

        return map_names_by_position(
            {code: self._key_name(xlib.XKeycodeToKeysym(display, code, 0)) for code in _X11_KEYS}
        )

    def _handle_key_release(self, symbol: int, modifiers: int) -> None:
        name = self._pressed_keys.pop(symbol, "")
        if name:
            self._on_key(name, False)

    def _handle_focus_loss(self) -> None:
        # Another window gets the release events.
        for symbol in tuple(self._pressed_keys):
            self._handle_key_release(symbol, 0)
        if self._left_down or self._right_down:
            self._left_down = self._right_down = False
            self._on_pointer(replace(self._pointer, pressed=False, turning=False, wheel=0.0, lost=True))
        self.on_focus_lost()

    def _handle_text(self, letters: str) -> None:
        for letter in letters:
            if letter.isprintable() or letter in JOINERS:
                self._on_text(letter)

    def _handle_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        self._left_down = self._left_down or button == 1
        if button == _RIGHT_BUTTON:
            self._right_down, self._right_down_at = True, (x, y)
        self._report_pointer(x, y)

    def _handle_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        self._left_down = self._left_down and button != 1
        was_right_down, self._right_down = self._right_down, self._right_down and button != _RIGHT_BUTTON
        self._report_pointer(x, y)
        if was_right_down and not self._right_down and (x, y) != self._right_down_at:
            # After a drag that rotated a ladder, put the pointer back.
            self._window.set_mouse_position(*map(int, self._right_down_at))

    def _report_pointer(self, x: float, y: float, wheel: float = 0.0) -> None:
        left, low, width, height = letterbox(self._window.get_size(), self.aspect, fills=self.fills_window)
        place = ((x - left) / width, 1.0 - (y - low) / height)
        whole_width, whole_height = self._window.get_size()
        over = (x / max(1, whole_width), 1.0 - y / max(1, whole_height))
        self._pointer = MousePointer(place, self._left_down, wheel, over, self._right_down)
        self._on_pointer(self._pointer)

    def _handle_close(self) -> bool:
        if self.on_close is None:
            self.is_closed = True
        else:
            self.on_close()
        return True  # handled: the app ends the game and then calls close()
