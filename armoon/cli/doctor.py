"""``armoon doctor``: checks each component that a game needs, and suggests a remedy for each fault."""

from __future__ import annotations

import enum
import json
import platform
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from armoon.cli.commands import command, flag
from armoon.cli.common import print_table
from armoon.clock import TICK_S, Clock, WallClock
from armoon.errors import ArmoonError, CameraError
from armoon.messages import catalogue, number, text
from armoon.processes.system import SYSTEMS, get_system
from armoon.settings.files import games_folder, has_display, load_settings, settings_path
from armoon.settings.preferences import Settings
from armoon.values.choices import Language, TrackerName
from armoon.values.text import parse_count

if TYPE_CHECKING:
    from armoon.view.scene.tiers import TierController


class Status(enum.Enum):
    OK = "ok"
    WARN = "warn"
    """Playable, but something is slow or untested."""
    MISSING = "missing"
    """Missing, but not necessary for a game."""
    FAIL = "fail"
    """A game isn't possible until it is fixed."""


@dataclass(frozen=True)
class CheckResult:
    name: str
    level: Status
    found: str
    remedy: str = ""


#: The checks that each ability needs; the remedy of the first failed check is shown.
_NEEDS: dict[str, tuple[str, ...]] = {
    "by_hand": ("camera", "model", "GL", "physics"),
    "over_picture": ("display", "camera", "GL", "physics"),
    "without_camera": ("display", "GL", "physics"),
    "watch": ("display", "GL", "physics", "model"),
    "film": ("GL", "physics", "model", "disk"),
    "hear": ("sound",),
}


def is_playable(results: Sequence[CheckResult]) -> bool:
    return all(result.level is not Status.FAIL for result in results)


def list_abilities(results: Sequence[CheckResult]) -> tuple[dict[str, Any], ...]:
    """Return the English name, ``works`` and ``remedy`` of each ability; ignore checks that weren't run."""
    usable = (Status.OK, Status.WARN)
    obstacles = {result.name: result.remedy for result in results if result.level not in usable}
    abilities = []
    for ability, needs in _NEEDS.items():
        missing = [need for need in needs if need in obstacles]
        remedy = obstacles[missing[0]] if missing else ""
        name = catalogue(Language.EN)[f"doctor.ability.{ability}"]
        abilities.append({"name": name, "works": not missing, "remedy": remedy})
    return tuple(abilities)


#: CPython versions for which mediapipe 0.10.21 and numpy 1 have packages.
PYTHONS = ((3, 10), (3, 11), (3, 12))
#: CPython version on which only the LiteRT tracker works, with numpy 2.
LITERT_ONLY = (3, 13)
#: Minimum version of the C library that mediapipe needs.
MIN_GLIBC = (2, 28)


def judge_host(release: str, python_folder: str, verdict: tuple[Status, str, str]) -> tuple[Status, str, str]:
    """Return this verdict, or a warning about WSL or the Microsoft Store; ``release``: ``platform.release()``."""
    kinds = {"wsl": "microsoft" in release.lower(), "store": "windowsapps" in python_folder.lower()}
    kind = next((kind for kind, matches in kinds.items() if matches), "")
    if verdict[0] is Status.FAIL or not kind:
        return verdict
    remedy = text(f"doctor.system.{kind}_remedy", start=SYSTEMS["win32"].start)
    return Status.WARN, text(f"doctor.system.{kind}", found=verdict[1]), remedy


def judge_system(
    system: str, machine: str, python: tuple[int, int], glibc: tuple[int, ...]
) -> tuple[Status, str, str]:
    """Return status, finding and remedy; ``system`` and ``machine``: values of the module ``platform``."""
    is_intel = machine.lower() in ("x86_64", "amd64")
    faults = {
        "linux_arm": system == "Linux" and not is_intel,
        "windows_arm": system == "Windows" and not is_intel,
        "litert_alone": python == LITERT_ONLY,
        "python": python not in PYTHONS,
        "mac_intel": system == "Darwin" and is_intel,
        "untried": system != "Linux",
        "glibc": glibc < MIN_GLIBC,
    }
    fault = next((fault for fault, applies in faults.items() if applies), "ready")
    start = SYSTEMS["win32" if system == "Windows" else "linux"].start
    fields = {"system": system, "machine": machine, "version": ".".join(map(str, python)), "start": start}
    finding = text("doctor.system.found", **fields, verdict=text(f"doctor.system.{fault}"))
    if fault == "ready":
        return Status.OK, finding, ""
    level = Status.FAIL if fault == "linux_arm" else Status.WARN
    return level, finding, text(f"doctor.system.{fault}_remedy", **fields)


def _get_glibc_version() -> tuple[int, ...]:
    name, version = platform.libc_ver()
    parts = map(parse_count, version.split(".") if name == "glibc" else ())
    return tuple(part for part in parts if part is not None)


#: Sample letters of scripts that are missing from the packaged font.
SCRIPTS = {
    "Arabic": "سلمى",
    "Hebrew": "שרה",
    "Devanagari": "प्रिया",
    "Thai": "สุทธิดา",
    "Chinese": "林",
    "Japanese": "さくら",
}
#: Number of frames before the rate is measured, because webcams start slowly.
CAMERA_WARM_UP_FRAMES = 5
CAMERA_FRAMES = 20
#: Minimum rate for tracking a fast hand; webcams halve their rate in a dim room.
MIN_CAMERA_HZ = 20.0
#: Free space that is ample: a minute of film takes about 30 MB, a game's log about 20 MB.
PLENTY_OF_DISK_BYTES = 1_000_000_000
MIN_DISK_BYTES = 100_000_000
TRACKER_FRAMES = 20
TRACKER_SIZE = (640, 360)
#: Maximum tracking time per frame at 30 and at 15 pictures per second.
GOOD_TRACKER_MS, USABLE_TRACKER_MS = 33.0, 66.0
FALLING_LADDERS = 4
WORLD_TICKS = 120
#: Maximum duration of the physics per tick: half of a tick, because drawing needs the rest.
GOOD_TICK_MS = 8.0

#: A check, which returns status, finding and remedy, and may raise ArmoonError.
Check = Callable[[Settings], tuple[Status, str, str]]
#: Checks that may fail on a playable machine.
_OPTIONAL = ("camera", "letters", "sound")


def _run_check(name: str, check: Check, settings: Settings) -> CheckResult:
    try:
        return CheckResult(name, *check(settings))
    except ArmoonError as error:
        level = Status.MISSING if name in _OPTIONAL else Status.FAIL
        return CheckResult(name, level, error.what, error.remedy)
    except (ImportError, OSError) as error:
        # Wheels don't contain system libraries, so libGL or libglib may be missing.
        remedy = text("doctor.reinstall", start=get_system().start)
        return CheckResult(name, Status.FAIL, f"{type(error).__name__}: {error}", remedy)


def run_checks(
    checks: Mapping[str, Check], before_each: Callable[[str], None] = lambda name: None
) -> list[CheckResult]:
    """Return the results of all checks, in order; if the settings are broken, use the defaults."""
    results = []
    try:
        settings = load_settings()
        path = settings_path()
        found = str(path) if path.exists() else text("doctor.usual_settings", path=path)
        results.append(CheckResult("settings", Status.OK, found))
    except ArmoonError as error:
        settings = Settings()
        results.append(CheckResult("settings", Status.FAIL, error.what, error.remedy))
    for name, check in checks.items():
        before_each(name)
        results.append(_run_check(name, check, settings))
    return results


@command(flag("--json", dest="as_json"))
def doctor(as_json: bool) -> int:
    console = Console(stderr=as_json)
    with console.status("...") as status:
        results = run_checks(
            CHECKS, lambda name: status.update(text("doctor.checking", part=_get_part_name(name)))
        )
    can_play = is_playable(results)
    if as_json:
        report = {
            "playable": can_play,
            "abilities": list_abilities(results),
            "checks": [{**asdict(result), "level": result.level.value} for result in results],
        }
        sys.stdout.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    else:
        _print_table(console, results)
    return 0 if can_play else ArmoonError.exit_code


def _print_table(console: Console, results: Sequence[CheckResult]) -> None:
    colours = {Status.OK: "green", Status.WARN: "yellow", Status.MISSING: "yellow", Status.FAIL: "red"}
    table = Table(show_lines=True)
    for heading in (text("doctor.check"), "", text("doctor.found"), text("doctor.remedy")):
        table.add_column(heading, overflow="fold")
    for result in results:
        mark = f"[{colours[result.level]}]{text(f'doctor.level.{result.level.value}')}[/]"
        table.add_row(_get_part_name(result.name), mark, escape(result.found), escape(result.remedy))
    print_table(console, table)
    for name, ability in zip(_NEEDS, list_abilities(results), strict=True):
        colour, key = ("green", "doctor.yes") if ability["works"] else ("yellow", "doctor.no")
        sentence = text(f"doctor.ability.{name}")
        if ability["remedy"]:
            sentence = text("doctor.ability_remedy", ability=sentence, remedy=ability["remedy"])
        console.print(f"[{colour}]{text(key):<3}[/] {escape(sentence)}")
    console.print(text("doctor.playable" if is_playable(results) else "doctor.unplayable"))


def _get_part_name(name: str) -> str:
    return text(f"doctor.part.{name.lower()}")


def check_system(settings: Settings) -> tuple[Status, str, str]:
    python = (sys.version_info.major, sys.version_info.minor)
    verdict = judge_system(platform.system(), platform.machine(), python, _get_glibc_version())
    return judge_host(platform.release(), sys.base_prefix, verdict)


def check_camera(settings: Settings) -> tuple[Status, str, str]:
    from armoon.camera.sources import CameraRequest, open_source

    if settings.camera == "demo":
        return Status.MISSING, text("doctor.demo_camera"), text("doctor.demo_camera_remedy")
    source = open_source(settings.camera or "0", CameraRequest(*settings.size, settings.rate_hz))
    try:
        times = []
        for _ in range(CAMERA_WARM_UP_FRAMES + CAMERA_FRAMES):
            frame = source.read()
            if frame is None:
                raise CameraError("fault.camera.short", camera=source.description)
            times.append(frame.time_s)
    finally:
        source.close()
    rate_hz = CAMERA_FRAMES / (times[-1] - times[CAMERA_WARM_UP_FRAMES - 1])
    finding = text("doctor.camera_rate", camera=source.description, rate=number(rate_hz, 1))
    if rate_hz < MIN_CAMERA_HZ:
        return Status.WARN, finding, text("doctor.camera_slow")
    return Status.OK, finding, ""


def check_display(settings: Settings) -> tuple[Status, str, str]:
    if has_display():
        return Status.OK, text("doctor.display"), ""
    return Status.MISSING, text("doctor.no_display"), text("doctor.no_display_remedy")


def check_letters(settings: Settings) -> tuple[Status, str, str]:
    from armoon.gl import HeadlessSurface

    with closing(HeadlessSurface(64, 64)):  # pyglet has no fonts without a display
        from armoon.view.typeface import can_shape, has_letters

        missing = [script for script, letters in SCRIPTS.items() if not has_letters(letters)]
    scripts = ", ".join(text(f"doctor.script.{script.lower()}") for script in missing or SCRIPTS)
    if missing:
        return Status.MISSING, text("doctor.no_fonts", scripts=scripts), text("doctor.no_fonts_remedy")
    finding = text("doctor.fonts", scripts=scripts)
    if not can_shape():
        return Status.MISSING, text("doctor.unshaped", found=finding), text("doctor.unshaped_remedy")
    return Status.OK, finding, ""


def check_model(settings: Settings) -> tuple[Status, str, str]:
    from armoon.hands.litert_hand import read_networks
    from armoon.hands.model import make_model_bundle
    from armoon.hands.tracker import resolve_tracker

    tracker = resolve_tracker(settings.tracker)
    size = sum(map(len, read_networks())) if tracker is TrackerName.LITERT else len(make_model_bundle())
    return Status.OK, text("doctor.model", tracker=tracker.value, size=number(size / 1e6, 1)), ""


def check_gl(settings: Settings) -> tuple[Status, str, str]:
    from armoon.gl import HeadlessSurface

    with closing(HeadlessSurface(64, 64)):
        from pyglet import gl

        renderer = str(gl.gl_info.get_renderer())
    if "llvmpipe" in renderer or "softpipe" in renderer:
        return Status.WARN, renderer, text("doctor.gl_slow")
    return Status.OK, renderer, ""


def check_physics(settings: Settings) -> tuple[Status, str, str]:
    from armoon.values.pieces import Place
    from armoon.values.poses import Pose
    from armoon.world.base import make_base
    from armoon.world.ladders import BOX_SEED, make_ladder_set
    from armoon.world.local import LocalWorld

    ladder_set = make_ladder_set(BOX_SEED)
    ladders = ladder_set.ladders
    with closing(LocalWorld(ladder_set, make_base(ladders[:2]))) as world:
        for number, ladder in enumerate(ladders[3 : 3 + FALLING_LADDERS]):
            world.apply(Place(ladder.piece, Pose((0.15, 0.04 * number - 0.1, 0.10)), fixed=False))
        start_s = time.perf_counter()
        for _ in range(WORLD_TICKS):
            world.tick(None)
        tick_ms = (time.perf_counter() - start_s) * 1000.0 / WORLD_TICKS
    return _judge_time("doctor.tick_time", tick_ms, GOOD_TICK_MS)


#: Duration of the pace check, and of its final part, in which frames are counted, in seconds.
PACE_S, COUNTED_S = 7.0, 1.0
#: Picture rates of a camera, and of a game that looks smooth.
CAMERA_HZ, SMOOTH_HZ = 30.0, 27.0
TRACKER_PATIENCE_S = 60.0


def measure_pace(
    draw: Callable[[str, int], None],
    controller: TierController,
    clock: Clock,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[float, list[str]]:
    """Draw for ``PACE_S``, at most 60 times per second; return the final rate in Hz and the quality reductions.

    ``draw`` gets the tier and the tracker's interval in camera pictures.
    """
    start_s, reductions, frame_starts_s = clock.now_s(), list[str](), list[float]()
    while (now_s := clock.now_s()) < start_s + PACE_S:
        before = controller.tier, controller.tracker_every
        draw(*before)
        controller.add_frame(now_s, 1000.0 * (clock.now_s() - now_s))
        if controller.tier != before[0]:
            reductions.append(text("doctor.gave_picture", tier=text(f"doctor.tier.{controller.tier}")))
        if controller.tracker_every != before[1]:
            reductions.append(text("doctor.gave_tracker"))
        frame_starts_s.append(now_s)
        sleep(max(0.0, now_s + TICK_S - clock.now_s()))
    counted_s = [at_s for at_s in frame_starts_s if at_s >= start_s + PACE_S - COUNTED_S]
    return (len(counted_s) - 1) / (counted_s[-1] - counted_s[0]) if len(counted_s) > 1 else 0.0, reductions


def check_pace(settings: Settings) -> tuple[Status, str, str]:
    import numpy as np

    from armoon.app.pictures import BUDGET_MS
    from armoon.camera.profiles import SEATS
    from armoon.camera.sources import Frame
    from armoon.gl import HeadlessSurface
    from armoon.hands.tracker import HandTracker, TrackerThread
    from armoon.world.base import make_base
    from armoon.world.ladders import BOX_SEED, make_ladder_set

    noise = np.random.default_rng(0).integers(60, 200, (TRACKER_SIZE[1], TRACKER_SIZE[0], 3)).astype(np.uint8)
    ladders, seat, clock = make_ladder_set(BOX_SEED), SEATS["table"](*TRACKER_SIZE), WallClock()
    with ExitStack() as stack:
        surface = HeadlessSurface(*TRACKER_SIZE)
        stack.callback(surface.close)
        # pyglet looks for a screen when it is first imported, so the surface must exist before that.
        from armoon.gl import get_context
        from armoon.view.scene.renderer import Renderer
        from armoon.view.scene.tier_choice import choose_tier, make_full_table
        from armoon.view.scene.tiers import TierController

        base = make_base(ladders.ladders[:2])
        renderer = Renderer(ladders, base, seat.camera, seat.table_from_camera, False, *TRACKER_SIZE)
        scene = make_full_table(ladders)
        tracker = TrackerThread(lambda: HandTracker(settings.tracker))
        stack.callback(tracker.close)
        tracker.wait_ready(TRACKER_PATIENCE_S)
        controller = TierController(choose_tier(renderer, BUDGET_MS), BUDGET_MS)
        start_s, sent = clock.now_s(), 0

        def draw_tier(tier: str, frame_stride: int) -> None:
            nonlocal sent
            tracker.frame_stride = frame_stride
            if (clock.now_s() - start_s) * CAMERA_HZ >= sent:
                tracker.submit(Frame(sent, sent / CAMERA_HZ, noise))
                sent += 1
            renderer.set_tier(tier)
            renderer.draw_scene(scene, noise)
            get_context().finish()

        rate_hz, reductions = measure_pace(draw_tier, controller, clock)
    size = "x".join(map(str, TRACKER_SIZE))
    tier = text(f"doctor.tier.{controller.tier}")
    finding = text("doctor.pace", rate=number(rate_hz), size=size, tier=tier)
    if reductions:
        finding = text("doctor.gave_way", found=finding, reductions=", ".join(reductions))
    if rate_hz < SMOOTH_HZ or controller.tracker_every > 1:
        return Status.WARN, finding, text("doctor.pace_slow")
    return Status.OK, finding, ""


def check_sound(settings: Settings) -> tuple[Status, str, str]:
    from armoon.gl import HeadlessSurface
    from armoon.sound.player import open_player

    with closing(HeadlessSurface(16, 16)):
        player = open_player()
        is_silent = player.is_silent
        player.close()
    if not is_silent:
        return Status.OK, text("doctor.sound"), ""
    key = "doctor.no_sound_linux" if sys.platform == "linux" else "doctor.no_sound_remedy"
    return Status.MISSING, text("doctor.no_sound"), text(key)


def check_disk(settings: Settings) -> tuple[Status, str, str]:
    folder = games_folder()
    free = shutil.disk_usage(folder).free
    finding = text("doctor.disk", folder=folder, size=number(free / 1e9, 1))
    if free < MIN_DISK_BYTES:
        return Status.FAIL, finding, text("doctor.disk_full")
    if free < PLENTY_OF_DISK_BYTES:
        return Status.WARN, finding, text("doctor.disk_nearly_full")
    return Status.OK, finding, ""


def check_speed(settings: Settings) -> tuple[Status, str, str]:
    import numpy as np

    from armoon.hands.tracker import HandTracker

    width, height = TRACKER_SIZE
    # The networks take about as long with a hand in view (13-17 ms) as without one (16 ms).
    picture = np.random.default_rng(0).integers(60, 200, (height, width, 3)).astype(np.uint8)
    with HandTracker(settings.tracker, watch_second_hand=False) as tracker:
        start_s = time.perf_counter()
        for index in range(TRACKER_FRAMES):
            tracker.track(picture, index / 30.0, index)
        frame_ms = (time.perf_counter() - start_s) * 1000.0 / TRACKER_FRAMES
    if frame_ms > USABLE_TRACKER_MS:
        return Status.WARN, text("doctor.tracker_slow", taken=number(frame_ms, 1)), text("doctor.hands_lag")
    return _judge_time("doctor.tracker_time", frame_ms, GOOD_TRACKER_MS)


def _judge_time(key: str, taken_ms: float, good_ms: float) -> tuple[Status, str, str]:
    finding = text(key, taken=number(taken_ms, 1), good=number(good_ms))
    if taken_ms > good_ms:
        return Status.WARN, finding, text("doctor.close_programs")
    return Status.OK, finding, ""


#: All checks, in the order in which a game needs them.
CHECKS: dict[str, Check] = {
    "system": check_system,
    "camera": check_camera,
    "display": check_display,
    "letters": check_letters,
    "model": check_model,
    "GL": check_gl,
    "physics": check_physics,
    "sound": check_sound,
    "disk": check_disk,
    "speed": check_speed,
    "pace": check_pace,
}
