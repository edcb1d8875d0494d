"""What a device must offer: acts by pedals and words, or grips by an object in a player's hand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Protocol

from armoon.options.parts import OptionPart
from armoon.values.acts import Act
from armoon.values.choices import Way
from armoon.values.pieces import GripIntent
from armoon.values.poses import Pose, Vec3

if TYPE_CHECKING:
    from armoon.camera.profiles import CameraSeat
    from armoon.hands.card_finder import Image
    from armoon.hands.landmarks import Hands

#: Time after a click in which another one is ignored, seconds, because a trembling finger clicks twice.
DEBOUNCE_S = 0.25
#: Time after which a grip that took nothing opens again, seconds.
EMPTY_S = 0.4


class InputDevice(Protocol):
    """An input device."""

    def pump(self) -> None:
        """Pass on the input since the last frame, without blocking."""

    def close(self) -> None:
        """Close the device at the program's end."""


class GripDevice(ABC):
    """A device that grips; while in use it goes before mouse, keys and gamepad."""

    way: ClassVar[Way | None] = None
    """The way of playing that allows it; None: it is always allowed."""
    rests = False
    """Whether the player on turn plays in another way, so that the device has no effect."""

    @property
    @abstractmethod
    def is_closed(self) -> bool: ...

    @abstractmethod
    def is_in_use(self, time_s: float) -> bool: ...

    @abstractmethod
    def collect_grips(
        self, time_s: float, offered: Vec3 | None = None, *, holding: bool | None = None
    ) -> tuple[GripIntent, ...]:
        """Return the grips since the last call, edges first; none while it isn't in use.

        ``offered``: position of the object to take. ``holding``: whether the game holds something, so that a grip that
        took nothing opens again; None: unknown.
        """

    def toggle(self, time_s: float) -> None:
        """Close or open the grip by a key, a switch or a word."""
        return

    def set_camera_pose(self, table_from_camera: Pose) -> None:
        return

    def add_picture(self, image: Image, time_s: float, hands: Hands | None = None) -> None:
        """Look at a picture (h, w, 3), BGR, taken at ``time_s``; ``hands``: the tracked hands, if known."""
        return

    def describe_status(self, now_s: float) -> str:
        """Return a text about the device for the lower edge; empty: none."""
        return ""

    def describe_keys(self, *, holding: bool) -> str:
        """Return the text about its use, instead of the keys'; empty: the keys'."""
        return ""

    def close(self) -> None:
        """Close the device at the game's end."""
        return


class DevicePart(OptionPart):
    """The options of one device, from which it is made."""

    def open_device(self, act: Callable[[Act, bool], None], say: Callable[[str], None]) -> InputDevice | None:
        """Open a device that asks for acts, if it is configured. Raises ArmoonError.

        ``act`` gets acts and presses, ``say`` sentences from any thread.
        """
        return None

    def open_grip(self, seat: CameraSeat) -> GripDevice | None:
        """Open a device that grips for a game at this seat, if it is configured. Raises ArmoonError."""
        return None
