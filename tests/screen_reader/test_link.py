"""The process for screen readers returns requests; if it dies or hangs, it is replaced, and finally reported."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from support import faulty_readers
from support.screens_kit import fresh
from support.waiting import until

from armoon.app.speech import AREA_INTERVAL_S, ReaderSink, ScreenReaders
from armoon.screen_reader.link import MAX_PROCESSES, PATIENCE_S, ReaderError, ReaderLink, supports_readers
from armoon.screen_reader.tree import WINDOW, Node, Role, Tree, build_tree
from armoon.screens.machine import build_page
from armoon.sinks.sink import LazyValue, Moment
from armoon.values.choices import ReaderUse
from armoon.values.page import Rect
from armoon.values.scene import Scene, SceneHud

pytestmark = pytest.mark.skipif(not supports_readers(), reason="screen readers are supported on Linux only")
TREE = build_tree(build_page(replace(fresh(), focus_shown=True)), SceneHud())
HINT = Rect(0.1, 0.9, 0.3, 0.05)
FOCUSED = TREE.find_node(TREE.focus)


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_link(clock: Clock) -> Iterator[Callable[..., ReaderLink]]:
    links: list[ReaderLink] = []

    def make(*work: object) -> ReaderLink:
        links.append(ReaderLink(*work, now_s=clock))  # type: ignore[arg-type]
        return links[-1]

    yield make
    for link in links:
        link.close()


def test_a_press_by_a_reader_is_returned_by_name(
    make_link: Callable[..., ReaderLink], tmp_path: Path
) -> None:
    """If the process dies with this screen, the replacement gets the screen again."""
    reader = make_link(faulty_readers.exit_child_once, tmp_path / "mark")
    first = reader.pid
    reader.publish(TREE)
    assert FOCUSED is not None
    requests: list[tuple[str, str]] = []
    until(lambda: requests, meanwhile=lambda: requests.extend(reader.drain_requests()))
    assert requests[0] == (FOCUSED.widget, "click")
    assert reader.pid != first


def test_trees_are_made_once_a_reader_is_connected_and_again_after_motion(
    make_link: Callable[..., ReaderLink],
) -> None:
    reader, area = make_link(faulty_readers.serve_reader), [Rect(0.4, 0.5, 0.1, 0.2)]
    sink = ReaderSink(reader, find_areas=lambda scene: ({"hint": HINT}, (("L07", "Ladder 7", area[0]),)))

    def part(now_s: float, hint: str = "Roll the die") -> Tree | None:
        scene = Scene(0, (), (), SceneHud(hint=hint))
        return sink.select(
            Moment(now_s, page=build_page(fresh()), scene=LazyValue(lambda: scene), shown=True)
        )

    assert part(0.0) is None
    until(lambda: reader.is_connected, meanwhile=reader.drain_requests)
    tree = part(0.0)
    assert tree is not None
    assert {node.name: node.rect for node in tree.nodes if node.name in ("Roll the die", "Ladder 7")} == {
        "Roll the die": HINT,
        "Ladder 7": area[0],
    }
    assert part(0.01) is None
    area[0] = Rect(0.1, 0.1, 0.1, 0.2)
    assert part(0.02) is None, "places are sent a few times a second"
    moved = part(AREA_INTERVAL_S)
    assert moved is not None
    assert area[0] in [node.rect for node in moved.nodes]
    assert part(AREA_INTERVAL_S + 0.01, hint="Take the ladder") is not None, "words are sent at once"


def test_a_hanging_process_is_replaced_and_then_reported(
    make_link: Callable[..., ReaderLink], clock: Clock
) -> None:
    """No call blocks, even with many updates, because the pipe never fills."""
    reader = make_link(faulty_readers.hang_child)
    pids: set[int] = set()

    def show_on() -> None:
        for number in range(10_000):
            pids.add(reader.pid)
            reader.publish(replace(TREE, nodes=(replace(TREE.nodes[0], name=f"{number}"), *TREE.nodes[1:])))
            clock.now_s += PATIENCE_S / 100.0
            reader.drain_requests()

    with pytest.raises(ReaderError):
        show_on()
    assert len(pids) == MAX_PROCESSES


@pytest.mark.parametrize(
    ("work", "why"), [(faulty_readers.exit_child, "gone"), (faulty_readers.panic_child, "poisoned")]
)
def test_a_process_that_keeps_dying_is_reported_once_and_the_game_continues(
    work: Callable[..., None], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armoon.app.speech.ReaderLink", partial(ReaderLink, work))
    messages: list[str] = []
    requests: list[str] = []
    reading = ScreenReaders(ReaderUse.ON, messages.append, lambda widget, _: requests.append(widget))
    (sink,) = reading.make_sinks(dict, lambda scene: ({}, ()))
    sink.process(TREE)

    def has_failed() -> bool:
        reading.poll()
        sink.process(TREE)
        return bool(messages)

    until(has_failed)
    reading.poll()
    reading.close()
    assert len(messages) == 1
    assert why in messages[0]
    assert not requests


@pytest.mark.parametrize(
    "tree",
    [
        Tree((Node(WINDOW, Role.WINDOW, "a", children=(5,)),)),
        Tree((Node(WINDOW, Role.WINDOW, "a"), Node(5, Role.LABEL, "b"))),
        Tree((Node(WINDOW, Role.WINDOW, "a", children=(5, 5)), Node(5, Role.LABEL, "b"))),
        Tree(
            (
                Node(WINDOW, Role.WINDOW, "a", children=(5,)),
                Node(5, Role.LABEL, "b"),
                Node(5, Role.LABEL, "c"),
            )
        ),
        Tree((Node(WINDOW, Role.WINDOW, "a"),), focus=7),
    ],
)
def test_an_incomplete_tree_never_reaches_the_library(
    make_link: Callable[..., ReaderLink], tree: Tree
) -> None:
    with pytest.raises(ReaderError):
        make_link(faulty_readers.exit_child).publish(tree)


def test_systems_other_than_linux_are_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(ReaderError, match="on Linux only"):
        ReaderLink()
