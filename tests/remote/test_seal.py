"""Links and sealed messages: only holders of the link read, only the table itself signs, and changes are noticed."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from armoon.remote import protocol
from armoon.remote import seal as sealing
from armoon.remote.seal import Link, Seal, UnsealedError, new_key
from armoon.values.acts import Act

KEY = new_key()


def test_a_signature_for_another_game_is_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A holder of both links seals it again with this game's key, but the table has signed it for the other game."""
    table, other = Seal(new_key()), Seal(KEY)
    with monkeypatch.context() as unencrypted:
        plain = SimpleNamespace(encrypt=lambda nonce, body, context: body)
        unencrypted.setattr(table, "_cipher", plain)
        signed = table.seal_message(protocol.Goodbye())[12:]
    packet = bytes(12) + other._cipher.encrypt(bytes(12), signed, other._context)
    with pytest.raises(UnsealedError):
        Seal(KEY).unseal(packet)


def test_no_changed_or_truncated_packet_is_accepted() -> None:
    rng, reader = random.Random(5), Seal(KEY)
    good = Seal(KEY).seal_message(protocol.TableCommand(Act.PAUSE))
    for _ in range(3000):
        damaged = bytearray(good)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(damaged))] ^= rng.randint(1, 255)
        for packet in (bytes(damaged), good[: rng.randrange(len(good))], rng.randbytes(200)):
            with pytest.raises(UnsealedError):
                reader.unseal(packet)


def test_a_holder_of_the_link_cannot_sign_for_another_table() -> None:
    """The key allows encrypting anything, but the other table's signature is missing."""
    seal, thief = Seal(KEY), Seal(KEY)
    thief._public_key = seal._public_key
    with pytest.raises(UnsealedError):
        Seal(KEY).unseal(thief.seal_message(protocol.Goodbye()))


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 40_000_000, b'{"message": "goodbye"', b'{"message": "stay"}', b"[]"], ids=len
)
def test_empty_and_expanding_packets_are_refused(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "encode_json", lambda plain: content)
    monkeypatch.setattr(sealing, "MAX_MESSAGE_BYTES", 1 << 30)
    packet = Seal(KEY).seal_message(protocol.Goodbye())
    monkeypatch.setattr(sealing, "MAX_MESSAGE_BYTES", 1 << 22)
    with pytest.raises(UnsealedError):
        Seal(KEY).unseal(packet)


def test_a_link_is_read_as_it_was_written() -> None:
    link = Link("mqtt://club.example/evening", KEY, Seal(KEY).table)
    assert Link.parse(f" {link}\n") == link
    assert KEY.hex() not in repr(link)


@pytest.mark.parametrize(
    "text",
    [
        *("", "ws://a:1", "ws://a:1#", "ws://a:1#AAAA", "http://a#" + "A" * 86, "ws://:1#" + "A" * 86),
        *("ws://a:99999#" + "A" * 86, "ws://a:1#" + "A" * 85 + "!", "ws://a\x1b:1#" + "A" * 86, "#" * 2000),
    ],
)
def test_an_invalid_link_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no link"):
        Link.parse(text)


def test_tables_of_two_versions_can_report_that_they_do_not_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals are readable across versions; game messages aren't."""
    ours, theirs, hello = Seal(KEY), Seal(KEY), protocol.Hello("0.9", (protocol.TablePlayer("Ann"),))
    answer = ours.seal_message(protocol.Refusal(theirs.table, protocol.RefusalReason.VERSION))
    with monkeypatch.context() as context:
        context.setattr(sealing, "_ZDICT", b'{"message":"of another version"}')
        greeting, frame = theirs.seal_message(hello), theirs.seal_message(protocol.KeepAlive(7))
        assert theirs.unseal(answer)[2] == protocol.Refusal(theirs.table, protocol.RefusalReason.VERSION)
    assert ours.unseal(greeting)[2] == hello
    with pytest.raises(UnsealedError):
        ours.unseal(frame)
