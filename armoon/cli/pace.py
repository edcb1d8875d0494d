"""Pictures a second while the tracker looks, and what gives way for them: a check of ``armoon doctor``."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack

from armoon.app.pictures import BUDGET_MS
from armoon.camera.profiles import SEATS
from armoon.camera.sources import Frame
from armoon.cli.findings import Level
from armoon.clock import TICK_S, Clock, WallClock
from armoon.settings.preferences import Settings
from armoon.view.scene.tiers import TierKeeper

#: Pictures of the size that armoon plays in by default.
SIZE = (640, 360)

#: Time for everything to give way that may, and the last part of it, whose pictures are counted.
SECONDS, COUNTED_S = 7.0, 1.0

#: Pictures a second of a camera, and of a smooth game.
CAMERA_HZ, SMOOTH_HZ = 30.0, 27.0

TRACKER_PATIENCE_S = 60.0

SLOW = "Close other programs, plug the computer in, or play small: --size 640x360."


def pace(
    draw: Callable[[str, int], None],
    keeper: TierKeeper,
    clock: Clock,
    rest: Callable[[float], None] = time.sleep,
) -> tuple[float, list[str]]:
    """Draw for ``SECONDS``, at most 60 times a second; return the rate at the end, Hz, and what gave way, in order.

    ``draw`` gets the tier, and the number of camera pictures of which the tracker looks at one.
    """
    begin_s, gave, starts_s = clock.now_s(), list[str](), list[float]()
    while (now_s := clock.now_s()) < begin_s + SECONDS:
        before = keeper.tier, keeper.tracker_every
        draw(*before)
        keeper.frame(now_s, 1000.0 * (clock.now_s() - now_s))
        if keeper.tier != before[0]:
            gave.append(f"the picture ({keeper.tier})")
        if keeper.tracker_every != before[1]:
            gave.append("the tracker (every second camera picture)")
        starts_s.append(now_s)
        rest(max(0.0, now_s + TICK_S - clock.now_s()))
    late_s = [at_s for at_s in starts_s if at_s >= begin_s + SECONDS - COUNTED_S]
    return (len(late_s) - 1) / (late_s[-1] - late_s[0]) if len(late_s) > 1 else 0.0, gave


def measure_pace(settings: Settings) -> tuple[Level, str, str]:
    """Draw a full table while the hand tracker looks at a camera's worth of pictures."""
    import numpy as np

    from armoon.gl import HeadlessSurface
    from armoon.hands.tracker import HandTracker, TrackerThread
    from armoon.world.base import make_base
    from armoon.world.ladders import BOX_SEED, make_ladder_set

    noise = np.random.default_rng(0).integers(60, 200, (SIZE[1], SIZE[0], 3)).astype(np.uint8)
    ladders, seat, clock = make_ladder_set(BOX_SEED), SEATS["table"](*SIZE), WallClock()
    with ExitStack() as stack:
        surface = HeadlessSurface(*SIZE)
        stack.callback(surface.close)
        # pyglet decides at its first import whether there is a screen: the surface comes first.
        from armoon.gl import current
        from armoon.view.scene.choosing import choose_tier, full_table
        from armoon.view.scene.renderer import Renderer

        base = make_base(ladders.ladders[:2])
        renderer = Renderer(ladders, base, seat.camera, seat.table_from_camera, False, *SIZE)
        scene = full_table(ladders)
        tracker: TrackerThread[Frame] = TrackerThread(lambda: HandTracker(settings.tracker))
        stack.callback(tracker.close)
        tracker.wait_ready(TRACKER_PATIENCE_S)
        keeper = TierKeeper(choose_tier(renderer, BUDGET_MS), BUDGET_MS)
        begin_s, sent = clock.now_s(), 0

        def draw(tier: str, every: int) -> None:
            nonlocal sent
            tracker.every = every
            if (clock.now_s() - begin_s) * CAMERA_HZ >= sent:
                tracker.submit(Frame(sent, sent / CAMERA_HZ, noise))
                sent += 1
            renderer.set_tier(tier)
            renderer.draw(scene, noise)
            current().finish()

        rate_hz, gave = pace(draw, keeper, clock)
    found = f"{rate_hz:.0f} pictures a second at {SIZE[0]}x{SIZE[1]}, drawn {keeper.tier}, while the tracker looks"
    if gave:
        found += f"; what gave way: {', '.join(gave)}"
    if rate_hz < SMOOTH_HZ or keeper.tracker_every > 1:
        return Level.WARN, found, SLOW
    return Level.OK, found, ""
