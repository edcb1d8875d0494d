"""A short fuzzing run, and checks that it would find faults."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.readers_kit import READERS

from attacks.fuzz import HOSTILE, Mark, Target, encode, fuzz_target, list_targets

FEW = 40


@pytest.mark.parametrize("name", list(list_targets()))
def test_no_damaged_input_does_harm(name: str) -> None:
    tried, failed = fuzz_target(list_targets()[name], lambda tried: tried < FEW, 1)
    assert tried >= FEW
    assert failed == []


@pytest.mark.parametrize("value", HOSTILE)
def test_each_hostile_value_is_harmless_in_each_reader(value: str, tmp_path: Path) -> None:
    for target in list_targets().values():
        target.check(target._join([value]), tmp_path)


def test_a_reader_that_raises_a_wrong_error_is_found() -> None:
    def careless(path: Path) -> object:
        return json.loads(path.read_bytes())["version"] + 1

    reader = replace(next(reader for reader in READERS if reader.name == "players"), read=careless)
    _, failed = fuzz_target(Target(reader), lambda tried: tried < FEW, 1)
    assert failed


def test_a_valid_input_is_read_after_splitting_and_joining(tmp_path: Path) -> None:
    for target in list_targets().values():
        target.check(target.apply_damages([]), tmp_path)
        assert encode([Mark("NaN"), {"a": 1}]) == '[NaN,{"a":1}]'
