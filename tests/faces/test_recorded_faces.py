"""In recordings of eight people, open mouths and smiles are recognised, and talking confirms nothing."""

from __future__ import annotations

import gzip
import json
from functools import cache

import pytest
from support.hands_kit import media_folder

from armoon.faces import Head, HeadPointer, Heads, HeadSettings, measure_head
from armoon.values.choices import HeadConfirm

#: Periods in which a mouth was opened wide on purpose, annotated by hand, in seconds; the first seconds are excluded.
OPENINGS = {
    "turn1": ((10.0, 11.8),),
    "turn2": ((4.68, 5.3), (6.65, 7.3)),
    "mouth": ((2.13, 3.2), (3.8, 5.22)),
    "talk1": (),
    "talk2": (),
    "smile": (),
    "still": (),
    "brows": (),
}

pytestmark = [pytest.mark.media]


@cache
def read_recording(name: str) -> list[tuple[float, Head]]:
    path = media_folder() / "faces" / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip("the recorded faces are not installed")
    heads = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            head = measure_head([(x, y, z) for x, y, z in row["points"]], tuple(row["size"]))
            assert head is not None, f"no head at {row['time_s']} s"
            heads.append((float(row["time_s"]), head))
    return heads


@pytest.mark.parametrize("name", OPENINGS)
def test_only_open_mouths_are_recognised_as_open(name: str) -> None:
    pointer, confirmed = HeadPointer(HeadSettings(confirm=HeadConfirm.MOUTH)), []
    for index, (time_s, head) in enumerate(read_recording(name)):
        pointing = pointer.add_heads(Heads(time_s, index, (head,)))
        if pointing is not None and pointing.confirmed:
            confirmed.append(time_s)
    for from_s, to_s in OPENINGS[name]:
        assert sum(from_s < at_s < to_s + 0.2 for at_s in confirmed) == 1, f"{confirmed}"
    assert len(confirmed) == len(OPENINGS[name])


#: A period in which the face was at rest, and the periods of at least half a second in which a smile was held without
#: opening the mouth wide.
RESTS = {
    "turn1": (2.7, 3.6),
    "turn2": (0.0, 0.16),
    "mouth": (0.0, 0.5),
    "talk1": (0.0, 0.45),
    "talk2": (1.3, 1.55),
    "smile": (0.0, 0.6),
    "still": (0.0, 1.0),
    "brows": (0.0, 0.18),
}
SMILES = {"turn2": ((0.65, 2.05),), "talk1": ((6.45, 8.45),), "smile": ((0.75, 2.65),)}


@pytest.mark.parametrize("name", OPENINGS)
def test_only_held_smiles_are_recognised_as_smiles(name: str) -> None:
    """Prepend three seconds of resting frames, so that the pointer learns the mouth's width at rest."""
    pointer, confirmed = HeadPointer(HeadSettings(confirm=HeadConfirm.SMILE)), []
    from_s, to_s = RESTS[name]
    rest = [head for time_s, head in read_recording(name) if from_s <= time_s <= to_s]
    lead = [(index / 30.0 - 3.0, rest[index % len(rest)]) for index in range(90)]
    for index, (time_s, head) in enumerate([*lead, *read_recording(name)]):
        pointing = pointer.add_heads(Heads(time_s, index, (head,)))
        if pointing is not None and pointing.confirmed:
            confirmed.append(time_s)
    smiled = SMILES.get(name, ())
    assert all(sum(start < at_s < end + 0.3 for at_s in confirmed) == 1 for start, end in smiled), confirmed
    assert len(confirmed) == len(smiled), confirmed


# The recording "smile" is too short.
@pytest.mark.parametrize("name", sorted(set(OPENINGS) - {"smile"}))
def test_pointing_starts_within_four_seconds(name: str) -> None:
    pointer = HeadPointer(HeadSettings())
    began_s = None
    for index, (time_s, head) in enumerate(read_recording(name)):
        if pointer.add_heads(Heads(time_s, index, (head,))) is not None:
            began_s = time_s
            break
    assert began_s is not None
    assert began_s < 3.6


def test_yaw_has_the_sign_of_the_turn() -> None:
    heads = read_recording("turn2")

    def mean_yaw_deg(from_s: float, to_s: float) -> float:
        yaws = [head.yaw_deg for time_s, head in heads if from_s <= time_s < to_s]
        return sum(yaws) / len(yaws)

    rest = mean_yaw_deg(5.6, 5.85)
    assert mean_yaw_deg(1.3, 2.05) - rest > 8.0
    assert mean_yaw_deg(6.5, 6.98) - rest > 8.0
    assert mean_yaw_deg(3.0, 3.7) - rest < -8.0
