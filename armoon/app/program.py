"""A program (menus, one game, replay or film): terminal, pictures, sound, sinks and devices of parts, and the loop."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Protocol, TypeVar

from rich.console import Console

from armoon.app.frames import FrameInput, Source
from armoon.app.pictures import Pictures
from armoon.app.stopping import is_stop_asked, stopping_in_order
from armoon.clock import Clock
from armoon.errors import ArmoonError
from armoon.inputs.controls import DevicePart, InputDevice
from armoon.messages import text
from armoon.processes.system import limit_heap
from armoon.settings.preferences import PlayOptions
from armoon.sinks.feed import TerminalSink
from armoon.sinks.film import FilmSink
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import Moment, Sink, SinkPart
from armoon.sinks.sound import SoundSink
from armoon.sound.player import Player
from armoon.values.acts import Act

Attached = TypeVar("Attached", bound=InputDevice)


class Program:
    """Sinks and devices of a running program."""

    def __init__(
        self,
        options: PlayOptions,
        console: Console,
        stack: ExitStack,
        *,
        lock_step: bool = False,
        quiet: bool = False,
    ) -> None:
        """``stack`` closes the sinks. ``lock_step``: wait for slow sinks. ``quiet``: print only faults of sinks."""
        limit_heap()
        self.options, self.console, self.stack = options, console, stack
        self.sinks = Sinks(lock_step=lock_step)
        stack.callback(self.sinks.close)
        self.sinks.add(TerminalSink(console, quiet=quiet))
        self._devices: list[InputDevice] = []

    @property
    def needs_pictures(self) -> bool:
        return not self.options.headless or any(part.draws for part in self._parts)

    def open_sinks(
        self, pictures: Pictures | None, player: Player | None, rate_hz: float, *more: Sink
    ) -> None:
        """Add all requested sinks before a game starts; ``rate_hz``: of the source's pictures. Raises ArmoonError."""
        pictures_sinks = () if pictures is None else (pictures,)
        audio = () if player is None else (SoundSink(player),)
        self.sinks.add(*pictures_sinks, *audio)
        for part in self._parts:
            if part.draws and pictures is None:
                reason = text("sink.no_pictures", option=part.spelling)
                raise ArmoonError(reason, remedy=text("sink.no_pictures_remedy"))
        part_sinks = [part.sink(rate_hz, self.console.print, pictures) for part in self._parts]
        for sink in part_sinks:
            if isinstance(sink, FilmSink):
                sink.has_night = self.options.ambience
        self.sinks.add(*(sink for sink in part_sinks if sink is not None), *more)

    def open_devices(self, act: Callable[[Act, bool], None]) -> None:
        """Open the requested devices of parts; ``act`` receives their acts."""
        for part in self.options.parts:
            device = part.open_device(act, self.console.print) if isinstance(part, DevicePart) else None
            if device is not None:
                self.attach(device)

    def attach(self, device: Attached) -> Attached:
        """Poll the device once per frame, and close it at the program's end; return it."""
        self.stack.callback(device.close)
        self._devices.append(device)
        return device

    def poll(self) -> None:
        for device in self._devices:
            device.poll()

    @property
    def _parts(self) -> tuple[SinkPart, ...]:
        return tuple(part for part in self.options.parts if isinstance(part, SinkPart))


#: Time for which a sentence about a sink stays on the screen, in seconds.
NOTICE_S = 8.0


class Director(Protocol):
    """Chooses source and game, and composes moments."""

    @property
    def source(self) -> Source:
        """Current source of frames."""

    @property
    def is_done(self) -> bool:
        """Whether the director has ended."""

    def play_frame(self, frame_input: FrameInput, now_s: float, notice: str) -> Moment:
        """Play the due ticks with this input; ``notice``: a sentence to show."""


class LoopWindow(Protocol):
    """The loop's view of a window."""

    @property
    def is_closed(self) -> bool:
        """Whether the player has closed it."""

    def poll(self) -> None:
        """Dispatch waiting keys and mouse moves."""


class Loop:
    """Runs until the director, the source or the player ends it."""

    def __init__(
        self, director: Director, sinks: Sinks, clock: Clock, screen: LoopWindow | None = None
    ) -> None:
        """``clock``: the source's; ``screen``: None without a window."""
        self._director = director
        self._sinks = sinks
        self._clock = clock
        self._screen = screen
        self._notice, self._notice_ends_s = "", 0.0

    def run(self) -> None:
        """Play until the end or a signal. Raises the source's errors and WindowLostError."""
        with stopping_in_order():
            while not (is_stop_asked() or self._director.is_done) and self.run_frame():
                pass

    def run_frame(self) -> bool:
        """Run one frame; return False if the source or the window has ended."""
        if self._screen is not None:
            self._screen.poll()
            if self._screen.is_closed:
                return False
        source = self._director.source
        frame_input = source.read_input()
        if frame_input.ended:
            return False
        now_s = self._clock.now_s()
        notices = self._sinks.drain_notices()
        if notices:
            self._notice, self._notice_ends_s = notices[-1], now_s + NOTICE_S
        notice = self._notice if now_s < self._notice_ends_s else ""
        moment = self._director.play_frame(frame_input, now_s, notice)
        shown = frame_input.shown or (source.steady and self._screen is not None)
        self._sinks.distribute(replace(moment, shown=shown, sentences=(*moment.sentences, *notices)))
        return True
