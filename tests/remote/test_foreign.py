"""Messages of every kind with arbitrary fields, from strangers or from a table not on turn: none counts."""

from __future__ import annotations

import copy
import os
import random
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
from support.remote_kit import Air, Hands, header_of

from armoon.codec import encode_json
from armoon.engine.logbook import intake_record
from armoon.engine.setup import Intake
from armoon.remote.kinds import MESSAGES, Asked, Hello, Here, Left, Message, Played, Refuse, Seats, Why
from armoon.remote.seal import _HEAD, _USUAL, Seal
from armoon.remote.shared import ANSWERS_S, MAX_AGAIN
from armoon.values.acts import Act
from armoon.values.pieces import Command, Facts, PieceFacts, PieceStatus
from armoon.values.player_settings import Guidance, VisualAids
from armoon.values.poses import IDENTITY_POSE
from armoon.world.process import FactsChange

#: Values that any field may take.
WORDS: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2**63, 10**400, 0.5, 1e308, -1e308, float("nan"), float("inf")),
    *("", "x", "\x00", "é" * 5000, "__class__", [], {}, [[]] * 40, {"kind": "hands"}, [None] * 2000),
)
#: Numbers of messages for a test, and for a long one.
SHORT, LONG = 1500, 20_000


def one_of_each_kind(host: str, guest: str, header: dict[str, Any]) -> tuple[Message, ...]:
    facts = Facts(
        7, (PieceFacts("L01", PieceStatus.FREE, IDENTITY_POSE, 0.1, 0.0, 0.0),), (), None, False, None, True
    )
    commands = (Command(Act.GIVE_UP, "key"), Command(Act.ROLL, "key"))
    frame = intake_record(Intake(5.0, 2, None, commands, shown=FactsChange.from_facts(None, facts)))
    return (
        Hello("this one", (("Ben", None), ("Cleo", "pip")), aids=((VisualAids.ALL, Guidance.OFF),) * 2),
        Seats(header, (guest, guest)),
        Played(0, (frame, frame), ({"kind": "verdict", "ok": True},)),
        Asked(Act.UNDO, 1),
        Asked(Act.ADD_TEAR, 0),
        Here(7, wants=True),
        Refuse(host, Why.VERDICT),
        Left(),
    )


def change_field(value: Any, chance: random.Random) -> Any:
    """Return it with one field replaced, removed or doubled."""
    made = copy.deepcopy(value)
    place, key = [made], 0
    while isinstance(place[key], (dict, list)) and place[key] and chance.random() < 0.8:
        place = place[key]
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
    match chance.randrange(5):
        case 0 if place is not None and len(place) > 1:
            del place[key]
        case 1 if isinstance(place, dict):
            place[chance.choice(("kind", "x", "turn"))] = place[key]
        case _:
            place[key] = chance.choice(WORDS)
    return made[0] if isinstance(made, list) and len(made) == 1 else made


def seal_packet(seal: Seal, key: bytes, content: bytes, number: int) -> bytes:
    packs = zlib.compressobj(zdict=_USUAL)
    body = _HEAD.pack(bytes.fromhex(seal.table), number) + packs.compress(content) + packs.flush()
    nonce = os.urandom(12)
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    (form, _) = seal._forms
    signed = Ed25519PrivateKey.from_private_bytes(seal.kept[:32]).sign(form + body) + body
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, signed, form)


@pytest.fixture
def two() -> Iterator[tuple[Hands, Hands]]:
    header = header_of("moon", ("Ann", "Ben"))
    made = tuple(Hands(Air(), count=2, header=header) for _ in range(2))
    yield made[0], made[1]
    for one in made:
        one.close()


def meddle(two: tuple[Hands, Hands], count: int, seed: int) -> None:
    meddled, _ = two
    chance = random.Random(seed)
    guest, stranger = meddled.seals[1], Seal(meddled.key)
    one_of_each = [
        MESSAGES.encode(one) for one in one_of_each_kind(meddled.host, guest.table, dict(meddled.header))
    ]
    host = meddled.tables[0]
    sent, batch = 0, -(-count // 50)  # the game is over after some turns
    while sent < count:
        for tables in two:
            tables.pass_time()
        # Only outside the guest's turn, in which its frames are valid.
        if host.shared.mine and host.match.on_turn == meddled.tables[1].match.on_turn:
            for _ in range(batch):
                host.end.put(meddled.air.now_s, make_packet(meddled, one_of_each, guest, stranger, chance))
            sent += batch
    for tables in two:
        tables.pass_time(300)
    assert host.match.on_turn[0] > 2
    for number in (0, 1):
        lines, expected = (tables.tables[number].lines for tables in two)
        assert not meddled.tables[number].shared.differs
        assert lines == expected


def make_packet(
    meddled: Hands, one_of_each: list[Any], guest: Seal, stranger: Seal, chance: random.Random
) -> bytes:
    message = chance.choice(one_of_each)
    for _ in range(chance.randrange(4)):
        message = change_field(message, chance)
    try:
        content = encode_json(message)
    except (ValueError, TypeError, OverflowError):
        content = repr(message).encode()
    if chance.random() < 0.2:
        content = bytes(chance.randrange(256) if chance.random() < 0.02 else byte for byte in content[:3000])
    number = chance.choice((0, 1, 2**63, 2**64 - 1))
    made = seal_packet(chance.choice((guest, stranger)), meddled.key, content, number)
    if chance.random() < 0.2:
        at = chance.randrange(len(made))
        made = made[:at] + bytes((made[at] ^ (1 + chance.randrange(255)),)) + made[at + 1 :]
    return made


def test_no_foreign_message_changes_the_game(two: tuple[Hands, Hands]) -> None:
    meddle(two, SHORT, seed=1)


def test_no_message_number_makes_a_table_ignore_later_ones(two: tuple[Hands, Hands]) -> None:
    tables, guest = two[0], two[0].seals[1]
    tables.pass_time(30)
    for number in (2**63, 2**64 - 1):
        content = encode_json(MESSAGES.encode(Here(0)))
        tables.tables[0].end.put(tables.air.now_s, seal_packet(guest, tables.key, content, number))
    tables.pass_time(2)
    asked = guest.seal_message(Asked(Act.PAUSE))
    tables.tables[0].end.put(tables.air.now_s, asked)
    tables.pass_time(30)
    assert all(table.match.paused for table in tables.tables)


def test_repeated_requests_for_frames_are_limited_per_second(two: tuple[Hands, Hands]) -> None:
    tables = two[0]
    tables.pass_time(60)
    stranger, guest, host = Seal(tables.key), tables.seals[1], tables.tables[0]
    before = len(tables.air.sent)
    for _ in range(120):
        for _ in range(20):
            host.end.put(tables.air.now_s, guest.seal_message(Here(0, wants=True)))
            host.end.put(tables.air.now_s, stranger.seal_message(Here(0, wants=True)))
        tables.pass_time()
    assert len(tables.air.sent) - before <= 2 * MAX_AGAIN * (1.0 + 4.0 / ANSWERS_S)
    assert not tables.tables[1].shared.differs


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_none_of_two_hundred_thousand_foreign_messages_changes_a_game(
    two: tuple[Hands, Hands], seed: int
) -> None:
    meddle(two, LONG, seed)
