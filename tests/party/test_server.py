"""The party's server: the requests that it accepts and refuses, and its restarts."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

import pytest
from support.feed_kit import feed_of
from support.party_kit import Client, Stream, end_of, first_carry_line, receive, serve
from support.waiting import until

from armoon.broadcast import FeedEvent, FeedTurn, FeedVerdict, Seat, StateLine, decode_line
from armoon.errors import ArmoonError
from armoon.party.link import Server
from armoon.party.memory import new_key
from armoon.party.server.lines import Keys, Setup
from armoon.party.server.room import Room
from armoon.values.acts import Act

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return feed_of("moon")


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def server(messages: list[str]) -> Iterator[Server]:
    with serve(messages) as server:
        yield server


def test_pages_come_from_the_package_and_name_no_other_host(server: Server) -> None:
    keys = server.keys
    for page, key in {"overlay": keys.view, "board": keys.view, "vote": keys.join, "host": keys.host}.items():
        answer = Client(server, key).ask(page)
        assert answer.status == 200
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "access-control-allow-origin" not in answer.headers
        files = [word for word in answer.content.decode().split('"') if word.startswith("pages/")]
        assert len(files) == 3
        others = ("pages/drawing.js", "pages/common.js", "pages/nunito.ttf", "texts/fr.json", "qr")
        for file in (*files, *others):
            response = Client(server, key).ask(file)
            assert response.status == 200, file
            if not file.endswith("ttf") and file != "qr":
                assert b"http://" not in response.content.replace(b"http://www.w3.org/2000/svg", b"")
                assert b"https://" not in response.content


def test_a_late_guest_gets_the_state_and_then_the_events(server: Server, lines: list[bytes]) -> None:
    middle = end_of(lines, "judged")
    for line in lines[:middle]:
        server.write(line)
    stream = Stream(server, server.keys.view)
    state = stream.until(lambda event, data: event == "feed" and "state" in data and data["state"]["told"])
    assert [verdict["turn"] for verdict in state["state"]["told"]] == [1]
    for line in lines[middle:]:
        server.write(line)
    last = stream.until(lambda event, data: event == "feed" and data.get("kind") == "left")
    assert last["number"] > state["number"]
    stream.close()


def test_a_bet_opens_closes_and_is_settled_by_events(server: Server, lines: list[bytes]) -> None:
    phones = [Client(server, server.keys.join) for _ in range(3)]
    assert [phone.join("Zoé").plain["name"] for phone in phones] == ["Zoé", "Zoé 2", "Zoé 3"]
    watching = Stream(server, server.keys.join, "room")
    judged = end_of(lines, "judged")
    carried = first_carry_line(lines) + 2
    for line in lines[: end_of(lines, "hand", "taken")]:
        server.write(line)
    room = watching.until(lambda event, data: event == "room" and data["ballot"] is not None)
    number = room["ballot"]["number"]
    assert room["ballot"]["question"] == "holds"
    for choice, phone in enumerate(phones):
        assert phone.ask("vote", {"ballot": number, "choice": choice % 2}).status == 200
    assert phones[1].ask("vote", {"ballot": number, "choice": 0}).status == 200, "guests change their minds"
    assert phones[1].ask("vote", {"ballot": number + 1, "choice": 0}).plain == {"refused": "closed"}
    stranger = Client(server, server.keys.join)
    assert stranger.ask("vote", {"ballot": number, "choice": 0}).plain == {"refused": "nobody"}
    for line in lines[carried:judged]:
        server.write(line)
    room = watching.until(
        lambda event, data: event == "room" and data["ballot"] and data["ballot"]["right"] is not None
    )
    assert room["ballot"]["tally"] == [3, 0]
    assert phones[0].ask("vote", {"ballot": number, "choice": 1}).plain == {"refused": "closed"}
    assert phones[0].ask("me").plain["points"] == 1
    watching.close()


def test_a_host_opens_closes_bans_and_asks_the_table(server: Server, lines: list[bytes]) -> None:
    for line in lines[: end_of(lines, "began")]:
        server.write(line)
    host, phone = Client(server, server.keys.host), Client(server, server.keys.join)
    phone.join("Lou")
    until(lambda: host.ask("guests").plain["may"]["holds"])
    assert host.ask("do", {"what": "ask", "name": "holds"}).plain == {"done": True}
    assert host.ask("do", {"what": "ask", "name": "ladder"}).plain == {"done": False}, "not at this table"
    assert host.ask("foreign", {"voter": "somebody in a chat", "choice": 1}).status == 200
    assert host.ask("do", {"what": "close"}).plain == {"done": True}
    assert host.ask("do", {"what": "ban", "name": "Lou"}).plain == {"done": True}
    assert phone.ask("react", {"sign": "heart"}).plain == {"refused": "nobody"}
    for what, value in (("pause", 0), ("resume", 0), ("undo", 1), ("give_tear_back", 2)):
        assert host.ask("do", {"what": what, "value": value}).status == 200
    assert host.ask("do", {"what": "add_tear", "value": 99}).status == 400
    assert host.ask("do", {"what": "format the disk"}).status == 400
    assert [c.kind for c in receive(server, 4)] == [Act.PAUSE, Act.RESUME, Act.UNDO, Act.GIVE_TEAR_BACK]


def test_the_hosts_own_question_hides_its_result_until_it_closes(server: Server, lines: list[bytes]) -> None:
    host, phones = Client(server, server.keys.host), [Client(server, server.keys.join) for _ in range(3)]
    for phone in phones:
        phone.join("Lou")
    own = {"what": "ask_own", "name": " Who brings\nthe cake? "}
    for choices in (["one"], [], list("1234567"), ["", " ", "one"]):
        assert host.ask("do", {**own, "choices": choices}).status == 400
    host.ask("do", {"what": "hide", "value": 1})
    assert host.ask("do", {**own, "choices": ["Ben", "", "Dan", "Cleo"]}).plain == {"done": True}
    watching = Stream(server, server.keys.view)
    ballot = watching.until(lambda event, data: event == "room" and data["ballot"])["ballot"]
    assert ballot["about"] == "Who brings the cake?"
    for line in lines[: end_of(lines, "judged")]:
        server.write(line)
    for phone, choice in zip(phones, (1, 1, 2), strict=True):
        answer = phone.ask("vote", {"ballot": ballot["number"], "choice": choice})
        assert answer.status == 200, "no bet replaces it automatically"
    hidden = watching.until(lambda event, data: event == "room" and data["ballot"]["votes"] == 3)
    assert hidden["ballot"]["tally"] is None
    assert host.ask("do", {"what": "close"}).plain == {"done": True}
    tally = watching.until(lambda event, data: event == "room" and data["ballot"]["tally"])
    assert tally["ballot"]["tally"] == [0, 2, 1]
    watching.close()


def test_the_overlays_parts_stay_where_the_host_puts_them(server: Server) -> None:
    host, places = Client(server, server.keys.host), {"wide.score": [10.0, 20.5, 1.5], "tall.qr": [0, 0, 0.5]}
    watching = Stream(server, server.keys.view)
    assert watching.until(lambda event, data: event == "places") == {}
    assert host.ask("layout", {"places": places}).status == 200
    assert watching.until(lambda event, data: event == "places") == places
    until(lambda: server.setup.arranged.places.get("wide.score") == (10.0, 20.5, 1.5))
    wrong: tuple[object, ...] = ({"wide.nothing": [1, 1, 1]}, {"score": [1, 1, 1]}, {"wide.score": [1, 1]}, 3)
    for v in (*wrong, {"wide.score": [101, 1, 1]}, {"wide.score": [1, -1, 1]}, {"wide.score": [1, 1, 99]}):
        assert host.ask("layout", {"places": v}).status == 400, v
    assert Client(server, server.keys.view).ask("layout", {"places": {}}).status == 400
    assert Client(server, server.keys.view).ask("arrange").status == 404
    watching.close()


def test_the_hosts_style_sheet_applies_to_overlay_and_board_only() -> None:
    with serve(style=":root { --gold: #ff00ff; }") as server:
        viewer, phone = Client(server, server.keys.view), Client(server, server.keys.join)
        for page in ("overlay", "board"):
            assert b"pages/own.css" in viewer.ask(page).content
        assert viewer.ask("pages/own.css").content == b":root { --gold: #ff00ff; }"
        assert b"own.css" not in phone.ask("vote").content
        assert phone.ask("pages/own.css").status == 404


def test_a_wrong_request_is_refused_and_reported_once(server: Server, messages: list[str]) -> None:
    key, good = server.keys.join, f"127.0.0.1:{server.port}"
    client = Client(server, key)
    body = b'{"name": "Ann"}'
    paths = (
        *("/", "/overlay", f"/{new_key()}/vote", f"/{key}/../vote", f"/{key}//vote", f"/{key}/%2e%2e/vote"),
        *(f"/{key}/pages/../app.py", f"/{key}/pages/..%2fapp.py", f"/{key}/pages/nothing.js", f"/{key}/VOTE"),
        *(f"//{key}/vote", f"/{key}/vote/", f"/{key}/pages/overlay.css.js"),
    )
    bodies = (b"", b"{}", b"[]", b'{"name": 3}', b'{"name": "a", "more": 1}', b"\xff", b"[" * 1500)
    tried = {
        404: [client.ask("", path=path) for path in paths],
        421: [client.ask("vote", headers={"Host": f"{good}.evil.example"})],
        403: [client.ask("join", raw=body, headers={"Origin": "null"})],
        415: [client.ask("join", raw=body, headers={"Content-Type": "text/plain"})],
        413: [client.ask("join", raw=b" " * size + body) for size in (3000, 60_000)],
        405: [client.ask("vote", method="PUT")],
        400: [client.ask("join", raw=raw) for raw in bodies],
    }
    for status, answers in tried.items():
        assert [answer.status for answer in answers] == [status] * len(answers)
        assert all(answer.content == b"" for answer in answers if status != 405)
    with contextlib.suppress(ConnectionError):  # the server closes the connection before everything was sent
        assert client.ask("join", raw=b"x" * 10_000_000).status == 413
    assert client.ask("join", raw=body, headers={"Origin": f"http://{good}"}).status == 200
    until(lambda: len(messages) >= 8)
    assert len(messages) == len(set(messages)) == 8, messages
    assert all("127.0.0.1" in sentence and key not in sentence for sentence in messages)


def test_a_killed_server_restarts_with_guests_and_state(
    server: Server, lines: list[bytes], messages: list[str]
) -> None:
    phone = Client(server, server.keys.join)
    phone.join("Ann")
    for line in lines[: end_of(lines, "judged")]:
        server.write(line)
    host = Client(server, server.keys.host)
    host.ask("do", {"what": "ask", "name": "holds"})
    host.ask("do", {"what": "close"})
    until(lambda: server.setup.kept is not None and len(server.setup.kept.guests) == 1)
    first = server.process_id
    assert first is not None
    os.kill(first, signal.SIGKILL)
    until(lambda: server.crashes == 1)
    assert phone.ask("me").plain["name"] == "Ann", "the socket stayed open"
    state = Stream(server, server.keys.view).until(lambda event, data: event == "feed")
    assert state["state"]["told"][-1]["turn"] == 1
    assert server.process_id != first
    assert messages == ["The party's server has stopped and begins again; the game goes on."]


def test_a_stopped_server_delays_nobody(server: Server, lines: list[bytes]) -> None:
    server._watch.close()  # so that it isn't killed
    until(lambda: Client(server, server.keys.view).ask("overlay").status == 200)
    assert server.process_id is not None
    os.kill(server.process_id, signal.SIGSTOP)

    def write() -> None:
        for line in 200 * lines:
            server.write(line)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    until(lambda: not writer.is_alive(), "the writer")
    os.kill(server.process_id, signal.SIGCONT)
    assert Client(server, server.keys.view).ask("board").status == 200


def test_the_server_ends_with_open_streams(lines: list[bytes]) -> None:
    with serve(lines=lines) as server:
        streams = [Stream(server, server.keys.view) for _ in range(10)]
        process = server.process_id
    assert process is not None
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    for stream in streams:
        assert list(stream.messages()) is not None, "each stream ends"


def test_an_occupied_port_is_reported(server: Server) -> None:
    with pytest.raises(ArmoonError, match="can't listen on port"):
        Server(Keys(new_key(), new_key(), new_key()), print, port=server.port)


def test_the_server_listens_on_this_machine_only_unless_asked(server: Server) -> None:
    assert all(host.startswith(("127.0.0.1:", "localhost:")) for host in server.hosts)


def test_a_bet_names_the_player_of_its_ladder_until_the_next_bet() -> None:
    room = Room(Setup(Keys("v", "j", "h"), (), "", "en"), lambda line: None)
    seats: tuple[Seat, ...] = ()
    judged, named = "", set[tuple[str, str, str]]()
    for line in feed_of("moon"):
        room.add_feed_line(line)
        read = decode_line(line)
        if isinstance(read, StateLine) and read.state is not None:
            seats = read.state.standing.seats
        elif isinstance(read, FeedEvent) and isinstance(read.happening, FeedVerdict):
            judged = seats[read.happening.seat].name
        elif isinstance(read, FeedEvent) and isinstance(read.happening, FeedTurn):
            ballot = room.describe_state()["ballot"]
            if ballot is not None and ballot["right"] is not None:
                named.add((ballot["about"], judged, seats[read.happening.seat].name))
    assert named
    assert all(about == whose != on_turn for about, whose, on_turn in named)
