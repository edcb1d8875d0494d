"""Scanning: the choices light up one after another, and a switch takes the one that is lit.

A page with many widgets is scanned row by row, then along the row; the choices at the table are grouped likewise.
Everything here is a function of the page's plan and of the earlier lights; no page knows about it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from armoon.messages import text
from armoon.screens.input import Scan, Switch
from armoon.screens.state import Item, Plan, Reply, Screens
from armoon.settings.preferences import Preferences
from armoon.values.choices import ScanKind, Way

#: More things than this are gone through in rows: up to here rows gain nothing (docs/access.md).
MOST_SINGLE = 12
#: Factors by which the first thing is lit longer, and by which things to weigh are longer the first time.
FIRST, WEIGHING_S = 1.5, 1.0
#: Letters a second, at one word a minute, in which a lit thing is spoken; it stays lit that much longer.
_LETTERS_S_WPM = 0.1
#: Rounds without a press until scanning sleeps, until a switch wakes it; rounds until a row is left.
MOST_ROUNDS, ROW_ROUNDS = 3, 2
#: Things whose upper edges differ by less stand in one row, parts of the window's height.
_SAME_ROW = 0.03


def steps_of(plan: Plan) -> tuple[tuple[str, ...], ...]:
    """Return the steps of scanning: single things, or rows where there are many or where they belong together."""
    live = [item for item in plan.items if item.live]
    keyed: Callable[[int, Item], object] = (
        _row_of if len(live) > MOST_SINGLE and not any(item.group for item in live) else _group_of
    )
    steps: dict[object, list[str]] = {}
    for number, item in enumerate(live):
        steps.setdefault(keyed(number, item), []).append(item.widget.name)
    return tuple(tuple(names) for names in steps.values())


def _row_of(number: int, item: Item) -> object:
    return round(item.widget.rect.centre[1] / _SAME_ROW)


def _group_of(number: int, item: Item) -> object:
    return item.group or number


def passed(screens: Screens, plan: Plan, seconds: float) -> Screens:
    """Advance to this time: perhaps the next thing is lit."""
    preferences = screens.preferences
    if not screens.scans:
        return screens if screens.scan == Scan() else replace(screens, scan=Scan())
    scan = _fitting(screens, plan)
    if scan.rests_s > 0.0:
        return replace(screens, scan=replace(scan, rests_s=max(0.0, scan.rests_s - seconds)))
    if scan.asleep:
        return replace(screens, scan=scan)
    if not scan.names:
        return replace(screens, scan=_begun(scan, plan))
    waits = preferences.way is Way.SWITCHES or (preferences.scan is ScanKind.INVERSE and not scan.down)
    scan = replace(scan, seconds=0.0 if waits else scan.seconds + seconds)
    if scan.seconds >= _period_s(scan, plan, preferences):
        scan = _on(scan, plan, preferences.scan_s)
        if scan.asleep and any(one.stops for one in screens.choices.choices):
            scan = _begun(replace(scan, asleep=False), plan)
    return replace(screens, scan=scan)


def switched(screens: Screens, plan: Plan, what: Switch, press: Callable[[Screens, Item], Reply]) -> Reply:
    """Return a switch did something; ``press`` presses a widget."""
    preferences = screens.preferences
    if not screens.scans:
        return screens, ()
    scan = _fitting(screens, plan)
    inverse = preferences.way is Way.SWITCH and preferences.scan is ScanKind.INVERSE
    down = replace(scan, down=what is Switch.DOWN)
    if what is Switch.UP and not (inverse and scan.down):
        return replace(screens, scan=down), ()
    if scan.rests_s > 0.0:
        return replace(screens, scan=down), ()
    if scan.asleep or not scan.names:
        return replace(screens, scan=_begun(replace(down, asleep=False, rounds=0), plan)), ()
    if what is Switch.STEP:
        return replace(screens, scan=_on(scan, plan, preferences.scan_s)), ()
    if inverse and what is Switch.DOWN:
        return replace(screens, scan=down), ()
    return _taken(replace(screens, scan=down), plan, press)


def _taken(screens: Screens, plan: Plan, press: Callable[[Screens, Item], Reply]) -> Reply:
    """Take what is lit: enter a row, or press a thing, which may be pressed again."""
    scan = replace(screens.scan, seconds=0.0, rounds=0, rests_s=screens.preferences.switch_pause_s)
    if len(scan.names) > 1:
        return replace(screens, scan=replace(scan, row=scan.names, names=scan.names[:1])), ()
    item = plan.item(scan.names[0])
    if item is None or not item.live:
        return screens, ()
    return press(replace(screens, scan=scan), item)


def _fitting(screens: Screens, plan: Plan) -> Scan:
    """Return the scan as far as it still fits; another page or other things at the table restart it."""
    scan, page = screens.scan, screens.page.value
    live = {item.widget.name for item in plan.items if item.live}
    if scan.page == page and live.issuperset((*scan.names, *scan.row)):
        return scan
    return Scan(page, rests_s=scan.rests_s, down=scan.down)


def _begun(scan: Scan, plan: Plan) -> Scan:
    steps = steps_of(plan)
    return replace(scan, names=steps[0] if steps else (), row=(), seconds=0.0)


def _steps(scan: Scan, plan: Plan) -> tuple[tuple[str, ...], ...]:
    """Return the steps being scanned: a row's things, or the page's."""
    return tuple((name,) for name in scan.row) if scan.row else steps_of(plan)


def _on(scan: Scan, plan: Plan, rest_s: float) -> Scan:
    """Return the next thing, or row; before one that can't be undone nothing is lit for ``rest_s``.

    So a press that comes late doesn't take it.
    """
    steps = _steps(scan, plan)
    place = steps.index(scan.names) + 1 if scan.names in steps else 0
    if place < len(steps):
        return replace(scan, names=steps[place], seconds=0.0)
    rounds = scan.rounds + 1
    if scan.row and rounds >= ROW_ROUNDS:  # nothing of this row was meant
        return _on(replace(scan, names=scan.row, row=(), rounds=0), plan, rest_s)
    if not scan.row and rounds >= MOST_ROUNDS:
        return replace(scan, names=(), rounds=0, asleep=True)
    first = plan.item(steps[0][0]) if steps else None
    if first is not None and first.final:
        return replace(scan, names=(), rounds=rounds, rests_s=rest_s)
    return replace(scan, names=steps[0] if steps else (), rounds=rounds, seconds=0.0)


def _period_s(scan: Scan, plan: Plan, preferences: Preferences) -> float:
    """How long what is lit stays lit."""
    steps = _steps(scan, plan)
    first = bool(steps) and scan.names == steps[0]
    item = plan.item(scan.names[0])
    weighed = item is not None and item.weighed and scan.rounds == 0
    spoken_s = 0.0
    if preferences.speaks and item is not None:
        words = item.widget.text + item.widget.value
        if len(scan.names) > 1:
            words = text("speech.row", first=words, count=len(scan.names) - 1)
        spoken_s = len(words) / (_LETTERS_S_WPM * preferences.speech_wpm)
    return preferences.scan_s * (FIRST if first else 1.0) + (WEIGHING_S if weighed else 0.0) + spoken_s
