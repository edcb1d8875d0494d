"""The one place where a program is put together: terminal, pictures, sound, and the sinks and devices that parts bring.

Evening, one game, replay and film are configurations of it: each brings a source, a director and a clock.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TypeVar

from rich.console import Console

from armoon.app.pictures import Pictures
from armoon.errors import ArmoonError
from armoon.inputs.part import Asking, Device, DevicePart
from armoon.messages import text
from armoon.processes.memory import keep_little
from armoon.settings.options import PlayOptions
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import Opened, Sink, SinkPart
from armoon.sinks.sound import SoundSink
from armoon.sinks.terminal import TerminalSink
from armoon.sound.player import Player
from armoon.values.acts import Act

Attached = TypeVar("Attached", bound=Device)


class Program:
    """A running program's sinks and devices."""

    def __init__(
        self,
        options: PlayOptions,
        console: Console,
        stack: ExitStack,
        *,
        lock_step: bool = False,
        quiet: bool = False,
    ) -> None:
        """``stack`` closes the sinks.

        ``lock_step``: there is no clock to keep, so slow sinks are waited for. ``quiet``: the terminal says what
        is wrong with a sink, and nothing of the game.
        """
        keep_little()
        self.options, self.console, self.stack = options, console, stack
        self.sinks = Sinks(lock_step=lock_step)
        stack.callback(self.sinks.close)
        self.sinks.add(TerminalSink(console, quiet=quiet))
        self._devices: list[Device] = []

    @property
    def draws(self) -> bool:
        """Whether pictures are drawn: for a window, or for a sink."""
        return not self.options.headless or any(one.draws for one in self._parts)

    def open_sinks(
        self, pictures: Pictures | None, player: Player | None, rate_hz: float, *more: Sink
    ) -> None:
        """Add every sink that is wanted; to be called before a game begins, so that all of them see it whole.

        ``rate_hz`` is that of the source's pictures. Raises ArmoonError for what can't be opened.
        """
        own = () if pictures is None else (pictures,)
        heard = () if player is None else (SoundSink(player),)
        self.sinks.add(*own, *heard)
        for part in self._parts:
            if part.draws and pictures is None:
                why = text("sink.no_pictures", option=part.spelling)
                raise ArmoonError(why, remedy=text("sink.no_pictures_remedy"))
        opened = Opened(rate_hz, self.console.print, pictures)
        made = (part.sink(opened) for part in self._parts)
        self.sinks.add(*(sink for sink in made if sink is not None), *more)

    def open_devices(self, act: Callable[[Act, bool], None]) -> None:
        """Open every device that a part brings and somebody wants; ``act`` hears what they ask for."""
        asking = Asking(act, self.console.print)
        for part in self.options.parts:
            device = part.device(asking) if isinstance(part, DevicePart) else None
            if device is not None:
                self.attach(device)

    def attach(self, device: Attached) -> Attached:
        """Return the device, which is pumped once a frame from now on, and closed at the program's end."""
        self.stack.callback(device.close)
        self._devices.append(device)
        return device

    def pump(self) -> None:
        """Let the devices hand on what came in; once a frame."""
        for device in self._devices:
            device.pump()

    @property
    def _parts(self) -> tuple[SinkPart, ...]:
        return tuple(part for part in self.options.parts if isinstance(part, SinkPart))
