"""Keys and mouse at the table: what they ask for, collected between two turns of the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from armoon.games.kind import Game
from armoon.inputs.mouse import MouseGrip
from armoon.values.intents import Command, CommandKind, GripIntent
from armoon.values.poses import Pose

if TYPE_CHECKING:
    from armoon.view.window import Pointer

#: What a key asks for; turning keys belong to the mouse's grip while its button is down.
KEYS = {
    "space": CommandKind.ROLL,
    "g": CommandKind.GIVE_UP_LADDER,
    "b": CommandKind.PUT_BACK,
    "c": CommandKind.CLUTCH,
    "t": CommandKind.SCORE,
    "u": CommandKind.PUT_TURN_BACK,
    "home": CommandKind.TURN_HOME,
}
#: The table turns by so much at a press, or a click of the wheel while a shift key is down: degrees.
TURN_DEG = 15
TURNS = {"comma": TURN_DEG, "period": -TURN_DEG}
_SHIFTS = ("lshift", "rshift")


class Controls:
    """Keys and mouse as commands and grips."""

    def __init__(self, mouse: MouseGrip | None = None) -> None:
        self.mouse = mouse
        self._commands: list[Command] = []
        self._pressed = False
        self._shifted = False
        self._paused = False
        self._asks_for_roll = True
        self._game: Game[Any] | None = None
        self.leave = False

    @property
    def paused(self) -> bool:
        """The player asked for a pause."""
        return self._paused

    def key(self, name: str, pressed: bool) -> None:
        """A key went down or up."""
        if name in _SHIFTS:
            self._shifted = pressed
        if not pressed or (self.mouse is not None and self.mouse.key(name)):
            return
        own = () if self._game is None else self._game.key(name)
        if own:
            self._commands += own
        elif name in TURNS:
            self._commands.append(Command(CommandKind.TURN, value=TURNS[name]))
        elif name in KEYS:
            self._commands.append(Command(KEYS[name]))
        elif name == "p":
            self._paused = not self._paused
        elif name == "escape":
            self.leave = True

    def pointer(self, pointer: Pointer) -> None:
        """The mouse moved, or its button or wheel did: a click rolls, a held button grips."""
        if pointer.pressed and not self._pressed and self._asks_for_roll:
            self._commands.append(Command(CommandKind.ROLL, "mouse"))
        self._pressed = pointer.pressed
        wheel = pointer.wheel
        if self._shifted and wheel:
            self._commands.append(Command(CommandKind.TURN, "mouse", round(wheel * TURN_DEG)))
            wheel = 0.0
        if self.mouse is not None:
            self.mouse.move(pointer.place, pointer.pressed, wheel)

    def see_table(self, table_from_camera: Pose) -> None:
        """The camera, or the table, was moved."""
        if self.mouse is not None:
            self.mouse.see_camera(table_from_camera)

    def ask(self, command: Command) -> None:
        """A button on the screen asks for something."""
        self._commands.append(command)

    def take(self) -> tuple[Command, ...]:
        """The wishes that came in since the last call."""
        commands = tuple(self._commands)
        self._commands.clear()
        return commands

    def grips(self, time_s: float, game: Game[Any]) -> tuple[GripIntent, ...]:
        """The mouse's grips since the last call."""
        self._game = game
        self._asks_for_roll = game.asks_for_roll
        return () if self.mouse is None else self.mouse.take(time_s, game.offered)
