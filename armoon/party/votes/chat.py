"""Votes from a chat: its lines (IRC, as Twitch speaks it), the votes in them, and the vote its readers see."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from armoon.values.numbers import count_in

#: Maximum line of the protocol, tags included.
LONGEST_CHAT_LINE = 16_384
LONGEST_VOTER = 60
#: Twitch's own server, and the ports of the protocol with and without TLS.
TWITCH, TLS_PORT, PLAIN_PORT = "irc.chat.twitch.tv", 6697, 6667
_CHANNEL = re.compile(r"[a-z0-9_]{1,25}")
#: Words for the first and the second of two choices, in every language.
_YES, _NO = ("yes", "y", "oui"), ("no", "n", "non")
#: Number of past votes that are remembered: a delay of a minute doesn't see more.
_REMEMBERED = 8
_ESCAPED = {r"\s": " ", r"\:": ";", r"\\": "\\", r"\r": " ", r"\n": " "}


@dataclass(frozen=True)
class ChatAt:
    """Where a chat is."""

    channel: str
    host: str = TWITCH
    port: int = TLS_PORT
    tls: bool = True
    delay_s: float = 15.0
    """How much later the chat sees what happens."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.channel if self.host == TWITCH else f"{self.channel} ({self.host})"


def chat_at(named: str, delay_s: float) -> ChatAt:
    """Return a Twitch channel by its name, or ``irc://HOST[:PORT]/CHANNEL``, with TLS ``ircs://``.

    Raises ValueError.
    """
    if "://" not in named:
        return ChatAt(_channel(named), delay_s=delay_s)
    parts = urlsplit(named)
    if parts.scheme not in ("irc", "ircs") or not parts.hostname or parts.username or parts.query:
        raise ValueError(named)
    tls = parts.scheme == "ircs"
    port = parts.port or (TLS_PORT if tls else PLAIN_PORT)
    return ChatAt(_channel(parts.path.strip("/") or parts.fragment), parts.hostname, port, tls, delay_s)


def _channel(named: str) -> str:
    name = named.strip().lstrip("#@").lower()
    if not _CHANNEL.fullmatch(name):
        raise ValueError(named)
    return name


@dataclass(frozen=True)
class Said:
    """Take a chat message."""

    voter: str
    """Who, as the server knows them; the same for as long as their account lives."""
    name: str
    """What they call themselves."""
    words: str


@dataclass(frozen=True)
class Asked:
    """The server wants to know whether we are there."""

    token: str


@dataclass(frozen=True)
class Here:
    """We are in the channel."""


@dataclass(frozen=True)
class GoAway:
    """The server wants us to connect anew, or takes us no more."""


ChatLine = Said | Asked | Here | GoAway


def read_chat_line(content: bytes) -> ChatLine | None:
    """Return a line of the server's; None for what doesn't matter here, or can't be read."""
    line = content[:LONGEST_CHAT_LINE].decode("utf-8", "replace").rstrip("\r\n")
    tags, rest = _cut(line[1:]) if line.startswith("@") else ("", line)
    source, rest = _cut(rest[1:]) if rest.startswith(":") else ("", rest)
    head, colon, trailing = rest.partition(" :")
    command, *given = head.split()[:20] or [""]
    words = trailing if colon else given[-1] if given else ""
    if command == "PING":
        return Asked(words[:200])
    if command == "RECONNECT":
        return GoAway()
    if command == "NOTICE" and not source.startswith("#") and given[:1] == ["*"]:
        return GoAway()  # a login that isn't taken
    if command == "366":
        return Here()
    if command == "PRIVMSG" and given[:1] and given[0].startswith("#"):
        return _said(tags, source, words)
    return None


def _said(tags: str, source: str, words: str) -> Said | None:
    known = dict(tag.partition("=")[::2] for tag in tags.split(";"))
    nick = source.partition("!")[0]
    voter = (known.get("user-id", "") or nick)[:LONGEST_VOTER]
    if not voter or not voter.isprintable():
        return None
    name = re.sub(r"\\[s:\\rn]", lambda found: _ESCAPED[found[0]], known.get("display-name", ""))
    return Said(voter, (name or nick)[:LONGEST_VOTER], words[:200])


def _cut(line: str) -> tuple[str, str]:
    first, _, rest = line.partition(" ")
    return first, rest.lstrip(" ")


def choice_of(words: str, count: int) -> int | None:
    """Which of ``count`` choices is meant: ``!2`` or ``2``, of two also yes and no; None: it is no vote."""
    word = words.strip().removeprefix("!").casefold()
    number = count_in(word, digits=2)
    if number is not None:
        return number - 1 if 1 <= number <= count else None
    if count == 2 and word in _YES + _NO:
        return 0 if word in _YES else 1
    return None


class SeenLater:
    """Which vote delayed viewers see now."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._votes: list[tuple[int, float, float | None]] = []
        """Number, and when it was opened and closed."""

    def note(self, number: int | None, now_s: float) -> None:
        """Note the open vote, or None."""
        if self._votes:
            last, opened_s, closed_s = self._votes[-1]
            if closed_s is None and last != number:
                self._votes[-1] = (last, opened_s, now_s)
        if number is not None and not (self._votes and self._votes[-1][0] == number):
            self._votes = [*self._votes, (number, now_s, None)][-_REMEMBERED:]

    def at(self, now_s: float) -> int | None:
        """Return the number of the vote that is seen as open now; the one that is open where none is seen yet."""
        then_s = now_s - self._delay_s
        for number, opened_s, closed_s in reversed(self._votes):
            if opened_s <= then_s and (closed_s is None or then_s < closed_s):
                return number
        newest = self._votes[-1] if self._votes else None
        return newest[0] if newest is not None and newest[2] is None else None
