"""Every page can be reached and left with keys, mouse, gamepad, resting hand, head, switches or voice alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush

import pytest
from support.every_case import every_case
from support.screens_kit import SEVERAL, TRIALS, VERDICT, every_page, first_start, fresh, in_game
from support.session_kit import DEVICES as ON_PAGES
from support.session_kit import by_switch

from armoon.app.front import Front
from armoon.faces import HeadPointing
from armoon.games.news import FinalNews, GuideFacts, ResultNews, Trials
from armoon.screens import events, machine
from armoon.screens.layout import Reply
from armoon.screens.machine import build_page, get_plan
from armoon.screens.measuring import HandSample, HeadSample
from armoon.screens.pages.measure import add_sample
from armoon.screens.pages.table import advance_guide
from armoon.screens.state import DWELL_S, Key, PageName, Screens, SwitchEvent
from armoon.values.acts import Act
from armoon.values.choices import Way
from armoon.values.page import Rect
from armoon.values.poses import Vec2

Step = Callable[[Screens], Reply]
CROSS = (Key.UP, Key.DOWN, Key.LEFT, Key.RIGHT)
JOINING = events.RemoteTablesStatus(pasted="192.168.1.5", is_invitation_pasted=True)
INVITING = events.RemoteTablesStatus(invitation="192.168.1.5:8741", tables=(("Zoé",),))


def with_replay(screens: Screens) -> Screens:
    return replace(screens, possible=screens.possible | {Act.LOOK_BACK})


#: Events at a table that occur with any device.
NEWS: tuple[Step, ...] = (
    lambda screens: machine.show_news(with_replay(screens), VERDICT),
    partial(machine.show_news, news=FinalNews(("Ann", "Cleo"))),
    partial(machine.show_news, news=ResultNews("Ann wins", ())),
    partial(advance_guide, facts=GuideFacts(hand_seen=True, held=True), seconds=3.0),
    machine.search_table,
    partial(add_sample, sample=HeadSample(1.0, (0.0, 0.0), 0.03)),
    partial(add_sample, sample=HandSample(1.0, (0.0, 0.0))),
    partial(machine.press_switch, switch=SwitchEvent.DOWN),
    lambda screens: (replace(screens, remote_tables=JOINING), ()),
    lambda screens: (replace(screens, remote_tables=INVITING), ()),
)
#: Names of the actions that every walk must request.
REQUESTS = {
    *("StartGame", "StartTrial", "RESUME_GAME", "START_PRACTICE", "LEAVE_GAME", "QUIT", "SAVE_PLAYER"),
    *("ChangeSetting", "SAVE_LANDMARKS", "OPEN_REVIEW", "STOP_REVIEW"),
    *("InviteTables", "JoinTable", "BEGIN_TABLES", "LEAVE_TABLES"),
    *("TABLE_ACCEPTED", "POINT_AT_CORNERS", "UNDO_CORNER", "SEARCH_AGAIN"),
    *("undo", "give_tear_back", "add_tear", "look_back"),
}


def with_corners(screens: Screens) -> Reply:
    return replace(screens, table=events.TableSearch("Point at the far left corner.", is_pointing=True)), ()


def with_saved_games(screens: Screens) -> Reply:
    return replace(screens, unfinished=SEVERAL), ()


def key_steps(screens: Screens) -> Iterator[Step]:
    for key in Key:
        yield partial(machine.press_key, key=key)


def pad_steps(screens: Screens) -> Iterator[Step]:
    yield machine.press_start
    for key in (*CROSS, Key.ENTER, Key.ESCAPE):
        yield partial(machine.press_pad, key=key)


def places(screens: Screens) -> Iterator[Vec2]:
    for item in get_plan(screens).items:
        if item.is_live:
            rect: Rect = item.widget.rect
            yield rect.centre
            if item.adjust is not None:
                yield (rect.x + rect.width * sum(item.widget.arrows[:2]) / 2.0, rect.centre[1])


def mouse_steps(screens: Screens) -> Iterator[Step]:
    for place in places(screens):
        yield partial(machine.press_pointer, point=place)


def dwell_steps(screens: Screens) -> Iterator[Step]:
    for place in places(screens):
        yield partial(rest_at, place=place)


def rest_at(screens: Screens, place: Vec2) -> Reply:
    screens, _ = machine.rest_hand(screens, (0.0, 0.0), 0.01)
    performed: tuple[events.Action, ...] = ()
    for seconds in (0.1, DWELL_S - 0.2, 0.1, 0.1):
        screens, actions = machine.rest_hand(screens, place, seconds)
        performed += actions
    return screens, performed


def head_steps(screens: Screens) -> Iterator[Step]:
    for place in places(screens_for(Way.HEAD, screens)):
        yield partial(open_mouth, place=place)


def screens_for(way: Way, screens: Screens) -> Screens:
    return replace(screens, preferences=replace(screens.preferences, way=way))


def open_mouth(screens: Screens, place: Vec2) -> Reply:
    front = Front(screens_for(Way.HEAD, screens))
    for dwell_added_s, confirmed in ((0.0, False), (0.5, False), (0.31, True)):
        front.handle_head(HeadPointing(place, dwell_added_s, confirmed, False))
    front.handle_head(HeadPointing(place, 0.0, False, True))
    front.handle_head(None)
    return screens_for(screens.preferences.way, front.screens), front.drain_actions()


def voice_steps(screens: Screens) -> Iterator[Step]:
    for act in (Act.NEXT, Act.PREVIOUS, Act.TAKE, Act.MENU, Act.RULES):
        yield partial(say_act, act=act)


def say_act(screens: Screens, act: Act) -> Reply:
    front = Front(screens_for(Way.VOICE, screens))
    front.handle_act(act, True)
    return screens_for(screens.preferences.way, front.screens), front.drain_actions()


def switch_steps(screens: Screens, way: Way) -> Iterator[Step]:
    for item in get_plan(screens).items:
        if item.is_live:
            yield partial(by_switch, name=item.widget.name, way=way)


DEVICES: dict[str, Callable[[Screens], Iterator[Step]]] = {
    "keys": key_steps,
    "mouse": mouse_steps,
    "dwell": dwell_steps,
    "head": head_steps,
    "gamepad": pad_steps,
    "switch": partial(switch_steps, way=Way.SWITCH),
    "switches": partial(switch_steps, way=Way.SWITCHES),
    "voice": voice_steps,
}


#: Input that moves the focus from one widget to the next.
ARROWS: tuple[Step, ...] = tuple(partial(machine.press_key, key=key) for key in CROSS)
FOCUSING: dict[str, tuple[Step, ...]] = {
    "gamepad": tuple(partial(machine.press_pad, key=key) for key in CROSS),
    "voice": tuple(partial(machine.press_key, key=key) for key in (Key.TAB, Key.BACKTAB)),
}


def get_node(screens: Screens, focused: bool) -> tuple[object, ...]:
    """Return the part of the state by which the walk tells visited states apart."""
    state = (
        screens.in_game,
        screens.practice,
        screens.verdict is not None,
        screens.table.is_pointing,
        bool(screens.party),
        bool(screens.remote_tables.pasted) + 2 * bool(screens.remote_tables.invitation)
        if screens.page is PageName.FAR
        else 0,
        bool(screens.unfinished),
        screens.must_choose_way,
        screens.trial is not None
        and screens.page in (PageName.TABLE, PageName.TOWER, PageName.RESULT, PageName.TRIALS),
        screens.date_key if screens.page is PageName.DATE else "",
        round(screens.head.seconds) if screens.page is PageName.HEAD_MEASURE else 0,
        round(screens.hand.seconds) if screens.page is PageName.MOVING_MEASURE else 0,
    )
    return (screens.page, screens.back[-1:], state, screens.focus if focused else None)


def get_action_name(action: events.Action) -> str:
    match action:
        case events.Ask(Act() as act):
            return act.word
        case events.Request(name=name) | events.Ask(events.Request(name=name)):
            return name
        case _:
            return type(action).__name__


def walk(device: Callable[[Screens], Iterator[Step]]) -> tuple[dict[PageName, set[PageName]], set[str]]:
    """Walk until every page was left and all ``REQUESTS`` were made; return each page's next pages, and the requests.

    Pages that haven't been left yet are tried first, then those with the fewest known places.
    """
    focused = device in (key_steps, pad_steps, voice_steps)
    begun = [replace(state, trials=Trials(TRIALS.lines[:1])) for state in (fresh(), first_start())]
    seen, known = {get_node(state, focused) for state in begun}, Counter[PageName]()
    waiting = [(0, number, state) for number, state in enumerate(begun)]
    links: dict[PageName, set[PageName]] = {page: set() for page in PageName}
    requests: set[str] = set()
    events_sent: set[object] = set()
    while waiting and not (all(onward - {page} for page, onward in links.items()) and requests >= REQUESTS):
        _, _, screens = heappop(waiting)
        own = list(device(screens))
        is_event = get_node(screens, focused=False) in events_sent  # events don't depend on the focus
        events_sent.add(get_node(screens, focused=False))
        for number, step in enumerate(own if is_event else [*own, *NEWS, with_corners, with_saved_games]):
            following, actions = step(screens)
            requests |= {get_action_name(action) for action in actions}
            if number < len(own):
                links[screens.page].add(following.page)
            place = get_node(following, focused)
            if place not in seen:
                seen.add(place)
                known[following.page] += 1
                later = known[following.page] if links[following.page] - {following.page} else 0
                heappush(waiting, (later, len(seen), following))
    return links, requests


#: Devices with walks marked ``long``, because they press like the keys, one switch or a resting hand.
SIMILAR = ("gamepad", "voice", "switches", "head")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in SIMILAR else ()) for name in DEVICES]
)
def test_every_page_is_reached_and_left(name: str) -> None:
    links, requests = walk(DEVICES[name])
    reached = {page for page, onward in links.items() if onward}
    assert reached == set(PageName)
    for page, onward in links.items():
        if page is not PageName.TITLE:
            assert onward - {page}, f"nothing leaves {page} by {name}"
    assert requests >= REQUESTS


@pytest.mark.parametrize("name", DEVICES)
@every_case(
    "page, state", [(name, state) for name, state in every_page() if state.page is not PageName.TITLE]
)
def test_every_device_leaves_every_page(name: str, page: str, state: Screens) -> None:
    if name == "head" and state.page is PageName.HEAD_MEASURE and not state.head.is_done:
        return  # while it is measured, a head points at nothing; the measurement takes ten seconds
    assert any(step(state)[0].page is not state.page for step in DEVICES[name](state))


@pytest.mark.parametrize("name", DEVICES)
@every_case("page", [page for page in PageName if page is not PageName.TABLE])
def test_every_live_widget_can_be_used(name: str, page: PageName) -> None:
    """With keys and gamepad, the focus reaches every widget; for mouse and hand, no widget covers another's middle."""
    start = replace(in_game(fresh(4)).go_to(page), typed="A")
    live = {item.widget.name for item in get_plan(start).items if item.is_live}
    if name in ("switch", "switches"):
        for widget in live:
            by_switch(start, widget, Way(name))  # AssertionError if it is never highlighted
        return
    if name in ("mouse", "dwell"):
        for item in get_plan(start).items:
            if item.is_live:
                holds = [
                    w.name for w in build_page(start).widgets if w.rect.contains(item.widget.rect.centre)
                ]
                assert [n for n in holds if n in live] == [item.widget.name]
        return
    focused: set[str] = set()
    waiting, seen = [start], {start.focus}
    while waiting:
        screens = waiting.pop()
        for event in FOCUSING.get(name, ARROWS):
            following = replace(event(screens)[0], form=start.form, preferences=start.preferences)
            focused |= {widget.name for widget in build_page(following).widgets if widget.focused}
            if following.focus not in seen:
                seen.add(following.focus)
                waiting.append(following)
    assert focused == live


@pytest.mark.parametrize("game", ["moon", "lake"])
@pytest.mark.parametrize("device", ON_PAGES)
def test_each_game_begins_with_one_press_of_its_picture_on_the_title(device: str, game: str) -> None:
    for begun in (fresh(), replace(fresh(), form=replace(fresh().form, game="lake")), first_start()):
        if begun.must_choose_way and device in ("head", "switch", "switches"):
            continue  # these have to be recognised first
        after, actions = ON_PAGES[device](begun, game)
        (start,) = (action for action in actions if isinstance(action, events.StartGame))
        assert start.game == game
        assert after.page is PageName.TABLE
