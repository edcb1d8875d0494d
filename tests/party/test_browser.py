"""The party's pages in a real browser: their look, in both languages, and no request to any other host."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.broker_kit import FakeTable
from support.browser_kit import PageLog, needs_browser, open_browser
from support.chat_kit import ChatServer
from support.feed_kit import feed_of
from support.party_kit import Client, end_of, first_carry_line, receive, serve
from support.waiting import until

from armoon.party.html_page import fill_page
from armoon.party.link import Server
from armoon.party.votes import parse_chat_address

pytestmark = [pytest.mark.slow, needs_browser]
BOXES = "all => all.map(a => a.getBoundingClientRect()).map(b => [b.left, b.top, b.right, b.bottom])"
SIZES = {"overlay": (1920, 1080), "board": (1920, 1080), "vote": (390, 844), "host": (1280, 900)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as browser:
        yield browser


@pytest.fixture
def page_log(browser: Any) -> Iterator[PageLog]:
    log = PageLog(browser)
    yield log
    log.check_quiet()


@pytest.fixture(scope="module")
def feed_lines() -> list[bytes]:
    return feed_of("moon")


@pytest.fixture
def server(feed_lines: list[bytes]) -> Iterator[Server]:
    with serve(lines=feed_lines) as server:
        yield server


@pytest.fixture(scope="module")
def feed_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with serve(lines=feed_of(getattr(request, "param", "moon"))) as server:
        yield server


@pytest.mark.parametrize(
    ("feed_server", "lang", "size"),
    [("moon", "en", (1920, 1080)), ("moon", "fr", (640, 360)), ("lake", "fr", (1080, 1920))],
    indirect=["feed_server"],
    ids=str,
)
def test_the_overlay_fits_and_is_legible(
    feed_server: Server, page_log: PageLog, lang: str, size: tuple[int, int]
) -> None:
    page = page_log.open_page(f"{feed_server.address('overlay')}?lang={lang}", size)
    page.wait_for_selector(".score li")
    assert "Ann" in page.inner_text(".score")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    boxes = page.eval_on_selector_all(".panel:not([hidden])", BOXES)
    assert len(boxes) >= 2
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert top >= 0
        assert right <= size[0] + 1
        assert bottom <= size[1] + 1
    letters_px = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.score li')).fontSize)")
    assert letters_px >= 0.036 * min(size), "legible in a small stream"


def test_the_address_selects_the_parts(feed_server: Server, page_log: PageLog) -> None:
    page = page_log.open_page(f"{feed_server.address('overlay')}?parts=score&theme=paper", (1920, 1080))
    page.wait_for_selector(".score li")
    assert page.eval_on_selector_all(".panel", "all => all.map(one => one.className)") == ["panel score"]
    assert page.evaluate("document.documentElement.classList.contains('paper')")


@pytest.mark.parametrize(
    ("feed_server", "lang", "size"),
    [("moon", "fr", (1080, 1920)), ("lake", "en", (1920, 1080))],
    indirect=["feed_server"],
    ids=str,
)
def test_the_board_draws_the_structure(
    feed_server: Server, page_log: PageLog, lang: str, size: tuple[int, int]
) -> None:
    page = page_log.open_page(f"{feed_server.address('board')}?lang={lang}", size)
    page.locator(".structure path").nth(3).wait_for(state="attached")
    page.locator(".story li").nth(2).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


#: Elements that reach below the picture, or contain more than is visible.
CUT = """() => [...document.querySelectorAll("section, .bar, img")].filter((one) => one.checkVisibility() &&
  (one.getBoundingClientRect().bottom > innerHeight || one.scrollHeight > one.clientHeight + 2))
  .map((one) => one.className)"""


def test_board_and_code_fit_with_any_number_of_answers(
    page_log: PageLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armoon.party.link.find_own_address", lambda: "192.168.100.100")
    table = FakeTable("hall")
    table.seats = tuple(replace(table.seats[0], name=f"Player {number}") for number in range(6))
    with serve(lan=True, lines=(*table.begin(), *table.judge(1))) as server:
        host = Client(server, server.keys.host)
        host.ask("do", {"what": "hide", "value": 1})
        pages = [
            page_log.open_page(f"{server.address(page)}?parts=die,vote,ticker,qr", SIZES[page])
            for page in ("board", "overlay")
        ]
        for count in range(2, 7):
            choices = [f"{number} is quite a long answer for a screen" for number in range(count)]
            ask = {"what": "ask_own", "name": f"{count} answers to {60 * 'long '}", "choices": choices}
            assert host.ask("do", ask).plain == {"done": True}
            for page in pages:
                page.locator(".bar").nth(count - 1).wait_for()
                page.locator("img").wait_for()
                assert page.evaluate(CUT) == [], count


@pytest.mark.parametrize("game", ["moon", "lake"])
def test_a_phone_joins_and_votes_with_named_buttons(page_log: PageLog, game: str) -> None:
    feed_lines = feed_of(game)
    with serve() as server:
        side = b'"seen_from":"side"' in feed_lines[0]
        first_line = first_carry_line(feed_lines) if side else 0
        for line in feed_lines[: first_line + 3]:
            server.write(line)
        page = page_log.open_page(server.address("vote"), SIZES["vote"])
        page.fill("#name", "Luna")
        page.get_by_role("button", name="Join in").click()
        page.get_by_role("heading", name="Luna").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["vote"][0]
        names = page.eval_on_selector_all(
            "button", "all => all.map(b => b.getAttribute('aria-label') || b.textContent)"
        )
        assert all(names), "every button has a name"
        heights = page.eval_on_selector_all("button", "all => all.map(b => b.getBoundingClientRect().height)")
        assert min(heights) >= 44, "large enough for a finger"
        if side:
            page.get_by_role("button", name="It holds").click()
            page.get_by_text("Your vote is counted.").wait_for()
            assert page.get_by_role("button", name="It holds").get_attribute("aria-pressed") == "true"
            for line in feed_lines[first_line + 3 : end_of(feed_lines[first_line:], "judged") + first_line]:
                server.write(line)
            page.get_by_text("bell has rung").or_(page.get_by_text("right!")).or_(
                page.get_by_text("Not this time")
            ).first.wait_for()


def test_the_host_closes_votes_bans_and_overrules(page_log: PageLog, feed_lines: list[bytes]) -> None:
    first_line = first_carry_line(feed_lines)
    with serve(lines=feed_lines[: first_line + 3]) as server:
        Client(server, server.keys.join).join("Luna")
        host = page_log.open_page(server.address("host"), SIZES["host"])
        overlay = page_log.open_page(server.address("overlay"), SIZES["overlay"])
        overlay.wait_for_selector(".vote .bar")
        host.get_by_role("button", name="Ring the bell").click()
        overlay.wait_for_selector(".vote", state="hidden")
        host.get_by_role("button", name="Clear").click()
        host.get_by_role("button", name="Clear").wait_for(state="detached")
        host.get_by_text("Luna · 0").wait_for()
        place = host.get_by_role("button", name="Send away").bounding_box()
        host.mouse.click(place["x"] + 9, place["y"] + 9, click_count=2)
        host.get_by_role("button", name="Send away").wait_for()
        host.get_by_text("Luna · 0").wait_for()
        host.get_by_role("button", name="Send away").click()
        host.get_by_role("button", name="Yes, send away").click()
        host.get_by_text("Luna · 0").wait_for(state="detached")
        host.get_by_role("button", name="Let back in").click()
        host.get_by_text("Luna · 0").wait_for()
        host.get_by_role("button", name="Undo a turn").click()
        host.get_by_role("button", name="One fewer for Ann").click()
        host.get_by_role("button", name="One more for Ann").click()
        kinds = [command.kind.word for command in receive(server, 3)]
        assert kinds == ["undo", "give_tear_back", "add_tear"]


def test_presses_text_and_focus_survive_guests_joining(page_log: PageLog, feed_lines: list[bytes]) -> None:
    with serve(lines=feed_lines[: first_carry_line(feed_lines) + 3]) as server:
        phones = [Client(server, server.keys.join) for _ in range(3)]
        phones[0].join("Dora")
        host = page_log.open_page(server.address("host"), SIZES["host"])
        phone = page_log.open_page(server.address("vote"), SIZES["vote"])
        phone.fill("#name", "Lu")
        host.get_by_role("button", name="Pause").hover()
        host.mouse.down()
        for number, other in enumerate(phones[1:], 2):
            other.join(f"Guest {number}")
            host.get_by_text(f"Guest {number} · 0").wait_for()
        host.mouse.up()
        assert receive(server, 1)[0].kind.value == "pause"
        assert phone.input_value("#name") == "Lu", "half-typed text is kept"
        assert phone.evaluate("document.activeElement.id") == "name"
        phone.get_by_role("button", name="Join in").click()
        phone.get_by_role("heading", name="Lu ·").wait_for()
        host.get_by_text("Lu · 0").wait_for()
        host.get_by_role("button", name="Send away").nth(1).focus()
        phones[0].join("Dorothy")
        host.get_by_text("Dorothy · 0").wait_for()
        assert host.evaluate("document.activeElement.parentElement.firstChild.textContent") == "Guest 2 · 0"
        for key in ("Enter", "Tab", "Enter"):
            host.keyboard.press(key)
        host.get_by_text("Guest 2 · 0").wait_for(state="detached")
        assert host.get_by_text("Guest 3 · 0").count() == 1


def test_an_overlay_without_connection_shows_nothing(page_log: PageLog, feed_lines: list[bytes]) -> None:
    with serve(lines=feed_lines) as server:
        page = page_log.open_page("about:blank", SIZES["overlay"])
        page.clock.install()
        page.goto(server.address("overlay"))
        page.wait_for_selector(".score li")
        assert not page.evaluate("document.body.classList.contains('gone')")
    page.clock.fast_forward(11_000)
    assert page.evaluate("document.body.classList.contains('gone')")


#: Replaces a page's streams with ones that can be silenced, like those of a phone in standby.
SILENCING_SCRIPT = """
window.streams = [];
window.EventSource = class extends EventSource {
  constructor(where) { super(where); streams.push(this); }
  addEventListener(name, hear) { super.addEventListener(name, (event) => { if (!this.silent) hear(event); }); }
};
"""


@pytest.mark.parametrize(
    ("event", "after_ms", "looks_lost"),
    [
        ("window.dispatchEvent(new Event('resize'))", 11_000, True),
        ("document.dispatchEvent(new Event('visibilitychange'))", 3_000, False),
        ("window.dispatchEvent(new Event('pageshow'))", 3_000, False),
    ],
    ids=["silence", "visible again", "shown again"],
)
def test_a_phone_with_a_dead_stream_opens_another(
    feed_server: Server, page_log: PageLog, event: str, after_ms: int, looks_lost: bool
) -> None:
    host = Client(feed_server, feed_server.keys.host)
    ask = {"what": "ask_own", "name": "Tea?", "choices": ["Tea", "Cake"]}
    assert host.ask("do", ask).plain == {"done": True}
    page = page_log.open_page("about:blank", SIZES["vote"])
    page.clock.install()
    page.add_init_script(SILENCING_SCRIPT)
    page.goto(feed_server.address("vote"))
    page.get_by_role("button", name="Join in").click()
    tea = page.get_by_role("button", name="Tea")
    tea.wait_for()
    page.evaluate("streams.at(-1).silent = true")
    before = page.evaluate("streams.length")
    # The replacement is silent too at first.
    page.evaluate("Object.defineProperty(EventSource.prototype, 'silent', {value: true, writable: true})")
    page.clock.fast_forward(after_ms)
    page.evaluate(event)
    until(lambda: page.evaluate("streams.length") == before + 1)
    assert tea.is_disabled() == looks_lost
    assert (page.locator(".unheard").count() == 1) == looks_lost
    page.evaluate("streams.at(-1).silent = false")
    assert host.ask("do", {**ask, "choices": ["Tea", "Milk"]}).plain == {"done": True}
    page.get_by_role("button", name="Milk").click()
    page.get_by_text("Your vote is counted.").wait_for()
    assert page.locator(".unheard").count() == 0


def test_the_host_locks_the_party_and_admits_guests(server: Server, page_log: PageLog) -> None:
    host = page_log.open_page(server.address("host"), SIZES["host"])
    host.get_by_role("button", name="Lock the door").click()
    host.get_by_role("button", name="Open the door again").wait_for()
    phone = page_log.open_page("about:blank", SIZES["vote"])
    phone.add_init_script(SILENCING_SCRIPT)
    phone.goto(server.address("vote"))
    phone.get_by_role("button", name="Join in").click()
    refusal, lost = phone.get_by_text("lets no more guests in"), phone.get_by_text("connection is lost")
    refusal.wait_for()
    phone.evaluate("streams.at(-1).onerror()")
    lost.wait_for(state="detached")
    assert refusal.is_visible(), "a working stream doesn't hide the refusal"
    host.get_by_role("button", name="Open the door again").click()
    host.get_by_role("button", name="Ask me about each new guest").click()
    host.get_by_role("button", name="Let new guests in without asking").wait_for()
    phone.fill("#name", "Luna")
    phone.get_by_role("button", name="Join in").click()
    phone.get_by_text("as soon as the host says yes").wait_for()
    host.get_by_role("button", name="Let in", exact=True).click()
    phone.get_by_text("as soon as the host says yes").wait_for(state="detached")


def test_the_host_asks_a_question_and_closes_it(server: Server, page_log: PageLog) -> None:
    phone = page_log.open_page(server.address("vote"), SIZES["vote"])
    phone.get_by_role("button", name="Join in").click()
    host = page_log.open_page(server.address("host"), SIZES["host"])
    host.get_by_role("button", name="Hide results until the bell").click()
    host.get_by_text("A question of your own").click()
    host.get_by_label("Your question").fill("Tea or cake?")
    host.get_by_label("Answer 1").fill("Tea")
    phone.get_by_role("button", name="A heart").wait_for()
    assert host.get_by_label("Answer 1").input_value() == "Tea", "half-typed text is kept when a guest joins"
    host.get_by_label("Answer 2").fill("Cake")
    host.get_by_label("Answer 2").press("Enter")
    phone.get_by_role("heading", name="Tea or cake?").wait_for()
    phone.get_by_role("button", name="Cake").click()
    phone.get_by_text("1 voted; the result comes with the bell.").wait_for()
    host.get_by_role("button", name="Ring the bell").click()
    phone.get_by_text("100 %").wait_for()


def test_the_overlay_is_arranged_without_a_game_by_mouse_and_keys(
    page_log: PageLog, feed_lines: list[bytes]
) -> None:
    with serve() as server:
        page = page_log.open_page(server.address("host")[:-4] + "arrange", (1500, 900))
        inside = page.frame_locator("iframe")
        score = inside.locator(".panel.score")
        score.wait_for()
        assert inside.locator(".panel:visible").count() == 8, "every part has something to show"
        box = score.bounding_box()
        verdict = inside.locator(".panel.verdict").bounding_box()
        assert box["x"] + box["width"] <= verdict["x"], "the verdict doesn't cover the score"
        for part in ("vote", "ticker"):
            beside = inside.locator(f".panel.{part}").bounding_box()
            assert verdict["x"] + verdict["width"] <= beside["x"]
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 30, box["y"] - 180, steps=3)
        page.mouse.up()
        page.get_by_text("Done.").wait_for()
        moved = score.bounding_box()
        assert abs(moved["x"] - box["x"] - 10) < 3
        assert abs(moved["y"] - box["y"] + 200) < 3
        until(lambda: "wide.score" in server.setup.arranged.places)
        page.mouse.move(moved["x"] + moved["width"] - 5, moved["y"] + moved["height"] - 5)
        page.mouse.down()
        page.mouse.move(moved["x"] + 1.5 * moved["width"], moved["y"] + moved["height"], steps=3)
        page.mouse.up()
        until(lambda: server.setup.arranged.places["wide.score"][2] > 1.3)
        page.get_by_role("button", name="Height", exact=True).focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("+")
        until(lambda: server.setup.arranged.places.get("wide.height", (0, 0, 0))[2] == 1.05)
        page.keyboard.press("Delete")
        until(lambda: "wide.height" not in server.setup.arranged.places)
        for line in feed_lines:
            server.write(line)
        overlay = page_log.open_page(server.address("overlay"), SIZES["overlay"])
        overlay.wait_for_selector(".score.placed li")
        left = overlay.evaluate("document.querySelector('.score').getBoundingClientRect().left / innerWidth")
        assert abs(100 * left - server.setup.arranged.places["wide.score"][0]) < 0.1


def test_emoji_drift_past_the_moon(server: Server, page_log: PageLog) -> None:
    phone = Client(server, server.keys.join)
    phone.join("Luna")
    page = page_log.open_page(server.address("overlay"), SIZES["overlay"])
    page.wait_for_selector(".score li")
    assert phone.ask("react", {"sign": "heart"}).status == 200
    page.wait_for_selector(".signs .sign")
    assert page.eval_on_selector_all(".signs .moon", "all => all.length") == 1


def test_choices_have_numbers_if_a_chat_votes(page_log: PageLog, feed_lines: list[bytes]) -> None:
    first_line = first_carry_line(feed_lines)
    chat = ChatServer()
    with serve(chat=parse_chat_address(chat.address, 0.0)) as server:
        chat.wait_for_client()
        for line in feed_lines[: first_line + 3]:
            server.write(line)
        page = page_log.open_page(server.address("overlay"), SIZES["overlay"])
        page.wait_for_selector(".vote .bar")
        assert page.inner_text(".vote .bar").startswith("!1")
        # Vote repeatedly, because the page may still show the ballot on an earlier ladder.
        counted = page.locator(".vote .bar").nth(1).get_by_text("1", exact=True)
        until(counted.is_visible, "the chat's vote", lambda: chat.chat("Zoé", "!2"))
    chat.close()


def test_phones_show_a_void_vote_and_boards_a_lost_server(page_log: PageLog, feed_lines: list[bytes]) -> None:
    with serve(lines=feed_lines[: first_carry_line(feed_lines) + 3]) as server:
        board = page_log.open_page(server.address("board"), SIZES["board"])
        phone = page_log.open_page(server.address("vote"), SIZES["vote"])
        phone.fill("#name", "Luna")
        phone.get_by_role("button", name="Join in").click()
        phone.get_by_role("button", name="It holds").click()
        phone.get_by_text("Your vote is counted.").wait_for()
        phone.get_by_text("100 %").wait_for()
        assert phone.get_by_text("Your vote is counted.").is_visible(), "the note outlasts the count"
        assert server.process_id is not None
        os.kill(server.process_id, signal.SIGKILL)
        void = phone.get_by_text("The vote that was open doesn't count.")
        void.wait_for()
        another = Client(server, server.keys.join)
        until(lambda: another.join("Max").status == 200)
        board.get_by_text("2 on their phones").wait_for()
        assert void.is_visible()
        assert phone.get_by_role("heading", name="Luna").is_visible(), "the guest is still a member"
        assert board.get_by_text("connection is lost").is_hidden()
        server.close()
        board.get_by_text("connection is lost").wait_for()
        phone.get_by_text("connection is lost").wait_for()


def test_the_obs_page_redirects_to_the_overlay_before_a_game_begins(
    browser: Any, page_log: PageLog, feed_lines: list[bytes], tmp_path: Path
) -> None:
    with serve() as server:
        file = tmp_path / "overlay.html"
        file.write_text(fill_page("obs", address=server.address("overlay")))
        page = page_log.open_page(f"file://{file}?parts=score", SIZES["overlay"])
        for line in feed_lines:
            server.write(line)
        page.wait_for_selector(".score li")
        assert page.url.startswith("http://127.0.0.1:")
        assert page.url.endswith("?parts=score")
