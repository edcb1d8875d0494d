"""The held-out half: seeds that are committed to by a hash, and revealed with the next version.

``python -m benchmarks.placement_parts.heldout SALT COUNT`` prints the hash that is published. The salt stays with
whoever made it; once it is told, anybody makes the same seeds, the same towers (``making.py``) and the same hash.
"""

from __future__ import annotations

import hashlib
import json
import sys

from armoon.errors import SettingsError


def seeds_of(salt: str, count: int) -> tuple[int, ...]:
    """Return the seeds (count,) of the held-out towers: 48 bits each."""
    return tuple(
        int.from_bytes(hashlib.sha256(f"{salt}:{number}".encode()).digest()[:6], "big")
        for number in range(count)
    )


def commitment(salt: str, count: int) -> str:
    """Return what is published: the SHA-256 of salt and seeds."""
    told = json.dumps([salt, seeds_of(salt, count)], separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()


def revealed(salt: str, count: int, published: str) -> tuple[int, ...]:
    """Return the seeds of a salt that was revealed. SettingsError if they aren't those that were published."""
    if commitment(salt, count) != published:
        raise SettingsError(
            "These seeds are not what was committed to.",
            remedy="Check the salt, letter by letter, and the count.",
        )
    return seeds_of(salt, count)


if __name__ == "__main__":
    print(commitment(sys.argv[1], int(sys.argv[2])))
