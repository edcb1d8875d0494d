"""Guests' votes and bets: one ballot at a time, one vote for each phone, and points for correct bets."""

from __future__ import annotations

import enum
import re
import time
import unicodedata
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import urlsplit

from armoon.broadcast import Words
from armoon.values import names
from armoon.values.text import parse_count

#: Offensive words, English and French, without accents, which no guest's name may contain.
_BANNED_PARTS = (
    "fuck",
    "shit",
    "nigger",
    "faggot",
    "whore",
    "hitler",
    "putain",
    "salope",
    "encule",
    "connard",
    "connasse",
)
#: Words that guests' names may contain only as parts of longer words.
_BANNED_WORDS = frozenset(
    {"cunt", "slut", "rape", "nazi", "bitch", "porn", "penis", "vagina"}
    # Guests can't call themselves the host.
    | {"admin", "administrator", "moderator", "moderateur", "mod", "host", "hote", "armoon"}
    | {"merde", "nique", "pute", "batard", "couille", "negre", "nigga"}
)
#: Digits and signs that look like letters.
_LETTER_SHAPES = str.maketrans("01345789@$!|", "oieastbgasil")


def clean_guest_name(name: str) -> str:
    """Return a guest's name without superfluous characters; empty if it is offensive."""
    name = names.tidy_name(name)
    plain = names.fold_letters(name)
    return "" if _is_offensive(plain) or _is_offensive(plain.translate(_LETTER_SHAPES)) else name


def _is_offensive(plain: str) -> bool:
    words = ["".join(letter for letter in word if letter.isalpha()) for word in plain.split()]
    # Single letters in a row form a word.
    spelled = "".join(word if len(word) == 1 else f" {word} " for word in words).split()
    joined = "".join(words)
    once = re.sub(r"(.)\1+", r"\1", joined)
    forms = (joined, once)
    return any(word in form for word in _BANNED_PARTS for form in forms) or not _BANNED_WORDS.isdisjoint(
        (*words, *spelled)
    )


#: Maximum number of guests; further ones are refused unless an absent guest's place can be freed.
MAX_GUESTS = 300
#: Maximum number of guests who have left and are remembered with their points.
MAX_FORMER = 300
#: Maximum number of named voters from chats and other programs, and the prefix of their keys.
MAX_OTHERS, OTHER = 1000, "other:"
#: Prefix of the keys (hashes) of further voters, who have neither name nor points.
NAMELESS = "hash:"
#: Maximum number of votes in a ballot.
MAX_VOTES = 200_000
#: Points for a correct bet, and for one that fewer than half of the voters made.
BET_POINTS, RARE_BET_POINTS = 1, 2


class VoteQuestion(enum.Enum):
    """The questions that a ballot can ask."""

    HOLDS = "holds"
    """Whether the structure will hold: a bet without effect on the game."""
    LADDER = "ladder"
    """The next ladder, of three; only if the table draws from all."""
    FACE = "face"
    """The die's face, of two; only at a table with a real die."""
    BEGINS = "begins"
    """The first player of the next game."""
    OWN = "own"
    """The host's own question, without effect on the game."""


class VoteRefusal(enum.Enum):
    """Why a vote or a guest is refused; the message key is ``air.refused.`` and this value."""

    NOBODY = "nobody"
    """The voter hasn't joined or was banned."""
    FULL = "full"
    OFTEN = "often"
    """Too many new guests from one address."""
    LOCKED = "locked"
    """The host admits no more guests."""
    WAITING = "waiting"
    LATE = "late"
    """The guest joined after a vote with effect on the game was opened."""
    CLOSED = "closed"
    NO_SUCH_CHOICE = "no_such_choice"
    PLAYER = "player"
    """The name is a player's or looks like one."""


class VoteRefused(Exception):  # noqa: N818 - a refusal is no error
    """Raised when a vote or a guest is refused."""

    def __init__(self, refusal: VoteRefusal) -> None:
        super().__init__(refusal.value)
        self.reason = refusal


@dataclass(frozen=True)
class Guest:
    name: str
    points: int = 0
    banned: bool = False
    waiting: bool = False
    """Whether the host hasn't admitted the guest yet."""
    where: str = ""


@dataclass
class Ballot:
    """A ballot with a unique number, so that a late vote can't count for the next one."""

    number: int
    question: VoteQuestion
    choices: tuple[Words, ...]
    values: tuple[int, ...]
    """Value of each choice in a request to the table."""
    electors: frozenset[str] | None
    """For a vote that affects the game, the guests who joined before it was opened; None: everyone can vote."""
    about: str
    """The player concerned, or the host's own question."""
    opened_s: float
    closed_s: float | None = None
    """None while the ballot is open."""
    right: int | None = None
    """Index of the correct choice of a settled bet; None: not settled or not a bet."""
    votes: dict[str, int] = field(default_factory=dict)
    """Index of the choice, by guest."""

    @property
    def open(self) -> bool:
        return self.closed_s is None

    @property
    def tally(self) -> tuple[int, ...]:
        count = Counter(self.votes.values())
        return tuple(count[choice] for choice in range(len(self.choices)))

    @property
    def chosen(self) -> int | None:
        """Index of the choice with the most votes, the first in a tie; None without votes."""
        tally = self.tally
        return None if not any(tally) else tally.index(max(tally))


@dataclass(frozen=True)
class SavedGuests:
    """Saved guests by key, and the host's settings."""

    guests: dict[str, Guest] = field(default_factory=dict)
    names_shown: bool = True
    allowed: tuple[str, ...] = (VoteQuestion.HOLDS.value,)
    """Questions that are asked automatically."""
    number: int = 0
    """Number of the last ballot."""
    locked: bool = False
    """Whether new guests are refused."""
    approves: bool = False
    """Whether the host must admit every new guest."""
    gone: dict[str, Guest] = field(default_factory=dict)
    """Guests who have left, in the order in which they left."""
    hidden: bool = False
    """Whether results are hidden until the ballot closes."""
    arrivals: dict[str, int] = field(default_factory=dict)
    """Number of recent arrivals by address, if more than a few."""

    def __post_init__(self) -> None:
        if len(self.guests) > 2 * (MAX_GUESTS + MAX_OTHERS) or len(self.gone) > MAX_FORMER:
            raise ValueError(f"{len(self.guests)} guests")


#: Number of remembered ballots, enough for a delay of a minute.
_PAST_BALLOTS = 8


class Ballots:
    def __init__(self, saved: SavedGuests | None = None, now_s: Callable[[], float] = time.monotonic) -> None:
        saved = saved or SavedGuests()
        self.guests, self.former = dict(saved.guests), dict(saved.gone)
        self.names_shown, self.hidden, self.number = saved.names_shown, saved.hidden, saved.number
        self.locked, self.approves = saved.locked, saved.approves
        self._now_s = now_s
        self.ballot: Ballot | None = None
        self._recent: deque[Ballot] = deque(maxlen=_PAST_BALLOTS)
        """Ballots, newest last, on which delayed viewers may still vote."""
        self.players: set[str] = set()
        """The players' names, which guests can't use."""

    def make_snapshot(self, allowed: tuple[str, ...], arrivals: dict[str, int]) -> SavedGuests:
        settings = self.locked, self.approves, dict(self.former), self.hidden
        return SavedGuests(dict(self.guests), self.names_shown, allowed, self.number, *settings, arrivals)

    # Guests -------------------------------------------------------------------------------------------------

    def join(self, guest: str, name: str, default_name: str, *, is_waiting: bool = False) -> Guest:
        """Add or rename a guest; ``is_waiting``: the host must admit them first. Raises VoteRefused."""
        known = self.guests.get(guest)
        if known is not None and known.banned:
            raise VoteRefused(VoteRefusal.NOBODY)
        if known is None and self._is_full(guest.startswith(OTHER)):
            raise VoteRefused(VoteRefusal.FULL)
        wanted = clean_guest_name(name)
        if not guest.startswith(OTHER) and any(names.look_alike(wanted, player) for player in self.players):
            raise VoteRefused(VoteRefusal.PLAYER)
        known = known or self.former.pop(guest, None)
        others = {other.name for key, other in self.guests.items() if key != guest} | self.players
        usual = f"{default_name} {len(self.guests) + 1}" if known is None else known.name
        fresh = names.make_unique_name(wanted or usual, others)
        self.guests[guest] = replace(known or Guest(fresh, waiting=is_waiting), name=fresh)
        return self.guests[guest]

    def _is_full(self, is_other: bool) -> bool:
        most = MAX_OTHERS if is_other else MAX_GUESTS
        counted = (
            key.startswith(OTHER) == is_other and not guest.banned for key, guest in self.guests.items()
        )
        return len(self.guests) >= most and sum(counted) >= most

    def leave(self, guest: str) -> None:
        """Free a guest's place; a guest who returns gets the same name and points."""
        self.former[guest] = self.guests.pop(guest)

    def set_banned(self, name: str, *, banned: bool) -> str | None:
        """Ban a guest and remove their vote, or undo a ban; return the guest's key, or None for an unknown name."""
        for key, guest in self.guests.items():
            if guest.name == name and guest.banned != banned:
                self.guests[key] = replace(guest, banned=banned)
                if banned and self.ballot is not None:
                    self.ballot.votes.pop(key, None)
                return key
        return None

    def admit(self, name: str) -> bool:
        waiting = [key for key, guest in self.guests.items() if guest.name == name and guest.waiting]
        for key in waiting:
            self.guests[key] = replace(self.guests[key], waiting=False)
        return bool(waiting)

    def find_voter(self, guest: str) -> Guest:
        """Return a guest who is allowed to vote. Raises VoteRefused."""
        if guest.startswith(NAMELESS):
            return Guest("")
        known = self.guests.get(guest)
        if known is None or known.banned:
            raise VoteRefused(VoteRefusal.NOBODY)
        if known.waiting:
            raise VoteRefused(VoteRefusal.WAITING)
        return known

    def find_best_guessers(self, count: int = 8) -> tuple[Guest, ...]:
        """Return the guests with points, the best first; banned guests are omitted."""
        listed = [guest for guest in self.guests.values() if guest.points > 0 and not guest.banned]
        return tuple(sorted(listed, key=lambda guest: (-guest.points, guest.name.casefold()))[:count])

    def list_best_guessers(self) -> tuple[tuple[str, int], ...]:
        best = enumerate(self.find_best_guessers(), 1)
        return tuple((guest.name if self.names_shown else f"{place}.", guest.points) for place, guest in best)

    # Votes --------------------------------------------------------------------------------------------------

    def open_ballot(
        self,
        question: VoteQuestion,
        choices: tuple[Words, ...],
        values: tuple[int, ...] = (),
        about: str = "",
    ) -> Ballot:
        """Open a ballot and discard the current one; ``values`` default to the choices' indices."""
        self.number += 1
        values = values or tuple(range(len(choices)))
        self.discard_ballot()
        electors = None if question in (VoteQuestion.HOLDS, VoteQuestion.OWN) else frozenset(self.guests)
        self.ballot = Ballot(self.number, question, choices, values, electors, about, self._now_s())
        self._recent.append(self.ballot)
        return self.ballot

    def vote(self, guest: str, number: int, choice: int) -> None:
        """Count a vote, which replaces the guest's earlier vote. Raises VoteRefused."""
        self.find_voter(guest)
        ballot = self.ballot
        if ballot is None or not ballot.open or ballot.number != number:
            raise VoteRefused(VoteRefusal.CLOSED)
        if (
            ballot.electors is not None
            and guest not in ballot.electors
            and not guest.startswith((OTHER, NAMELESS))
        ):
            raise VoteRefused(VoteRefusal.LATE)
        if guest not in ballot.votes and len(ballot.votes) >= MAX_VOTES:
            raise VoteRefused(VoteRefusal.FULL)
        if not 0 <= choice < len(ballot.choices):
            raise VoteRefused(VoteRefusal.NO_SUCH_CHOICE)
        ballot.votes[guest] = choice

    def find_seen_ballot(self, delay_s: float) -> Ballot | None:
        """Return the ballot that viewers with this delay see open, else the open one; None: neither exists."""
        then_s = self._now_s() - delay_s
        for ballot in reversed(self._recent):
            if ballot.opened_s <= then_s and (ballot.closed_s is None or then_s < ballot.closed_s):
                return ballot
        return self.ballot if self.ballot is not None and self.ballot.open else None

    def add_late_bet(self, guest: str, ballot: Ballot, choice: int) -> None:
        """Count a delayed viewer's bet on a closed ballot, once. Raises VoteRefused."""
        known = self.find_voter(guest)
        discarded = ballot.right is None and ballot is not self.ballot
        if discarded or ballot.question is not VoteQuestion.HOLDS or guest in ballot.votes:
            raise VoteRefused(VoteRefusal.CLOSED)
        if not 0 <= choice < len(ballot.choices):
            raise VoteRefused(VoteRefusal.NO_SUCH_CHOICE)
        ballot.votes[guest] = choice
        if choice == ballot.right and guest in self.guests:
            self.guests[guest] = replace(known, points=known.points + BET_POINTS)

    def close_ballot(self) -> None:
        if self.ballot is not None and self.ballot.open:
            self.ballot.closed_s = self._now_s()

    def discard_ballot(self) -> None:
        self.close_ballot()
        self.ballot = None

    def settle_bets(self, right: int) -> tuple[str, ...]:
        """Award points for correct bets; return the keys of the guests who were right."""
        ballot = self.ballot
        if ballot is None or ballot.right is not None:
            return ()
        self.close_ballot()
        ballot.right = right
        winners = [guest for guest, choice in ballot.votes.items() if choice == right]
        points = RARE_BET_POINTS if 2 * len(winners) < len(ballot.votes) else BET_POINTS
        for guest in winners:
            if guest in self.guests:
                known = self.guests[guest]
                self.guests[guest] = replace(known, points=known.points + points)
        return tuple(winners)


#: Maximum length of a chat line, in bytes, tags included.
MAX_CHAT_LINE_BYTES = 16_384
#: Maximum length of a chat user's id and name.
MAX_VOTER_CHARS = 60
#: Twitch's own server, and the ports of the protocol with and without TLS.
TWITCH, TLS_PORT, PLAIN_PORT = "irc.chat.twitch.tv", 6697, 6667
_CHANNEL = re.compile(r"[a-z0-9_]{1,25}")
#: A vote: one word, optionally after a name (in a reply), brackets or quotes, and before punctuation, emoji or
#: invisible letters.
_VOTE = re.compile(r"""(?:@\S+ +)?[ ([{<*"'“”„‘’«‹¡]*!?#?(\w+?)[\W\u115f\u1160]*""")
#: Words for the first and the second of two choices, in all languages.
_YES, _NO = ("yes", "y", "oui"), ("no", "n", "non")
_ESCAPES = {r"\s": " ", r"\:": ";", r"\\": "\\", r"\r": " ", r"\n": " "}


@dataclass(frozen=True)
class ChatAddress:
    """The address and delay of a chat."""

    channel: str
    host: str = TWITCH
    port: int = TLS_PORT
    tls: bool = True
    delay_s: float = 15.0
    """Delay with which the chat's viewers see the game, seconds."""

    @property
    def name(self) -> str:
        return self.channel if self.host == TWITCH else f"{self.channel} ({self.host})"


def parse_chat_address(address: str, delay_s: float) -> ChatAddress:
    """Parse a Twitch channel's name, or ``irc://HOST[:PORT]/CHANNEL`` (``ircs`` with TLS). Raises ValueError."""
    if "://" not in address:
        return ChatAddress(_parse_channel(address), delay_s=delay_s)
    parts = urlsplit(address)
    if parts.scheme not in ("irc", "ircs") or not parts.hostname or parts.username or parts.query:
        raise ValueError(address)
    tls = parts.scheme == "ircs"
    port = parts.port or (TLS_PORT if tls else PLAIN_PORT)
    return ChatAddress(
        _parse_channel(parts.path.strip("/") or parts.fragment), parts.hostname, port, tls, delay_s
    )


def _parse_channel(channel: str) -> str:
    name = channel.strip().lstrip("#@").lower()
    if not _CHANNEL.fullmatch(name):
        raise ValueError(channel)
    return name


@dataclass(frozen=True)
class ChatLine:
    voter: str
    """The server's permanent id of the sender."""
    name: str
    words: str


#: A server line that isn't a message: a keep-alive request, a joined channel, or the end of the connection.
ChatSignal = tuple[Literal["ping", "joined", "leave"], str]


def read_chat_line(content: bytes) -> ChatLine | ChatSignal | None:
    """Return a message, or a signal with the text to reply; None for any other or unreadable line."""
    line = content[:MAX_CHAT_LINE_BYTES].decode("utf-8", "replace").rstrip("\r\n")
    tags, rest = _split_word(line[1:]) if line.startswith("@") else ("", line)
    source, rest = _split_word(rest[1:]) if rest.startswith(":") else ("", rest)
    head, colon, trailing = rest.partition(" :")
    command, *arguments = head.split()[:20] or [""]
    words = trailing if colon else arguments[-1] if arguments else ""
    if command == "PING":
        return "ping", words[:200]
    if command == "RECONNECT":
        return "leave", ""
    if command == "NOTICE" and not source.startswith("#") and arguments[:1] == ["*"]:
        return "leave", ""  # a rejected login
    if command == "366":
        return "joined", ""
    if command == "PRIVMSG" and arguments[:1] and arguments[0].startswith("#"):
        return _parse_message(tags, source, words)
    return None


def _parse_message(tags: str, source: str, words: str) -> ChatLine | None:
    known = dict(tag.partition("=")[::2] for tag in tags.split(";"))
    nick = source.partition("!")[0]
    voter = (known.get("user-id", "") or nick)[:MAX_VOTER_CHARS]
    if not voter or not voter.isprintable():
        return None
    name = re.sub(r"\\[s:\\rn]", lambda match: _ESCAPES[match[0]], known.get("display-name", ""))
    return ChatLine(voter, (name or nick)[:MAX_VOTER_CHARS], words[:200])


def _split_word(line: str) -> tuple[str, str]:
    first, _, rest = line.partition(" ")
    return first, rest.lstrip(" ")


def parse_choice(words: str, count: int) -> int | None:
    """Return the index of the choice that a message votes for; None if it isn't a vote.

    A vote is a number in any script, such as ``!2`` or ``2``, or yes or no if there are two choices.
    """
    plain = unicodedata.normalize("NFKC", words).strip().casefold()
    # Chat programs add invisible characters.
    found = _VOTE.fullmatch("".join(letter for letter in plain if letter.isprintable()))
    word = "" if found is None else "".join(str(unicodedata.digit(letter, letter)) for letter in found[1])
    number = parse_count(word, digits=2)
    if number is not None:
        return number - 1 if 1 <= number <= count else None
    if count == 2 and word in _YES + _NO:
        return 0 if word in _YES else 1
    return None
