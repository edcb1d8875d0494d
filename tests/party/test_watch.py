"""The page for onlookers: the structure in 3D, drawn without a graphics card, and in words where that is impossible."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from support.browser_kit import WITH_3D, WITHOUT_3D, PageLog, launch_browser, needs_browser, open_browser
from support.feed_kit import feed_of
from support.party_kit import Client, Stream, serve
from support.waiting import until

from armoon.messages import catalogue
from armoon.party.link import Server
from armoon.party.server.app import LIBRARY, read_library, read_resource

PHONE = (390, 844)
#: Hashes of the files in three's package on npm, version 0.185.0.
HASHES = {
    "three.module.min.js": "86bcee248b64f44bcfc23c331ae74619061957d59cab040171dcb6fb5900beb6",
    "three.core.min.js": "0e9dd2793e01d0d9eb4f2ab00b4ffcdd4488275ebebee5c31fa8d347bc29f0bf",
}


@pytest.fixture(scope="module")
def feed_lines(request: pytest.FixtureRequest) -> list[bytes]:
    return feed_of(getattr(request, "param", "moon"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser(*WITH_3D) as browser:
        yield browser


@pytest.fixture
def server(feed_lines: list[bytes]) -> Iterator[Server]:
    with serve(lines=feed_lines[:-3]) as server:
        yield server


def watch_page(server: Server, more: str = "") -> str:
    return f"http://127.0.0.1:{server.port}/{server.keys.join}/watch{more}"


def test_the_library_equals_npms_byte_for_byte() -> None:
    hashes = {name: hashlib.sha256(gzip.decompress(read_library(name))).hexdigest() for name in LIBRARY}
    assert hashes == HASHES


def test_every_word_of_the_page_exists_in_both_languages() -> None:
    keys = set(re.findall(r'\bt\("([a-z_]+)"', read_resource("party/server/pages/onlookers.js").decode()))
    assert "watch_plain" in keys
    for language in ("en", "fr"):
        assert [key for key in keys if f"air.page.{key}" not in catalogue(language)] == []


@pytest.mark.slow
def test_an_onlooker_needs_no_name_and_loads_the_library_once(server: Server) -> None:
    guest = Client(server, server.keys.join)
    assert guest.ask("watch").status == 200
    assert Client(server, server.keys.host).ask("watch").status == 404
    for name in LIBRARY:
        sent = guest.ask(f"pages/{name}")
        assert sent.headers["content-encoding"] == "gzip"
        assert "max-age" in sent.headers["cache-control"]
    assert guest.ask("pages/three.other.min.js").status == 404
    stream = Stream(server, server.keys.join)
    assert stream.until(lambda event, data: event == "feed")["state"]["began"]["shapes"]
    stream.close()
    assert guest.ask("do", {"what": "clear"}).status == 400, "an onlooker controls nothing"


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("feed_lines", ["moon", "lake"], indirect=True)
def test_the_structure_is_drawn_in_3d_and_turned_by_keys_mouse_and_buttons(
    server: Server, feed_lines: list[bytes], browser: Any
) -> None:
    page_log = PageLog(browser)
    page = page_log.open_page(watch_page(server, "?lang=fr"), PHONE, reduced_motion="reduce")
    page.locator("canvas[data-drawn]").wait_for()
    until(lambda: read_number(page) >= json.loads(feed_lines[-4])["number"], "the last line")
    until(lambda: count_triangles(page) > 500, "all pieces are drawn")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert page.locator("td").count() == 3
    heights = page.eval_on_selector_all("button", "all => all.map(b => b.getBoundingClientRect().height)")
    assert min(heights) >= 44, "large enough for a finger"
    canvas = page.locator("canvas")
    box = canvas.bounding_box()
    assert box["height"] > 300
    pictures = [hash_picture(page)]

    def changes() -> None:
        until(lambda: hash_picture(page) not in pictures, "another picture")
        pictures.append(hash_picture(page))

    canvas.focus()
    page.keyboard.press("ArrowLeft")
    changes()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 130, steps=3)
    page.mouse.up()
    changes()
    page.locator(".handles button").nth(4).click()
    changes()
    page.locator(".handles button").nth(6).click()
    until(lambda: hash_picture(page) == pictures[0], "the first picture")
    page_log.check_quiet()


@pytest.mark.slow
@needs_browser
def test_motion_at_the_table_appears_on_the_page(browser: Any) -> None:
    feed_lines = feed_of("moon")
    live = [n for n, line in enumerate(feed_lines) if b'"live":' in line[:80]]
    with serve(lines=feed_lines[: live[2]]) as server:
        page_log = PageLog(browser)
        page = page_log.open_page(watch_page(server), PHONE, reduced_motion="reduce")
        page.locator("canvas[data-drawn]").wait_for()
        before = hash_picture(page)
        for line in feed_lines[live[2] : live[len(live) // 2] + 1]:
            server.write(line)
        until(lambda: hash_picture(page) != before, "motion")
        last = json.loads(feed_lines[live[len(live) // 2]])["number"]
        until(lambda: read_number(page) >= last, "the last line")
        page_log.check_quiet()


@pytest.mark.slow
@needs_browser
def test_without_3d_the_page_has_one_sentence_and_a_list(browser: Any, server: Server) -> None:
    with launch_browser(browser.browser_type, *WITHOUT_3D) as flat:
        page_log = PageLog(flat)
        page = page_log.open_page(watch_page(server, "?lang=fr"), PHONE)
        page.get_by_text(catalogue("fr")["air.page.watch_plain"]).wait_for()
        page.locator(".plain li").first.wait_for()
        until(lambda: page.locator(".plain li").count() >= 4, "all standing pieces")
        assert page.locator("canvas").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        assert not [r for r in page_log.requests if "three" in r], "an unusable library isn't loaded"
        page_log.check_quiet()


def read_number(page: Any) -> int:
    return int(page.evaluate("document.body.dataset.number || '0'"))


def count_triangles(page: Any) -> int:
    return int(page.evaluate("document.querySelector('canvas').dataset.drawn"))


def hash_picture(page: Any) -> str:
    return hashlib.sha256(page.locator("canvas").screenshot()).hexdigest()
