"""The page that measures a reaction: five presses, and a scan period is proposed."""

from __future__ import annotations

from dataclasses import replace

from armoon.messages import text
from armoon.messages.numbers import number
from armoon.screens.flex import REST, Part, columns, rows
from armoon.screens.layout import back_button, body_place, button, foot, heading, lines, take_buttons
from armoon.screens.measuring import WAITS_S, Measuring
from armoon.screens.state import PageName, Plan, Reply, Screens, go_back, set_preference


def waits(screens: Screens) -> bool:
    """Return whether a press of a switch is measured instead of taking what is lit."""
    now = screens.measuring
    return screens.page is PageName.MEASURE and not now.done and not now.unanswered


def passed(screens: Screens, seconds: float) -> Screens:
    """Time goes on: it may be lit now."""
    now = screens.measuring
    if now.done:
        return screens
    passed_s = now.passed_s + seconds
    if not now.now and passed_s >= WAITS_S[len(now.reactions_s)]:
        return replace(screens, measuring=replace(now, now=True, passed_s=0.0))
    return replace(screens, measuring=replace(now, passed_s=passed_s))


def pressed(screens: Screens) -> Reply:
    """Count a press while it is lit; too early or far too late, and the wait begins anew."""
    now = screens.measuring
    if now.done:
        return screens, ()
    counts = now.now and not now.unanswered
    reactions = (*now.reactions_s, now.passed_s) if counts else now.reactions_s
    return replace(screens, measuring=Measuring(reactions)), ()


def measure(screens: Screens) -> Plan:
    """Something that lights up, and what came of it."""
    now, body = screens.measuring, body_place(screens.tall)
    about, _, low = rows(body, 0.3, 0.06, REST)
    if now.done:
        said = text("screens.measure.done", reaction=number(now.mean_s, 2), period=number(now.proposed_s, 1))
        buttons = foot(screens, *take_buttons(_take, _again), back_button())
    else:
        said = text("screens.measure.about", done=len(now.reactions_s), of=len(WAITS_S))
        words = text(f"screens.measure.{'now' if now.now else 'wait'}")
        (row,) = rows(low, Part(min(low.height, 0.10 if screens.tall else 0.24)))
        target = columns(row, 0.1, 0.8)[1]
        buttons = (button("target", target, words, pressed, chosen=now.now), *foot(screens, back_button()))
    return Plan(
        (
            heading(screens, text("screens.measure.heading")),
            *lines(about, (said,), "about", 1.0),
            *buttons,
        ),
        veil=0.80,
        leave=go_back,
        first="take" if now.done else "target",
    )


def _take(screens: Screens) -> Reply:
    changed, actions = set_preference(screens, "scan_s", screens.measuring.proposed_s)
    return replace(changed.returned(), measuring=Measuring()), actions


def _again(screens: Screens) -> Reply:
    return replace(screens, measuring=Measuring()), ()
