"""Opens the sinks and devices of a program (menus, one game, a replay or a film), and runs the frame loop."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console

from armoon.app.frames import FrameInput, Source
from armoon.app.pictures import Pictures
from armoon.app.stopping import deferring_stop, is_stop_requested
from armoon.clock import Clock
from armoon.errors import ArmoonError
from armoon.inputs.controls import DevicePart, InputDevice
from armoon.messages import text
from armoon.processes.system import limit_heap
from armoon.settings.preferences import PlayOptions
from armoon.sinks.feed import TerminalSink
from armoon.sinks.film import FilmSink
from armoon.sinks.hub import Sinks
from armoon.sinks.sink import LazyValue, Moment, Sink, SinkPart
from armoon.sinks.sound import SoundSink
from armoon.sound.player import Player
from armoon.values.acts import Act

if TYPE_CHECKING:  # filming a log needs none of these
    from armoon.app.camera import TableWatch
    from armoon.app.party import PartyHost
    from armoon.app.speech import AudioAids
    from armoon.app.table import Table
    from armoon.engine.events import Output
    from armoon.view.window import GameWindow

DeviceT = TypeVar("DeviceT", bound=InputDevice)


class Program:
    """The sinks and devices of a running program."""

    def __init__(
        self,
        options: PlayOptions,
        console: Console,
        stack: ExitStack,
        *,
        lock_step: bool = False,
        quiet: bool = False,
    ) -> None:
        """``stack`` closes the sinks; ``lock_step``: wait for slow sinks; ``quiet``: print only the faults of sinks."""
        limit_heap()
        self.options, self.console, self.stack = options, console, stack
        self.sinks = Sinks(lock_step=lock_step)
        stack.callback(self.sinks.close)
        self.sinks.add(TerminalSink(console, quiet=quiet))
        self._devices: list[InputDevice] = []

    @property
    def needs_pictures(self) -> bool:
        return not self.options.headless or any(part.needs_pictures for part in self._parts)

    def open_sinks(
        self, pictures: Pictures | None, player: Player | None, rate_hz: float, *extra_sinks: Sink
    ) -> None:
        """Add all requested sinks; ``rate_hz``: the source's frame rate. Raises ArmoonError."""
        picture_sinks = () if pictures is None else (pictures,)
        audio = () if player is None else (SoundSink(player),)
        self.sinks.add(*picture_sinks, *audio)
        for part in self._parts:
            if part.needs_pictures and pictures is None:
                raise ArmoonError("sink.no_pictures", option=part.spelling)
        part_sinks = [part.create_sink(rate_hz, self.console.print, pictures) for part in self._parts]
        for sink in part_sinks:
            if isinstance(sink, FilmSink):
                sink.has_ambience = self.options.ambience
        self.sinks.add(*(sink for sink in part_sinks if sink is not None), *extra_sinks)

    def open_devices(self, on_act: Callable[[Act, bool], None]) -> None:
        """Open the devices that the options request; ``on_act`` is called with each of their acts."""
        for part in self.options.parts:
            device = part.open_device(on_act, self.console.print) if isinstance(part, DevicePart) else None
            if device is not None:
                self.attach(device)

    def attach(self, device: DeviceT) -> DeviceT:
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


#: Time for which a message about a sink stays on the screen, in seconds.
NOTICE_S = 8.0


class Loop:
    """Plays one game frame by frame until the game or its source ends; ``Session`` adds pages and further games."""

    watch: TableWatch | None = None
    pictures: Pictures | None = None
    party: PartyHost | None = None
    audio_aids: AudioAids | None = None

    def __init__(
        self,
        sinks: Sinks,
        clock: Clock,
        window: GameWindow | None = None,
        source: Source | None = None,
        table: Table | None = None,
    ) -> None:
        """``clock``: the source's clock."""
        self._sinks, self._clock, self._window, self._source = sinks, clock, window, source
        self.table = table
        self.poll: Callable[[], None] = lambda: None
        """Polls the devices."""
        self._notice, self._notice_ends_s = "", 0.0

    @property
    def source(self) -> Source:
        """The current source of frames."""
        assert self._source is not None
        return self._source

    @property
    def is_done(self) -> bool:
        table = self.table
        return table is None or table.controls.should_leave or (table.is_over and not self.source.is_log)

    def run(self) -> None:
        """Play until the end or a signal. Raises the source's errors and WindowLostError."""
        with deferring_stop():
            while not (is_stop_requested() or self.is_done) and self.run_frame():
                pass

    def run_frame(self) -> bool:
        """Run one frame; return False if the source or the window has ended."""
        if self._window is not None:
            self._window.poll()
            if self._window.is_closed:
                return False
        source = self.source
        frame_input = self.read_input(source)
        if frame_input.ended:
            return False
        now_s = self._clock.now_s()
        notices = self._sinks.drain_notices()
        if notices:
            self._notice, self._notice_ends_s = notices[-1], now_s + NOTICE_S
        notice = self._notice if now_s < self._notice_ends_s else ""
        moment = self.play_frame(frame_input, now_s, notice)
        shown = frame_input.shown or (source.draws_every_frame and self._window is not None)
        self._sinks.distribute(replace(moment, shown=shown, sentences=(*moment.sentences, *notices)))
        return True

    def read_input(self, source: Source) -> FrameInput:
        return source.read_input()

    def play_frame(self, frame_input: FrameInput, now_s: float, notice: str) -> Moment:
        """Play or pause the game for one frame, and return the moment; ``notice``: a sentence to show."""
        notice = self.begin_frame(frame_input, now_s, notice)
        table, watch, moment, reason = self.table, self.watch, Moment(now_s), None
        if table is not None:
            if self.party is not None:
                self.party.forward_requests(table)
            frame_input, reason = self.prepare_input(table, frame_input)
            new_pose = None if watch is None else watch.pop_new_pose()
            if new_pose is not None and watch is not None and self.pictures is not None:
                self.pictures.renderer.set_table(new_pose, watch.state.camera)
            output = table.advance(frame_input, now_s, reason, new_pose, lead_s=self.source.lead_s)
            self.show_output(table, output, now_s)
            moment = table.make_moment(output, now_s)
        return self.compose(moment, table, notice, reason)

    def begin_frame(self, frame_input: FrameInput, now_s: float, notice: str) -> str:
        """Poll the devices, and follow the real table; return the sentence to show."""
        self.poll()
        if self.watch is not None:
            self.watch.add_frame(frame_input)
        return notice

    def prepare_input(self, table: Table, frame_input: FrameInput) -> tuple[FrameInput, str | None]:
        """Return the game's input, and the message key of its pause, if any."""
        watch_key = None if self.watch is None else self.watch.pause_key
        return frame_input, table.find_pause_reason(frame_input.pause_key) or watch_key

    def show_output(self, table: Table, output: Output, now_s: float) -> None:
        """Show a frame's result on the pages, if there are any."""

    def compose(self, moment: Moment, table: Table | None, notice: str, reason: str | None) -> Moment:
        """Return the moment with scene, camera picture and captions; ``reason``: message key of the pause, if any."""
        if table is None:
            return moment
        scene = LazyValue(partial(table.compose_scene, notice if reason is None else text(reason)))
        moment = replace(moment, scene=scene, image=self.source.image)
        return moment if self.audio_aids is None else self.audio_aids.add_aids(moment, scene)
