"""The party's pages in a real browser: what is seen, in both languages, and that nothing is asked of anybody else."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.chat_kit import ChatServer
from support.feed_kit import fed_by, written_log
from support.party_kit import Client, serving, wished
from support.waiting import until

from armoon.party.link import Server
from armoon.party.paper import obs_page
from armoon.party.votes.chat import chat_at

pytest.importorskip("starlette", reason="the extra armoon[party] isn't installed")
sync = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: apt-get install chromium"),
]
PATIENCE_MS = 30_000
BOXES = "all => all.map(a => a.getBoundingClientRect()).map(b => [b.left, b.top, b.right, b.bottom])"
SIZES = {"overlay": (1920, 1080), "board": (1920, 1080), "vote": (390, 844), "host": (1280, 900)}


class Looking:
    """Pages in a browser, with all that they asked for and complained of."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self.asked: list[str] = []
        self.complaints: list[str] = []

    def at(self, address: str, size: tuple[int, int]) -> Any:
        page = self._browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.set_default_timeout(PATIENCE_MS)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(address)
        return page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync.sync_playwright() as playwright:
        # In a container there is often nobody but root, for whom Chromium has no sandbox.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def looking(browser: Any) -> Iterator[Looking]:
    looking = Looking(browser)
    yield looking
    assert looking.complaints == []
    assert [one for one in looking.asked if not one.startswith(("http://127.0.0.1:", "file:"))] == []


@pytest.fixture(scope="module", params=["moon", "lake"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    return fed_by(written_log(request.param, tmp_path_factory.mktemp("log")))


def carried(told: list[bytes]) -> int:
    """Return the line of the first ladder that was taken and not put back: until it is let go of, there are bets."""
    released = next(n for n, one in enumerate(told) if b'"what":"released"' in one)
    return max(n for n, one in enumerate(told[:released]) if b'"what":"taken"' in one)


@pytest.fixture
def server(told: list[bytes]) -> Iterator[Server]:
    with serving() as server:
        for line in told:
            server.write(line)
        yield server


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920), (640, 360)], ids=str)
def test_the_overlay_fits_and_is_clear(
    server: Server, looking: Looking, lang: str, size: tuple[int, int]
) -> None:
    page = looking.at(f"{server.address('overlay')}?lang={lang}", size)
    page.wait_for_selector(".score li")
    assert "Ann" in page.inner_text(".score")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    boxes = page.eval_on_selector_all(
        ".panel:not([hidden])",
        BOXES,
    )
    assert len(boxes) >= 2
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert top >= 0
        assert right <= size[0] + 1
        assert bottom <= size[1] + 1
    letters_px = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.score li')).fontSize)")
    assert letters_px >= 0.036 * min(size), "13 pixels where the stream is 360 high"
    page.close()


def test_parts_are_chosen_in_the_address(server: Server, looking: Looking) -> None:
    page = looking.at(f"{server.address('overlay')}?parts=score&theme=paper", (1920, 1080))
    page.wait_for_selector(".score li")
    assert page.eval_on_selector_all(".panel", "all => all.map(one => one.className)") == ["panel score"]
    assert page.evaluate("document.documentElement.classList.contains('paper')")
    page.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920)], ids=str)
def test_the_board_draws_the_structure(
    server: Server, looking: Looking, lang: str, size: tuple[int, int]
) -> None:
    page = looking.at(f"{server.address('board')}?lang={lang}", size)
    page.locator(".structure path").nth(3).wait_for(state="attached")
    page.locator(".story li").nth(2).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.close()


def test_a_phone_joins_votes_and_is_read_aloud(looking: Looking, told: list[bytes]) -> None:
    with serving() as server:
        side = b'"seen_from":"side"' in told[0]
        taken = carried(told) if side else 0
        for line in told[: taken + 3]:
            server.write(line)
        page = looking.at(server.address("vote"), SIZES["vote"])
        page.fill("#name", "Luna")
        page.get_by_role("button", name="Join in").click()
        page.get_by_role("heading", name="Luna").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["vote"][0]
        names = page.eval_on_selector_all(
            "button", "all => all.map(b => b.getAttribute('aria-label') || b.textContent)"
        )
        assert all(names), "every button is called something"
        heights = page.eval_on_selector_all("button", "all => all.map(b => b.getBoundingClientRect().height)")
        assert min(heights) >= 44, "as large as a finger"
        if side:
            page.get_by_role("button", name="It holds").click()
            page.get_by_text("Your vote is counted.").wait_for()
            assert page.get_by_role("button", name="It holds").get_attribute("aria-pressed") == "true"
            for line in told[taken + 3 :]:
                server.write(line)
            page.get_by_text("bell has rung").or_(page.get_by_text("right!")).or_(
                page.get_by_text("Not this time")
            ).first.wait_for()
        page.close()


def test_the_host_pauses_by_the_page(server: Server, looking: Looking) -> None:
    page = looking.at(server.address("host"), SIZES["host"])
    page.get_by_role("button", name="Pause").click()
    assert wished(server, 1)[0].kind.value == "pause"
    page.close()


def test_the_host_rings_clears_bans_and_overrules(looking: Looking, told: list[bytes]) -> None:
    if b'"seen_from":"side"' not in told[0]:
        pytest.skip("nothing is bet on in this game")
    taken = carried(told)
    with serving() as server:
        for line in told[: taken + 3]:
            server.write(line)
        Client(server, server.keys.join).join("Luna")
        host = looking.at(server.address("host"), SIZES["host"])
        overlay = looking.at(server.address("overlay"), SIZES["overlay"])
        overlay.wait_for_selector(".vote .bar")
        host.get_by_role("button", name="Ring the bell").click()
        overlay.wait_for_selector(".vote", state="hidden")
        host.get_by_role("button", name="Clear").click()
        host.get_by_role("button", name="Clear").wait_for(state="detached")
        host.get_by_text("Luna · 0").wait_for()
        host.get_by_role("button", name="Send away").click()
        host.get_by_text("Luna · 0").wait_for(state="detached")
        host.get_by_role("button", name="Take a turn back").click()
        host.get_by_role("button", name="Give Ann one back").click()
        host.get_by_role("button", name="Add one to Ann").click()
        kinds = [wish.kind.word for wish in wished(server, 3)]
        assert kinds == ["undo", "give_tear_back", "add_tear"]
        host.close()
        overlay.close()


def test_signs_drift_past_the_moon(server: Server, looking: Looking) -> None:
    phone = Client(server, server.keys.join)
    phone.join("Luna")
    page = looking.at(server.address("overlay"), SIZES["overlay"])
    page.wait_for_selector(".score li")
    assert phone.ask("react", {"sign": "heart"}).status == 200
    page.wait_for_selector(".signs .sign")
    assert page.eval_on_selector_all(".signs .moon", "all => all.length") == 1
    page.close()


def test_where_a_chat_votes_the_choices_have_numbers(looking: Looking, told: list[bytes]) -> None:
    if b'"seen_from":"side"' not in told[0]:
        pytest.skip("nothing is bet on in this game")
    taken = carried(told)
    chat = ChatServer()
    with serving(chat=chat_at(chat.address, 0.0)) as server:
        chat.joined()
        for line in told[: taken + 3]:
            server.write(line)
        page = looking.at(server.address("overlay"), SIZES["overlay"])
        page.wait_for_selector(".vote .bar")
        assert page.inner_text(".vote .bar").startswith("!1")
        chat.chat("Zoé", "!2")
        page.locator(".vote .bar").nth(1).get_by_text("1", exact=True).wait_for()
        page.close()
    chat.close()


def test_a_killed_server_is_found_again(server: Server, looking: Looking, told: list[bytes]) -> None:
    page = looking.at(server.address("overlay"), SIZES["overlay"])
    page.wait_for_selector(".score li")
    assert server.process_id is not None
    os.kill(server.process_id, signal.SIGKILL)
    until(lambda: server.deaths == 1)
    page.evaluate("document.body.dataset.number = ''")
    until(lambda: page.evaluate("document.body.dataset.number !== ''"))
    page.close()


def test_obs_may_begin_first(browser: Any, looking: Looking, told: list[bytes], tmp_path: Path) -> None:
    with serving() as server:
        file = tmp_path / "overlay.html"
        file.write_text(obs_page(server.address("overlay")))
        page = looking.at(f"file://{file}?parts=score", SIZES["overlay"])
        for line in told:
            server.write(line)
        page.wait_for_selector(".score li")
        assert page.url.startswith("http://127.0.0.1:")
        assert page.url.endswith("?parts=score")
        page.close()
