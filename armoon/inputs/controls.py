"""Keys, mouse and gamepad at the table: commands and grips, collected between two frames of the loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from armoon.games.contract import Game
from armoon.inputs.grips import KeyGrip, MouseGrip
from armoon.options.parts import OptionPart
from armoon.values import acts
from armoon.values.acts import Act
from armoon.values.choices import Way
from armoon.values.pieces import Command, GripIntent
from armoon.values.poses import Pose, Vec3

if TYPE_CHECKING:
    from armoon.camera.profiles import CameraSeat
    from armoon.camera.sources import Image
    from armoon.view.window import MousePointer


class InputDevice(Protocol):
    def poll(self) -> None:
        """Handle the input since the last frame, without blocking."""

    def close(self) -> None: ...


class GripDevice(ABC):
    """A source of grips that, while it is in use, takes precedence over mouse, keys and gamepad."""

    way: ClassVar[Way | None] = None
    """The only way of playing in which it works; None: it works in all ways."""
    is_disabled = False
    """Whether the current player's way of playing doesn't use the device."""
    is_closed = False
    """Whether its grip is closed."""

    @abstractmethod
    def is_in_use(self, time_s: float) -> bool: ...

    @abstractmethod
    def collect_grips(
        self, time_s: float, offered: Vec3 | None = None, *, holding: bool | None = None
    ) -> tuple[GripIntent, ...]:
        """Return the grips since the last call, edges first; none while it isn't in use.

        ``offered``: position of the object to take, table frame. ``holding``: whether the game holds something (None:
        unknown); a grip that took nothing opens again.
        """

    def toggle(self, time_s: float) -> None:
        """Close or open the grip, for a key, a switch or a voice command."""
        return

    def set_camera_pose(self, table_from_camera: Pose) -> None:
        return

    def add_picture(self, image: Image, time_s: float) -> None:
        """Process a picture (h, w, 3), BGR, taken at ``time_s``."""
        return

    def describe_status(self, now_s: float) -> str:
        """Return a text about the device for the bottom of the screen, or ""."""
        return ""

    def describe_keys(self, *, holding: bool) -> str:
        """Return the help to show instead of the keyboard's, or "" to keep the keyboard's."""
        return ""

    def close(self) -> None:
        return


class DevicePart(OptionPart):
    """Options of one device."""

    def open_device(
        self, act: Callable[[Act, bool], None], notify: Callable[[str], None]
    ) -> InputDevice | None:
        """Open a device that sends acts, if these options ask for one. Raises ArmoonError.

        The device may call ``act`` (an act, and whether it is pressed) and ``notify`` (a sentence) from any thread.
        """
        return None

    def open_grip(self, seat: CameraSeat) -> GripDevice | None:
        """Open a device that grips in a game at this seat, if these options ask for one. Raises ArmoonError."""
        return None


#: Deflections of a stick, 0 to 1: pushed above the first, released up to the second.
PUSH_AT, RELEASE_AT = 0.6, 0.3
PAD_TRIGGERS = ("lefttrigger", "righttrigger")


class Controls:
    """Turns the input of keys, mouse, gamepad and other devices into commands and grips."""

    def __init__(
        self,
        mouse: MouseGrip | None = None,
        key_grip: KeyGrip | None = None,
        devices: Sequence[GripDevice] = (),
    ) -> None:
        """``devices``: devices that take precedence over mouse and keys, in order of precedence."""
        self.mouse = mouse
        self.key_grip = key_grip
        self.devices = devices
        self._now_s = 0.0
        self._commands: list[Command] = []
        self._is_mouse_pressed = False
        self._pushed: set[str] = set()
        self._is_shift_held = False
        self._is_press_for_roll = False
        """Whether the mouse button was pressed to roll the die; it then grips nothing until it is released."""
        self._is_fine = False
        self.paused = False
        self._is_awaiting_roll = True
        self._game: Game[Any] | None = None
        self.should_leave = False

    @property
    def is_holding(self) -> bool:
        return any(grip is not None and grip.is_closed for grip in (self.mouse, self.key_grip))

    def handle_key(self, name: str, pressed: bool, keys: acts.Layout = acts.KEYS) -> None:
        self.handle_act(acts.find_act_by_key(name, keys), pressed)

    def handle_act(self, act: Act | None, pressed: bool) -> None:
        """Handle the press or release of an act's key or button."""
        if act is None:
            return
        if act in (Act.FINE, Act.FINE_HELD):
            self._set_fine(act, pressed)
        if act in (Act.TAKE, Act.LET_GO) and (device := self._used_device) is not None:
            if pressed and (act is Act.TAKE or device.is_closed):
                device.toggle(self._now_s)
            return
        is_grip = act is Act.TAKE or act in acts.MOVES or act in acts.TILTS
        if is_grip and self.mouse is not None and self.mouse.handle_act(act, pressed):
            return
        if not pressed:
            if is_grip:
                self._handle_key_grip_act(act, pressed)
        elif self._game is not None and (game_commands := self._game.handle_act(act)):
            self._commands += game_commands
        elif act is Act.PAUSE:
            self.paused = not self.paused
        elif act is Act.MENU:
            self.should_leave = True
        elif not (is_grip and self._handle_key_grip_act(act, pressed)) and act.command is not None:
            kind, value = act.command
            value = -1 if kind is Act.TIP and self._is_shift_held else value
            if kind is not Act.TILT or self._has_feature(acts.Feature.ATTITUDE):
                self._commands.append(Command(kind, value=value))

    def handle_pad_button(self, name: str, pressed: bool, buttons: acts.Layout = acts.PAD) -> None:
        """Handle a gamepad's button; for players who hold to grip, a trigger closes the grip while it is held."""
        act = acts.find_act_by_button(name, buttons)
        holds_to_grip = self.mouse is not None and not self.mouse.clicks
        closes_grip = name in PAD_TRIGGERS and act is Act.TAKE
        if closes_grip and holds_to_grip and self.key_grip is not None and not self._has_move_list:
            self.key_grip.set_closed(pressed)
        else:
            self.handle_act(act, pressed)

    def handle_sticks(self, pushed: Mapping[str, float], buttons: acts.Layout = acts.PAD) -> None:
        """Handle a gamepad's sticks (0 to 1 for each direction), which move and rotate a grip or act as buttons."""
        tilts_and_moves: dict[Act, float] = {}
        for name, share in pushed.items():
            act = acts.find_act_by_button(name, buttons)
            if act in acts.MOVES or act in acts.TILTS:
                tilts_and_moves[act] = max(share, tilts_and_moves.get(act, 0.0))
            elif (share > (RELEASE_AT if name in self._pushed else PUSH_AT)) is not (name in self._pushed):
                self._pushed ^= {name}
                self.handle_pad_button(name, name in self._pushed, buttons)
        if self.key_grip is not None and not self._has_move_list:
            self.key_grip.push(tilts_and_moves)

    def handle_pointer(self, pointer: MousePointer) -> None:
        """Handle the mouse's position, buttons and wheel; a press rolls the die when the game awaits a roll."""
        if pointer.pressed and not self._is_mouse_pressed and self._is_awaiting_roll:
            self._commands.append(Command(Act.ROLL, "mouse"))
            self._is_press_for_roll = True
        self._is_mouse_pressed = pointer.pressed
        self._is_press_for_roll = self._is_press_for_roll and pointer.pressed
        wheel = pointer.wheel
        if self._is_shift_held and wheel:
            self._commands.append(Command(Act.TURN, "mouse", round(wheel * acts.TURN_DEG)))
            wheel = 0.0
        elif wheel and not pointer.pressed and self._has_feature(acts.Feature.ATTITUDE) and self._has_offered:
            self._commands.append(Command(Act.TIP, "mouse", 1 if wheel > 0.0 else -1))
            wheel = 0.0
        if self.key_grip is not None:
            self.key_grip.hide()
        if self.mouse is not None:
            if pointer.lost:
                self.mouse.keep_closed()
            pressed = pointer.pressed and not self._is_press_for_roll
            self.mouse.move_pointer(
                pointer.place, pressed, wheel, turning=pointer.turning, about_other_axes=self._is_shift_held
            )

    def set_table_pose(self, table_from_camera: Pose) -> None:
        for grip in (self.mouse, self.key_grip, *self.devices):
            if grip is not None:
                grip.set_camera_pose(table_from_camera)

    def add_command(self, command: Command) -> None:
        self._commands.append(command)

    def drain_commands(self) -> tuple[Command, ...]:
        commands = tuple(self._commands)
        self._commands.clear()
        return commands

    def collect_grips(self, time_s: float, game: Game[Any]) -> tuple[GripIntent, ...]:
        self._game = game
        self._is_awaiting_roll = game.is_awaiting_roll
        offered, holding = game.match.offered_at_home, game.match.holding
        self._now_s = time_s
        for device in () if self.is_holding else self.devices:
            if grips := device.collect_grips(time_s, offered, holding=holding):
                return grips
        grips = () if self.key_grip is None else self.key_grip.collect_grips(time_s, offered, holding=holding)
        if grips or self.mouse is None:
            return grips
        return self.mouse.collect_grips(time_s, offered, holding=holding)

    def _set_fine(self, act: Act, pressed: bool) -> None:
        if act is Act.FINE_HELD:
            self._is_shift_held = pressed
        elif pressed:
            self._is_fine = not self._is_fine
        for grip in (self.mouse, self.key_grip):
            if grip is not None:
                grip.is_fine = self._is_shift_held or self._is_fine

    def _has_feature(self, feature: acts.Feature) -> bool:
        return self._game is not None and feature in self._game.match.has

    @property
    def _has_offered(self) -> bool:
        match = None if self._game is None else self._game.match
        return match is not None and match.offered is not None and not match.holding

    @property
    def _used_device(self) -> GripDevice | None:
        if self.is_holding:
            return None
        return next((device for device in self.devices if device.is_in_use(self._now_s)), None)

    def describe_status(self, now_s: float) -> str:
        return next((words for device in self.devices if (words := device.describe_status(now_s))), "")

    def describe_keys(self) -> str:
        """Return the help for the device in use, or "" if none is in use."""
        device, holding = self._used_device, self._game is not None and bool(self._game.match.holding)
        return "" if device is None else device.describe_keys(holding=holding)

    @property
    def _has_move_list(self) -> bool:
        return self._game is not None and acts.Feature.CHOOSE in self._game.match.has

    def _handle_key_grip_act(self, act: Act, pressed: bool) -> bool:
        if self.key_grip is None or self._has_move_list or (self.mouse is not None and self.mouse.is_closed):
            return False
        return self.key_grip.handle_act(act, pressed)
