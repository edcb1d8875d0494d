"""Votes from a chat: its lines, the delay of its viewers, and a server of the same protocol on loopback."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.chat_kit import ChatServer, create_certificate
from support.feed_kit import feed_of
from support.party_kit import Client, Stream, end_of, receive, serve
from support.waiting import until

from armoon.broadcast import Words
from armoon.party.part import Chat
from armoon.party.server.lines import Keys, Setup
from armoon.party.server.room import Room
from armoon.party.votes import (
    BET_POINTS,
    MAX_OTHERS,
    OTHER,
    TLS_PORT,
    TWITCH,
    Ballots,
    ChatAddress,
    ChatLine,
    VoteQuestion,
    VoteRefusal,
    VoteRefused,
    parse_chat_address,
    parse_choice,
    read_chat_line,
)
from armoon.values.acts import Act

TWO = (Words("Yes", "Oui"), Words("No", "Non"))
SAYS = b"@badge-info=;display-name=Luna\\sB;user-id=17;user-type= :luna!luna@luna.tmi.twitch.tv PRIVMSG #c :!2\r\n"


def test_lines_are_parsed_as_the_server_intends() -> None:
    assert read_chat_line(SAYS) == ChatLine("17", "Luna B", "!2")
    assert read_chat_line(b":zoe!zoe@x PRIVMSG #c :hello : you\r\n") == ChatLine("zoe", "zoe", "hello : you")
    assert read_chat_line(b"PING :tmi.twitch.tv\r\n") == ("ping", "tmi.twitch.tv")
    assert read_chat_line(b":tmi.twitch.tv 366 justinfan1 #c :End of /NAMES list") == ("joined", "")
    assert read_chat_line(b":tmi.twitch.tv RECONNECT") == ("leave", "")
    assert read_chat_line(b":tmi.twitch.tv NOTICE * :Login unsuccessful") == ("leave", "")
    for other in (b"", b"@", b":", b":x", b"PRIVMSG", b"PRIVMSG #c", b":tmi.twitch.tv 001 me :Welcome"):
        assert read_chat_line(other) is None


@given(st.binary(max_size=400) | st.binary(max_size=60).map(lambda more: SAYS[:-2] + more))
def test_any_line_is_parsed_safely(line: bytes) -> None:
    read = read_chat_line(line)
    if read is None or isinstance(read, tuple):
        assert read is None or not {"\r", "\n"} & set(read[1])
    else:
        assert read.voter.isprintable()
        assert 0 < len(read.voter) <= 60 >= len(read.name)
        assert len(read.words) <= 200
        assert parse_choice(read.words, 3) in (None, 0, 1, 2)


@pytest.mark.parametrize(
    ("words", "count", "choice"),
    [
        *(("!1", 3, 0), ("2", 3, 1), (" !3 ", 3, 2), ("!4", 3, None), ("!0", 3, None), ("!yes", 2, 0)),
        *(("Non", 2, 1), ("!oui", 3, None), ("1 please", 3, None), ("", 2, None), ("!!1", 2, None)),
        *(("99999", 3, None), ("2 3", 3, None), ("@luna hello 2", 3, None), ("#", 3, None), (".", 3, None)),
        # Additions by chat programs, other digits, and replies.
        *(
            (f"2{added}", 3, 1)
            for added in (" \U000e0000", "\u034f", "\u200d", "\u200b", "\ufeff", "\ufe0f", "\xad")
        ),
        *((f"\u2066!1{added}\u2069", 3, 0) for added in (".", "!", ")", ",", " .", "\u3164")),
        *(("２", 3, 1), ("2️⃣", 3, 1), ("#2", 3, 1), ("②", 3, 1), ("@luna 2", 3, 1), ("@Luna, yes!", 2, 0)),
        *(
            (f"{number} \U0001f44d", 3, 1)
            for number in ("٢", "२", "๒", "❷", "(2)", "[2]", "“2”", "*2*", "¡2!", "2。")
        ),
        *(
            ("no \U0001f642", 2, 1),
            ("-2", 3, None),
            ("2,5", 3, None),
            ("2 @luna 1", 3, None),
            ("''", 3, None),
        ),
        *(("yes!", 2, 0), ("OUI !", 2, 0), ("nо", 2, None), ("ｎｏ", 2, 1)),
    ],
)
def test_votes_are_recognised(words: str, count: int, choice: int | None) -> None:
    assert parse_choice(words, count) == choice


def test_a_chat_is_a_twitch_channel_or_an_address() -> None:
    assert parse_chat_address("@Luna", 12.0) == ChatAddress("luna", TWITCH, TLS_PORT, True, 12.0)
    own = ChatAddress("luna", "127.0.0.1", 7000, False, 0.0)
    assert parse_chat_address("irc://127.0.0.1:7000/#Luna", 0.0) == own
    assert parse_chat_address("ircs://irc.example/luna", 15.0).port == TLS_PORT
    for wrong in (
        "",
        "a b",
        "x" * 26,
        "luna\r\nPRIVMSG",
        "http://x/luna",
        "irc:///luna",
        "irc://me@x/luna",
        "é",
    ):
        with pytest.raises(ValueError, match=r".*"):
            parse_chat_address(wrong, 15.0)


def test_delayed_viewers_vote_on_the_ballot_that_they_see() -> None:
    now_s = 100.0
    ballots = Ballots(now_s=lambda: now_s)
    assert ballots.find_seen_ballot(15.0) is None
    first = ballots.open_ballot(VoteQuestion.HOLDS, TWO)
    now_s = 101.0
    assert ballots.find_seen_ballot(15.0) is first, "some viewers have less delay"
    now_s = 108.0
    ballots.close_ballot()
    now_s = 109.0
    assert ballots.find_seen_ballot(15.0) is None, "it has closed, but no viewer has seen that yet"
    now_s = 116.0
    assert ballots.find_seen_ballot(15.0) is first, "it has closed, but viewers still see it open"
    now_s = 118.0
    second = ballots.open_ballot(VoteQuestion.HOLDS, TWO)
    now_s = 119.0
    assert ballots.find_seen_ballot(15.0) is first, "the next one is open, but viewers still see the last one"
    now_s = 125.0
    assert ballots.find_seen_ballot(15.0) is second


def test_a_large_chat_takes_no_phones_place() -> None:
    ballots = Ballots()
    for number in range(MAX_OTHERS):
        ballots.join(f"{OTHER}{number}", "", "Guest")
    with pytest.raises(VoteRefused) as why:
        ballots.join(f"{OTHER}more", "", "Guest")
    assert why.value.reason is VoteRefusal.FULL
    assert ballots.join("phone", "Luna", "Guest").name == "Luna"


def test_each_viewer_of_a_large_chat_is_counted_once() -> None:
    room = Room(
        Setup(Keys("v", "j", "h"), (), "", "en", chat=ChatAddress("luna", delay_s=0.0)), lambda line: None
    )
    room.ballots.open_ballot(VoteQuestion.HOLDS, TWO)

    async def said() -> None:
        room.broadcast_state()
        for times in range(2):
            for number in range(MAX_OTHERS + 200):
                line = f"!{1 + (number + times) % 2}"
                room.add_chat_line(ChatLine(f"voter {number}", f"Voter {number}", line))

    asyncio.run(said())
    ballot = room.ballots.ballot
    assert ballot is not None
    assert ballot.tally == (600, 600)
    assert ballot.votes[f"{OTHER}voter 0"] == 1, "viewers change their minds"
    assert sum(guest.startswith(OTHER) for guest in room.ballots.guests) == MAX_OTHERS
    room.ballots.settle_bets(1)
    assert sum(guest.points for guest in room.ballots.guests.values()) == MAX_OTHERS // 2 * BET_POINTS


# With the server of the party ---------------------------------------------------------------------------------


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    chat = ChatServer()
    yield chat
    chat.close()


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return feed_of("moon")


@pytest.mark.slow
def test_a_chat_votes_and_the_program_writes_nothing_to_it(chat: ChatServer, lines: list[bytes]) -> None:
    messages: list[str] = []
    with serve(messages, chat=parse_chat_address(chat.address, 0.0)) as server:
        chat.wait_for_client()
        until(lambda: any("luna" in sentence for sentence in messages))
        watching = Stream(server, server.keys.join, "room")
        for line in lines[: end_of(lines, "hand", "taken")]:
            server.write(line)
        watching.until(lambda event, data: event == "room" and data["ballot"] is not None and data["chat"])
        chat.say("PING :are you there")
        for name, words in (
            ("Zoé", "!1"),
            ("Zoé", "!2"),
            ("Ben", "1"),
            ("Eve", "what a game"),
            ("Fuck", "yes"),
        ):
            chat.chat(name, words)
        room = watching.until(lambda event, data: event == "room" and sum(data["ballot"]["tally"]) == 3)
        assert room["ballot"]["tally"] == [2, 1], "one vote for each account, changed freely"
        until(lambda: "PONG :are you there" in chat.lines)
        names = [name for name, _ in Client(server, server.keys.host).ask("guests").plain["guests"]]
        assert "Zoé" in names
        assert not any("fuck" in name.casefold() for name in names)
        watching.close()
    kinds = {line.split()[0] for line in chat.lines}
    assert kinds <= {"CAP", "NICK", "JOIN", "PONG"}, "the program only reads"
    assert any(line.startswith("NICK justinfan") for line in chat.lines)


@pytest.mark.slow
def test_a_lost_chat_reconnects_and_delays_nobody(chat: ChatServer, lines: list[bytes]) -> None:
    messages: list[str] = []
    with serve(messages, chat=parse_chat_address(chat.address, 0.0)) as server:
        chat.wait_for_client()
        chat.say(":tmi.twitch.tv RECONNECT")
        chat.wait_for_client(2)
        chat.say("x" * 20_000)  # a line that never ends
        chat.wait_for_client(3)
        chat.disconnect()
        chat.wait_for_client(4)
        assert Client(server, server.keys.view).ask("board").status == 200
        until(lambda: len(messages) >= 2)
        assert len([message for message in messages if "keeps trying" in message]) >= 1


@pytest.mark.slow
def test_a_missing_chat_is_reported_once_and_the_party_begins(lines: list[bytes]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as blocker:
        port = blocker.getsockname()[1]
    messages: list[str] = []
    with serve(messages, chat=parse_chat_address(f"irc://127.0.0.1:{port}/luna", 15.0)) as server:
        until(lambda: bool(messages))
        assert Client(server, server.keys.view).ask("board").status == 200
    assert len(messages) == 1
    assert "keeps trying" in messages[0]


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["", "unknown issuer", "another host's"])
def test_a_chat_over_tls_is_joined_or_refused_in_one_sentence(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = create_certificate(
        "DNS:irc.example" if wrong == "another host's" else "IP:127.0.0.1", tmp_path
    )
    if wrong != "unknown issuer":
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    chat, messages = ChatServer(certificate), list[str]()
    with serve(messages, chat=parse_chat_address(chat.address, 0.0)) as server:
        until(lambda: chat.refused >= 2 if wrong else messages)
        assert Client(server, server.keys.view).ask("board").status == 200
    chat.close()
    assert any(line.startswith("JOIN") for line in chat.lines) == (not wrong)
    assert len(messages) == 1, messages
    assert ("certificate" in messages[0]) == bool(wrong)
    assert bool(chat.refused) == bool(wrong)


@pytest.mark.slow
def test_a_chats_choice_applies_to_the_next_turn(chat: ChatServer, lines: list[bytes]) -> None:
    """The chat's viewers see the current turn too late to affect it."""
    votes = [line.replace(b'"votes":[]', b'"votes":["ladder"]') for line in lines]
    assert votes != lines
    with serve(chat=parse_chat_address(chat.address, 30.0)) as server:
        chat.wait_for_client()
        host = Client(server, server.keys.host)
        assert host.ask("do", {"what": "allow", "name": "ladder"}).status == 200
        host.ask("do", {"what": "forbid", "name": "holds"})
        watching = Stream(server, server.keys.join, "room")
        first = end_of(votes, "turn")
        for line in votes[:first]:
            server.write(line)
        room = watching.until(lambda event, data: event == "room" and data["ballot"] is not None)
        assert room["ballot"]["question"] == "ladder"
        chat.chat("Zoé", "!3")
        watching.until(lambda event, data: event == "room" and sum(data["ballot"]["tally"]) == 1)
        assert server.drain_requests() == ()
        for line in votes[first:]:
            server.write(line)
        assert receive(server, 1)[0].kind is Act.ANOTHER
        watching.close()


@pytest.mark.parametrize(
    ("named", "fault", "remedy"),
    [
        ("not a channel", "can't be a chat's name", "--chat luna"),
        *(
            (address, "YouTube's chat can't be read", "docs/party.md")
            for address in ("https://www.youtube.com/watch?v=abc", "youtube:abc", "https://youtu.be/abc")
        ),
    ],
)
def test_an_invalid_chat_address_is_refused_with_a_remedy(named: str, fault: str, remedy: str) -> None:
    explanation = Chat("chat", "CHANNEL").explain_fault(named)
    assert fault in explanation
    assert remedy in explanation
    assert Chat("chat", "CHANNEL").explain_fault("youtube") == ""
