"""The page of a state: laid out by its function, with the focus, the scan and the pointer shown on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from armoon.messages import language, speaking_of, text
from armoon.screens.input import Scan
from armoon.screens.large import laid_out
from armoon.screens.layout import Plan
from armoon.screens.pages import (
    book,
    guide,
    measure,
    opening,
    options,
    party,
    profile,
    result,
    rulebook,
    settings,
    table,
    together,
    trials,
)
from armoon.screens.scanning import focus_of
from armoon.screens.state import Dwell, PageName, Screens
from armoon.values.page import Page

_PAGES: dict[PageName, Callable[[Screens], Plan]] = {
    PageName.TITLE: opening.title,
    PageName.MORE: options.more,
    PageName.UNFINISHED: opening.unfinished,
    PageName.GAME: opening.game,
    PageName.PLAYERS: party.players,
    PageName.NAME: party.name,
    PageName.PROFILE: profile.profile,
    PageName.HANDICAP: profile.handicap,
    PageName.HABITS: profile.habits,
    PageName.DATE: profile.date,
    PageName.EDITION: options.edition,
    PageName.OPTIONS: options.options,
    PageName.FIRST: options.first,
    PageName.SEAT: opening.seat,
    PageName.PRACTICE: opening.practice,
    PageName.WAY: measure.way,
    PageName.SWITCH: measure.asked,
    PageName.PLAYING: measure.playing,
    PageName.MEASURE: measure.measure,
    PageName.MOVING: profile.moving,
    PageName.MOVING_MEASURE: profile.measure_hand,
    PageName.HEAD: measure.head,
    PageName.HEAD_MEASURE: measure.measure_head,
    PageName.SETTINGS: settings.settings,
    PageName.DEPTH: settings.depth,
    PageName.KIT: settings.kit,
    PageName.CARD: opening.how_to_play_by_card,
    PageName.HEARING: settings.hearing,
    PageName.PHRASES: settings.phrases,
    PageName.SEEING: settings.seeing,
    PageName.KEYS: settings.keys,
    PageName.CAMERA: settings.camera,
    PageName.BOOK: book.book,
    PageName.RULES: rulebook.rules,
    PageName.FIND: settings.find,
    PageName.GUIDE: guide.guide,
    PageName.TABLE: table.table,
    PageName.PAUSE: table.pause_page,
    PageName.OVERRULE: table.overrule,
    PageName.LEAVE: table.leave,
    PageName.GIVE_UP: table.give_up,
    PageName.QUIT: opening.quit_page,
    PageName.VERDICT: table.verdict,
    PageName.FINAL: table.final,
    PageName.RESULT: result.result,
    PageName.SCORES: result.scores,
    PageName.TRIALS: trials.trials,
    PageName.RESEARCH: trials.research,
    PageName.REVIEW: result.review,
    PageName.FAR: together.far,
    PageName.PARTY: together.on_air,
}
#: Pages whose widgets lie between the panels of the glass, and change sides with them.
_WITH_GLASS = (PageName.TABLE, PageName.GUIDE, PageName.VERDICT)


def plan_of(screens: Screens) -> Plan:
    """Return the page of this state with what its widgets do."""
    # Lighting or pointing doesn't change the page's contents.
    bare = replace(screens, scan=Scan(), pointer=None, hover=None, dwell=Dwell())
    return _plan(bare, language())


@lru_cache(maxsize=8)
def _plan(screens: Screens, language: str) -> Plan:
    # Laid out once for a state, however many events are heard and pictures drawn in it.
    with speaking_of(screens.form.options.traits.words):
        plan = laid_out(_PAGES[screens.page](screens), screens)
    if not (screens.preferences.left_handed and screens.page in _WITH_GLASS):
        return plan
    return replace(plan, items=tuple(one.having(rect=one.widget.rect.mirrored) for one in plan.items))


def page_of(screens: Screens) -> Page:
    """Return the page of this state as it is to be drawn."""
    plan = plan_of(screens)
    focus = focus_of(screens, plan)
    dwell = screens.dwell
    part = min(1.0, dwell.seconds / screens.dwell_s)
    # At the table Enter belongs to the game, so nothing there looks as if Enter pressed it.
    focus_shown = screens.focus_shown and (screens.page is not PageName.TABLE or screens.walked)
    shown: tuple[str, ...] = (focus.widget.name,) if focus_shown and focus is not None else ()
    if screens.scans:
        shown = screens.scan.names
    widgets = []
    for item in plan.items:
        name = item.widget.name
        rests = (part, dwell.side) if name == dwell.widget else (0.0, 0)
        one = replace(item.widget, focused=name in shown, dwell=rests[0], dwell_side=rests[1])
        widgets.append(item.worded(one, (screens.hover, screens.pointer)))
    wishes = screens.preferences
    return Page(
        screens.page.value,
        tuple(widgets),
        plan.veil,
        screens.pointer,
        plan.moon,
        wishes.text_scale,
        wishes.look,
        notice=text("switch.asleep") if screens.scans and screens.scan.asleep else "",
        stays=plan.stays,
        rested=screens.rested,
    )
