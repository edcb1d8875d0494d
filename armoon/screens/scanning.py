"""Scanning: a page's widgets are highlighted one after another, and a switch selects the highlighted one.

A page with many widgets is scanned first by rows and then within a row; choices at the table are scanned by groups.
"""

from __future__ import annotations

from collections.abc import Callable

from armoon.messages import text
from armoon.screens.layout import Item, Plan, Reply
from armoon.screens.state import Key, Scan, Screens, SwitchEvent
from armoon.settings.preferences import Preferences
from armoon.values import replace
from armoon.values.choices import ScanKind, Way
from armoon.values.poses import Vec2

#: Maximum number of widgets that are scanned one by one instead of in rows (docs/access.md).
MAX_SINGLE = 12
#: Factor by which the first step is longer; extra time for a slow item in the first round, in seconds.
FIRST_FACTOR, THINKING_S = 1.5, 1.0
#: Letters per second of speech, for each word per minute of the speech rate.
_LETTERS_S_WPM = 0.1
#: Minimum rounds and steps without a press after which scanning stops; rounds after which it leaves a row.
MIN_ROUNDS, MIN_STEPS, ROW_ROUNDS = 3, 24, 2
#: Height of the bands that sort widgets into rows by their centres, relative to the window's height.
_ROW_BAND = 0.03


def list_scan_steps(plan: Plan) -> tuple[tuple[str, ...], ...]:
    """Return the steps of scanning: single widgets, groups, or rows if there are many widgets."""
    live = [item for item in plan.items if item.is_live]
    in_rows = len(live) > MAX_SINGLE and not any(item.group for item in live)
    steps: dict[object, list[str]] = {}
    for number, item in enumerate(live):
        row = round(item.widget.rect.centre[1] / _ROW_BAND)
        steps.setdefault(row if in_rows else item.group or number, []).append(item.widget.name)
    return tuple(tuple(names) for names in steps.values())


def pass_time(screens: Screens, plan: Plan, seconds: float) -> Screens:
    preferences = screens.preferences
    if not screens.is_scanning:
        return screens if screens.scan == Scan() else replace(screens, scan=Scan())
    scan = _validate_scan(screens, plan)
    if scan.pause_s > 0.0:
        return replace(screens, scan=replace(scan, pause_s=max(0.0, scan.pause_s - seconds)))
    if scan.is_asleep:
        return replace(screens, scan=scan)
    if not scan.names:
        return replace(screens, scan=_restart(scan, plan))
    is_paused = preferences.way is Way.SWITCHES or (preferences.scan is ScanKind.INVERSE and not scan.is_down)
    scan = replace(scan, seconds=0.0 if is_paused else scan.seconds + seconds)
    if scan.seconds >= _compute_period_s(scan, plan, preferences):
        scan = _advance(screens, scan, plan)
    return replace(screens, scan=scan)


def handle_switch(
    screens: Screens, plan: Plan, switch: SwitchEvent, press: Callable[[Screens, Item], Reply]
) -> Reply:
    preferences = screens.preferences
    if not screens.is_scanning:
        return screens, ()
    scan = _validate_scan(screens, plan)
    is_inverse = preferences.way is Way.SWITCH and preferences.scan is ScanKind.INVERSE
    down = replace(scan, is_down=switch is SwitchEvent.DOWN)
    if switch is SwitchEvent.UP and not (is_inverse and scan.is_down):
        return replace(screens, scan=down), ()
    if scan.pause_s > 0.0:
        return replace(screens, scan=down), ()
    if scan.is_asleep or not scan.names:
        return replace(screens, scan=_restart(replace(down, is_asleep=False, rounds=0), plan)), ()
    if switch is SwitchEvent.STEP:
        return replace(screens, scan=_advance(screens, scan, plan)), ()
    if is_inverse and switch is SwitchEvent.DOWN:
        return replace(screens, scan=down), ()
    return _select(replace(screens, scan=down), plan, press)


def _select(screens: Screens, plan: Plan, press: Callable[[Screens, Item], Reply]) -> Reply:
    """Enter the highlighted row, or press the highlighted widget."""
    scan = replace(screens.scan, seconds=0.0, rounds=0, pause_s=screens.preferences.switch_pause_s)
    if len(scan.names) > 1:
        return replace(screens, scan=replace(scan, row=scan.names, names=scan.names[:1])), ()
    item = plan.item(scan.names[0])
    if item is None or not item.is_live:
        return screens, ()
    return press(replace(screens, scan=scan), item)


def _validate_scan(screens: Screens, plan: Plan) -> Scan:
    """Return the scan if its widgets are still on the page, else a new scan."""
    scan, page = screens.scan, screens.page.value
    live = {item.widget.name for item in plan.items if item.is_live}
    if scan.page == page and live.issuperset((*scan.names, *scan.row)):
        return scan
    return Scan(page, pause_s=scan.pause_s, is_down=scan.is_down)


def _restart(scan: Scan, plan: Plan) -> Scan:
    steps = list_scan_steps(plan)
    return replace(scan, names=steps[0] if steps else (), row=(), seconds=0.0)


def _list_current_steps(scan: Scan, plan: Plan) -> tuple[tuple[str, ...], ...]:
    return tuple((name,) for name in scan.row) if scan.row else list_scan_steps(plan)


def _advance(screens: Screens, scan: Scan, plan: Plan) -> Scan:
    """Highlight the next step; stop scanning after MIN_ROUNDS and MIN_STEPS unless the choice *Stop* is offered.

    Before a round that begins with an irreversible item, nothing is highlighted for one step.
    """
    steps = _list_current_steps(scan, plan)
    index = steps.index(scan.names) + 1 if scan.names in steps else 0
    if index < len(steps):
        return replace(scan, names=steps[index], seconds=0.0)
    rounds = scan.rounds + 1
    if scan.row and rounds >= ROW_ROUNDS:
        return _advance(screens, replace(scan, names=scan.row, row=(), rounds=0), plan)
    offers_stop = any(choice.stops for choice in screens.choices.choices)
    is_unused = rounds >= MIN_ROUNDS and rounds * len(steps) >= MIN_STEPS
    if not scan.row and is_unused and not offers_stop:
        return replace(scan, names=(), rounds=0, is_asleep=True)
    first = plan.item(steps[0][0]) if steps else None
    if first is not None and first.is_irreversible:
        return replace(scan, names=(), rounds=rounds, pause_s=screens.preferences.scan_s)
    return replace(scan, names=steps[0] if steps else (), rounds=rounds, seconds=0.0)


def _compute_period_s(scan: Scan, plan: Plan, preferences: Preferences) -> float:
    steps = _list_current_steps(scan, plan)
    first = bool(steps) and scan.names == steps[0]
    item = plan.item(scan.names[0])
    thinking_s = THINKING_S if item is not None and item.slow_scan and scan.rounds == 0 else 0.0
    spoken_s = 0.0
    if preferences.speaks and item is not None:
        words = item.widget.text + item.widget.value
        if len(scan.names) > 1:
            words = text("speech.row", first=words, count=len(scan.names) - 1)
        spoken_s = len(words) / (_LETTERS_S_WPM * preferences.speech_wpm)
    return preferences.scan_s * (FIRST_FACTOR if first else 1.0) + thinking_s + spoken_s


DIRECTIONS: dict[Key, Vec2] = {
    Key.UP: (0.0, -1.0),
    Key.DOWN: (0.0, 1.0),
    Key.LEFT: (-1.0, 0.0),
    Key.RIGHT: (1.0, 0.0),
}


def find_focused(screens: Screens, plan: Plan) -> Item | None:
    live = [item for item in plan.items if item.is_live]
    wanted = (plan.item(screens.focus), plan.item(plan.first))
    return next((item for item in wanted if item is not None and item.is_live), live[0] if live else None)


def next_widget(plan: Plan, focused: Item, step: int) -> str:
    live = [item.widget.name for item in plan.items if item.is_live]
    return live[(live.index(focused.widget.name) + step) % len(live)]


def nearest_widget(plan: Plan, focused: Item, key: Key) -> str:
    """Return the nearest live widget in a direction; sideways distance counts more, to stay in a row or column."""
    along = DIRECTIONS[key]
    x, y = focused.widget.rect.centre
    nearest, least_cost = focused.widget.name, float("inf")
    for item in plan.items:
        if not item.is_live or item is focused:
            continue
        across, down = item.widget.rect.centre[0] - x, item.widget.rect.centre[1] - y
        ahead = across * along[0] + down * along[1]
        cost = ahead + 2.5 * (abs(across * along[1]) + abs(down * along[0]))
        if ahead > 0.02 and cost < least_cost:
            nearest, least_cost = item.widget.name, cost
    return nearest
