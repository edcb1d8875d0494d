"""The server's state: latest feed, open streams, and votes, which depend on events at the table."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit

from armoon import broadcast
from armoon.broadcast import FeedEvent, LiveLine, StateLine, decode_line
from armoon.codec import MalformedError, encode, encode_json
from armoon.messages import text
from armoon.party import votes
from armoon.party.server.guard import GuestRegistry, compute_fingerprint
from armoon.party.server.lines import Arrangement, HostRequest, Line, PartyRequest, Setup
from armoon.values.acts import Act

#: Message keys of the die's faces, by number.
FACES = {1: "die.one", 2: "die.two", 3: "die.moon"}


def describe_ballot(ballot: votes.Ballot, *, hidden: bool) -> dict[str, Any]:
    """Return a ballot as guests see it; ``hidden``: the result is omitted until the ballot is closed."""
    return {
        "number": ballot.number,
        "question": ballot.question.value,
        "about": ballot.about,
        "choices": ballot.choices,
        "tally": None if hidden and ballot.open else ballot.tally,
        "votes": len(ballot.votes),
        "open": ballot.open,
        "right": ballot.right,
    }


def list_vote_choices(
    question: votes.VoteQuestion, began: broadcast.FeedBegan, turn: int
) -> tuple[tuple[broadcast.Words, ...], tuple[int, ...]]:
    """Return a question's choices and their values for the table; no values: the choices' indices."""
    if question is votes.VoteQuestion.HOLDS:
        return tuple(map(broadcast.translate_text, ("air.choice.holds", "air.choice.falls"))), ()
    if question is votes.VoteQuestion.LADDER:
        return tuple(broadcast.translate_text("air.choice.ladder", count=n) for n in (1, 2, 3)), (0, 1, 2)
    if question is votes.VoteQuestion.FACE:
        omitted = 1 + turn % 3
        values = tuple(face for face in FACES if face != omitted)
        return tuple(broadcast.translate_text(FACES[face]) for face in values), values
    return tuple(broadcast.untranslated_words(seat.name) for seat in began.seats), ()


#: Duration of a vote that affects the game, seconds; it is longer for a delayed chat.
VOTE_S = 20.0
#: Interval between batches of reactions, seconds.
SIGN_INTERVAL_S = 0.5
#: Interval between batches of votes and new guests, seconds; each batch is sent to every phone.
CHANGE_INTERVAL_S = 0.25
REACTIONS = ("crescent", "heart", "star", "laugh", "gasp")
#: Maximum number of messages queued for a slow client; beyond it, the client gets the current state instead.
MAX_QUEUED = 512
#: Questions with answers that affect a turn.
_FOR_A_TURN = (votes.VoteQuestion.LADDER, votes.VoteQuestion.FACE)


@dataclass(eq=False)
class RoomStream:
    """One open stream of server-sent events."""

    live: bool
    """Whether live lines, which report movements between events, are sent too."""
    feed: bool
    """Whether the feed is sent; phones get only the room's state."""
    guest: bool = False
    """Whether the stream belongs to a guest, so that it may be closed to make room."""
    where: str = ""
    writing: asyncio.Task[None] | None = None
    """The task that sends the events; cancelling it closes the stream."""
    queue: asyncio.Queue[bytes] = field(default_factory=lambda: asyncio.Queue(MAX_QUEUED))
    behind: bool = False


class Room:
    """Server state. No method blocks."""

    def __init__(self, setup: Setup, send: Callable[[Line], None]) -> None:
        self.setup = setup
        self.send = send
        kept = setup.kept or votes.SavedGuests()
        self.ballots = votes.Ballots(kept)
        self.registry = GuestRegistry(self.ballots, arrivals=kept.arrivals)
        self._fingerprint = compute_fingerprint(setup.certificate)
        self.arranged = setup.arranged
        self.allowed = set(kept.allowed)
        self.listeners: set[RoomStream] = set()
        self._state: bytes | None = None
        self._began: broadcast.FeedBegan | None = None
        self._seats: tuple[broadcast.Seat, ...] = ()
        self._is_over = False
        self._turn = broadcast.FeedTurn(0, 0)
        self._chat_delay_s = None if setup.chat is None else setup.chat.delay_s
        self.on_event: Callable[[broadcast.Happening, tuple[broadcast.Seat, ...]], None] = (
            lambda happening, seats: None
        )
        """Called with each event and the players, for the OBS rules."""
        self._pending_request: PartyRequest | None = None
        """The request decided by a vote, to be sent in the next turn."""
        self._has_changes = False
        self._signs: Counter[str] = Counter()
        self._kept: votes.SavedGuests | None = None

    # From the game ------------------------------------------------------------------------------------------

    def add_feed_line(self, content: bytes) -> None:
        """Process a line of the feed. Raises MalformedError."""
        line = decode_line(content)
        if isinstance(line, LiveLine):
            self._broadcast(encode_event("feed", content), live=True)
            return
        if isinstance(line, StateLine):
            self._state = encode_event("feed", content, line.number)
            self._began = None if line.state is None else line.state.began
            self._set_seats(() if line.state is None else line.state.standing.seats)
            if line.state is not None and line.state.standing.on_turn is not None:
                self._turn = broadcast.FeedTurn(line.state.standing.turn, line.state.standing.on_turn)
            self._broadcast(self._state)
            self.broadcast_state()
            return
        self._broadcast(encode_event("feed", content, line.number))
        self._handle_event(line)

    def _handle_event(self, event: FeedEvent) -> None:
        happening = event.happening
        if isinstance(happening, broadcast.FeedBegan):
            self._began, self._is_over = happening, False
            self._set_seats(happening.seats)
            if not self._asks_own_question:
                self.ballots.discard_ballot()
        elif isinstance(happening, broadcast.FeedTurn):
            if self._chat_delay_s is not None and not self._asks_own_question:
                self.close_ballot()  # before the turn it affects
            self._turn = happening
        self.on_event(happening, self._seats)
        self._send_due_request(happening)
        self._ask_automatically(happening)

    def _set_seats(self, seats: tuple[broadcast.Seat, ...]) -> None:
        self._seats, self.ballots.players = seats, {seat.name for seat in seats}

    def _ask_automatically(self, happening: broadcast.Happening) -> None:
        ballot, own = self.ballots.ballot, self._asks_own_question
        bet = ballot is not None and ballot.question is votes.VoteQuestion.HOLDS and ballot.right is None
        match happening:
            case broadcast.FeedHand(what="taken") if "holds" in self.allowed:
                is_open = bet and ballot is not None and ballot.open
                if not own and self.can_ask(votes.VoteQuestion.HOLDS) and not is_open:
                    self.open_ballot(votes.VoteQuestion.HOLDS)
            case broadcast.FeedHand(what="released") if bet:
                self.ballots.close_ballot()
            case broadcast.FeedHand(what="back") if bet:
                self.ballots.discard_ballot()
            case broadcast.FeedVerdict(ok=ok) if bet and ok is not None:
                self.ballots.settle_bets(0 if ok else 1)
            case broadcast.FeedTurn():
                for question in (votes.VoteQuestion.FACE, votes.VoteQuestion.LADDER):
                    if not own and question.value in self.allowed and self.can_ask(question):
                        self.open_ballot(question)
                        break
            case broadcast.FeedDie() if ballot is not None and ballot.question is votes.VoteQuestion.FACE:
                if self._chat_delay_s is None:
                    self.ballots.close_ballot()
            case broadcast.FeedResult():
                self._is_over = True
                if not own and votes.VoteQuestion.BEGINS.value in self.allowed:
                    self.open_ballot(votes.VoteQuestion.BEGINS)
            case broadcast.FeedClosed():
                self._is_over = True

    @property
    def _asks_own_question(self) -> bool:
        ballot = self.ballots.ballot
        return ballot is not None and ballot.question is votes.VoteQuestion.OWN and ballot.open

    def _send_due_request(self, happening: broadcast.Happening) -> None:
        request = self._pending_request
        if request is None:
            return
        faces = request.kind is Act.ROLL and isinstance(happening, broadcast.FeedTurn)
        ladders = isinstance(happening, broadcast.FeedHand) and happening.what == "offered"
        if faces or (request.kind is Act.ANOTHER and ladders):
            self._pending_request = None
            self.send(request)
        elif isinstance(happening, broadcast.FeedBegan | broadcast.FeedResult | broadcast.FeedClosed):
            self._pending_request = None

    # Votes --------------------------------------------------------------------------------------------------

    def can_ask(self, question: votes.VoteQuestion) -> bool:
        began = self._began
        if began is None or question is votes.VoteQuestion.OWN:
            return False  # the host's own question needs its text
        if question is votes.VoteQuestion.BEGINS:
            return self._is_over
        if question is votes.VoteQuestion.HOLDS:
            return began.seen_from == "side" and not self._is_over
        return question.value in began.votes and not self._is_over

    def open_ballot(self, question: votes.VoteQuestion) -> None:
        began = self._began
        if began is None:
            return
        choices, values = list_vote_choices(question, began, self._turn.turn)
        ballot = self.ballots.open_ballot(question, choices, values, self._name_subject(question))
        if question is not votes.VoteQuestion.HOLDS:
            vote_s = max(VOTE_S, 2.0 * (self._chat_delay_s or 0.0))
            asyncio.get_running_loop().call_later(vote_s, self._close_if_current, ballot)

    def _close_if_current(self, ballot: votes.Ballot) -> None:
        if self.ballots.ballot is ballot and ballot.open:
            self.close_ballot()

    def add_foreign_vote(self, voter: str, choice: int) -> None:
        """Count a vote forwarded by another program. Raises VoteRefused."""
        ballot = self.ballots.ballot
        if ballot is None:
            raise votes.VoteRefused(votes.VoteRefusal.CLOSED)
        self.ballots.vote(self._voter_key(voter, voter), ballot.number, choice)
        self.broadcast_soon()

    def _voter_key(self, voter: str, name: str) -> str:
        key = f"{votes.OTHER}{voter[:60]}"
        if key not in self.ballots.guests:
            try:
                self.ballots.join(key, name, text("air.guest"))
            except votes.VoteRefused:
                return votes.NAMELESS + blake2b(voter.encode(), digest_size=8).hexdigest()
        return key

    def add_chat_line(self, line: votes.ChatLine) -> None:
        """Count a chat message if it is a vote on the ballot that the chat's viewers see."""
        ballot = self.ballots.find_seen_ballot(self._chat_delay_s or 0.0)
        choice = None if ballot is None else votes.parse_choice(line.words, len(ballot.choices))
        if ballot is None or choice is None:
            return
        with contextlib.suppress(votes.VoteRefused):
            key = self._voter_key(line.voter, line.name)
            if ballot.open:
                self.ballots.vote(key, ballot.number, choice)
            else:
                self.ballots.add_late_bet(key, ballot, choice)
            self.broadcast_soon()

    def close_ballot(self) -> None:
        """Close the vote and request the winning choice from the table."""
        ballot = self.ballots.ballot
        if ballot is None or not ballot.open:
            return
        self.ballots.close_ballot()
        kind = {
            votes.VoteQuestion.LADDER: Act.ANOTHER,
            votes.VoteQuestion.FACE: Act.ROLL,
            votes.VoteQuestion.BEGINS: Act.BEGIN,
        }.get(ballot.question)
        chosen = ballot.chosen
        if kind is not None and chosen is not None and (ballot.values[chosen] > 0 or kind is not Act.ANOTHER):
            request = PartyRequest(kind, ballot.values[chosen])
            if self._chat_delay_s is None or kind is Act.BEGIN:
                self.send(request)
            else:
                self._pending_request = request
        self.broadcast_state()

    def add_reaction(self, sign: str) -> None:
        if not self._signs:
            asyncio.get_running_loop().call_later(SIGN_INTERVAL_S, self._send_signs)
        self._signs[sign] = min(self._signs[sign] + 1, 50)

    def _send_signs(self) -> None:
        signs, self._signs = dict(self._signs), Counter()
        self._broadcast(encode_event("signs", encode_json(signs)), feed=False)

    # Broadcasts -----------------------------------------------------------------------------------------------

    def describe_state(self) -> dict[str, Any]:
        ballot = self.ballots.ballot
        return {
            "ballot": None if ballot is None else describe_ballot(ballot, hidden=self.ballots.hidden),
            "guests": self.registry.count_present(),
            "best": self.ballots.list_best_guessers(),
            "turn": self._turn.turn,
            "chat": self.setup.chat is not None,
            "reachable": self.setup.lan,
            "hidden": self.ballots.hidden,
            "at": urlsplit(self.setup.join_at).netloc,
            "code": self.setup.code,
            "fingerprint": self._fingerprint,
        }

    def _name_subject(self, question: votes.VoteQuestion) -> str:
        seats, seat = self._seats, self._turn.seat
        if self._chat_delay_s is not None and question in _FOR_A_TURN:
            next_seats = (*range(seat + 1, len(seats)), *range(seat))
            seat = next((candidate for candidate in next_seats if not seats[candidate].out), seat)
        return seats[seat].name if seat < len(seats) else ""

    def broadcast_soon(self) -> None:
        """Send the state after ``CHANGE_INTERVAL_S``, with further changes, because many guests vote at once."""
        if not self._has_changes:
            self._has_changes = True
            asyncio.get_running_loop().call_later(CHANGE_INTERVAL_S, self.broadcast_state)

    def broadcast_state(self) -> None:
        """Send the room's state to all streams, and the guests to the game, which saves them."""
        self._has_changes = False
        self._broadcast(self.encode_room(), feed=False)
        now = self.ballots.make_snapshot(tuple(sorted(self.allowed)), self.registry.joins.rounded_counts(4))
        if now != self._kept:
            self._kept = now
            self.send(now)

    def encode_room(self) -> bytes:
        return encode_event("room", encode_json(self.describe_state()))

    def list_initial_messages(self, listener: RoomStream) -> tuple[bytes, ...]:
        if not listener.feed:
            return (self.encode_room(),)
        state = () if self._state is None else (self._state,)
        return (self._encode_places(), *state, self.encode_room())

    def arrange(self, arranged: Arrangement) -> None:
        self.arranged = arranged
        self.send(arranged)
        self._broadcast(self._encode_places())

    def _encode_places(self) -> bytes:
        return encode_event("places", encode_json(encode(self.arranged.places)))

    def _broadcast(self, content: bytes, *, live: bool = False, feed: bool = True) -> None:
        """Queue a message for all streams; ``feed`` and ``live``: only for streams that include such messages."""
        for listener in self.listeners:
            if listener.behind or (live and not listener.live) or (feed and not listener.feed):
                continue
            try:
                listener.queue.put_nowait(content)
            except asyncio.QueueFull:
                listener.behind = True

    def catch_up(self, listener: RoomStream) -> tuple[bytes, ...]:
        """Return the current state if the stream fell behind and its queue is now empty; otherwise nothing."""
        if not listener.behind or not listener.queue.empty():
            return ()
        listener.behind = False
        return self.list_initial_messages(listener)


def encode_event(event: str, content: bytes, number: int | None = None) -> bytes:
    """Return a server-sent event; ``content`` must be a single line, as ``encode_json`` writes it."""
    head = b"" if number is None else b"id: %d\n" % number
    return b"event: %s\n%sdata: %s\n\n" % (event.encode(), head, content)


_TABLE_ACTS = {act.word: act for act in (Act.PAUSE, Act.RESUME, Act.UNDO, Act.GIVE_TEAR_BACK, Act.ADD_TEAR)}
#: Maximum number of seats that the host's page may name.
SEAT_LIMIT = 12
#: Limits of the host's own question: maximum lengths of the question and of a choice, and numbers of choices.
MAX_QUESTION_CHARS, MAX_CHOICE_CHARS, MIN_CHOICES, MAX_CHOICES = 80, 40, 2, 6


def apply_host_request(room: Room, request: HostRequest) -> bool:
    """Apply a request of the host's page; return whether it had an effect. Raises MalformedError."""
    if request.what in _TABLE_ACTS:
        if not 0 <= request.value < SEAT_LIMIT:
            raise MalformedError("`value`: not a seat")
        room.send(PartyRequest(_TABLE_ACTS[request.what], request.value))
        return True
    applied = _apply_vote_request(room, request)
    room.broadcast_state()
    return applied


def _apply_vote_request(room: Room, request: HostRequest) -> bool:
    ballots = room.ballots
    match request.what:
        case "ask":
            question = _parse_question(request.name)
            if not room.can_ask(question):
                return False
            room.open_ballot(question)
        case "ask_own":
            choices = tuple(
                filter(None, (_clean_line(choice, MAX_CHOICE_CHARS) for choice in request.choices))
            )
            words = _clean_line(request.name, MAX_QUESTION_CHARS)
            if not words or not MIN_CHOICES <= len(choices) <= MAX_CHOICES:
                raise MalformedError("`choices`")
            shown = tuple(map(broadcast.untranslated_words, choices))
            ballots.open_ballot(votes.VoteQuestion.OWN, shown, about=words)
        case "close":
            if ballots.ballot is None or not ballots.ballot.open:
                return False
            room.close_ballot()
        case "clear":
            ballots.discard_ballot()
        case "allow":
            room.allowed.add(_parse_question(request.name).value)
        case "forbid":
            room.allowed.discard(_parse_question(request.name).value)
        case "ban" | "take_back":
            return room.registry.set_banned(request.name, banned=request.what == "ban")
        case "let_in":
            return ballots.admit(request.name)
        case "names":
            ballots.names_shown = bool(request.value)
        case "hide":
            ballots.hidden = bool(request.value)
        case "lock":
            ballots.locked = bool(request.value)
        case "approve":
            ballots.approves = bool(request.value)
        case _:
            raise MalformedError("`what`")
    return True


def _clean_line(words: str, longest: int) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in words).split())[:longest]


def _parse_question(name: str) -> votes.VoteQuestion:
    try:
        return votes.VoteQuestion(name)
    except ValueError as error:
        raise MalformedError("`name`: not a question") from error
