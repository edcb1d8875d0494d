"""Measure a player's hand for ten seconds, with reports in the terminal."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from rich.console import Console
from rich.progress import Progress

from armoon.app.camera import OpenedCamera, TableWatch, open_camera, start_camera
from armoon.app.frames import LiveSource
from armoon.clock import WallClock
from armoon.errors import TrackerError
from armoon.hands.hand_size import HandSizeMeter, SizeTrouble, find_card
from armoon.messages import centimetres, text
from armoon.saves.profiles import change_profile
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.feed import sentences_console

#: Time limit of a measurement, in seconds.
MEASURE_S = 10.0


def measure_hand(options: PlayOptions, player: str, *, card: bool) -> int:
    """Measure the hand and save its size in the profile. Raises TrackerError with too few good frames."""
    console = sentences_console()
    with ExitStack() as stack:
        opened = open_camera(options)
        unstarted = stack.enter_context(ExitStack())
        unstarted.callback(opened.source.close)
        console.print(text("hand_size.card" if card else "hand_size.table"))
        unstarted.pop_all()
        feed = start_camera(options, opened.source, stack, WallClock())
        result = _measure(opened, feed, stack, card, console)
    if isinstance(result, SizeTrouble):
        raise TrackerError(text(f"hand_size.trouble.{result.value}"), remedy=text("hand_size.again"))
    measured_m, sigma_m = result
    palm_length_m = round(measured_m, 4)
    trouble = change_profile(
        games_folder(), player, lambda profile: replace(profile, palm_length_m=palm_length_m)
    )
    if trouble:
        console.print(trouble)
    console.print(
        text("hand_size.result", player=player, length=centimetres(measured_m), sigma=centimetres(sigma_m))
    )
    return 0


def _measure(
    opened: OpenedCamera, feed: LiveSource, stack: ExitStack, card: bool, console: Console
) -> tuple[float, float] | SizeTrouble:
    seat = opened.seat_for("table")
    watch = TableWatch(opened, seat)
    stack.callback(watch.close)
    meter = HandSizeMeter(seat.camera, seat.table_from_camera)
    clock = WallClock()
    deadline_s = clock.now_s() + MEASURE_S
    with Progress(transient=True, console=console) as bar:
        task = bar.add_task("", total=1.0)
        while clock.now_s() < deadline_s and not meter.is_done:
            frame_input = feed.read_input()
            if frame_input.ended:
                break
            tracked = frame_input.result
            if tracked is None:
                continue
            if not card:
                watch.add_frame(frame_input)
            change = watch.pop_change()
            if change is not None:
                meter = HandSizeMeter(watch.state.camera, change)
            if card:
                trouble = meter.add_frame_with_card(
                    tracked.hands, find_card(seat.camera, tracked.frame.image)
                )
            else:
                trouble = meter.add_frame_on_table(tracked.hands)
            hint = "" if trouble is None else text(f"hand_size.trouble.{trouble.value}")
            bar.update(task, completed=meter.progress, description=hint)
    return meter.result()
