"""What is recorded between the edges of a key, and what isn't."""

from __future__ import annotations

from armoon.sound.microphone import BLOCK_S
from armoon.speech_recognition.listener import BEFORE_S, LONGEST_S, TAIL_S, Listening

BEFORE = round(BEFORE_S / BLOCK_S)


def blocks(first: int, count: int) -> list[bytes]:
    """Blocks of sound that can be told apart; each is silence but for its number."""
    return [number.to_bytes(2, "little") * 2 for number in range(first, first + count)]


def test_what_was_said_just_before_the_key_counts_as_well() -> None:
    listening = Listening()
    for block in blocks(1, BEFORE + 5):
        listening._before = [*listening._before, block][-BEFORE:]
    assert listening.talk(True) == b""
    said = blocks(100, 4)
    for block in said:
        assert listening.take(block) == b""
    assert listening.talk(False) == b"".join([*blocks(6, BEFORE), *said])


def test_a_phrase_has_an_end() -> None:
    listening = Listening()
    listening.talk(True)
    most = round(LONGEST_S / BLOCK_S)
    for block in blocks(1, most + 3):
        listening.take(block)
    assert listening.talk(False) == b"".join(blocks(4, most))


def test_what_the_program_says_itself_is_left_out_with_its_echo() -> None:
    listening = Listening()
    listening.talk(True)
    listening.deafen(True)
    for block in blocks(1, 3):
        listening.take(block)
    listening.deafen(False)
    echo = round(TAIL_S / BLOCK_S)
    for block in blocks(10, echo + 2):
        listening.take(block)
    assert listening.talk(False) == b"".join(blocks(10 + echo, 2))
