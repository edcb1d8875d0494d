"""Memory of this process that nobody uses: found, and given back to the system where that has glibc."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

#: Numbers of glibc's options (malloc.h).
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
#: Blocks from this size on go back to the system as soon as they are free: worlds, targets of the renderer, but not
#: a camera's pictures, of which each frame needs some (6 MB at 1080p).
_LARGE = 8 << 20
#: Bytes at the heap's end that are kept for what comes next.
_KEPT = 16 << 20
#: Linux's number of what lets go of pages (mman.h), and bytes that are looked at together.
_DONT_NEED, _PIECE = 4, 1 << 18


def keep_little() -> None:
    """Give freed memory back soon from now on: by itself glibc learns from the first large blocks to keep them.

    And gives each thread a heap of its own, whose holes the others can't use: 11 MB of the tracker's. One for all of
    them costs no time that could be measured, since Python's lock lets but one thread work at most times.
    """
    _glibc("mallopt", _ARENA_MAX, 1)
    _glibc("mallopt", _MMAP_THRESHOLD, _LARGE)
    _glibc("mallopt", _TRIM_THRESHOLD, _KEPT)


def give_back() -> None:
    """Give all freed memory back now, which takes 1 to 5 ms.

    Loading the networks alone leaves 90 MB, the meshes and sounds 16, the first turn of a game 24.
    """
    _glibc("malloc_trim", 0)


def clear_up() -> None:
    """Clear up before a game: what lives now is looked at no more while it is played.

    Python looks from time to time for objects that refer to each other in a circle and to nothing else. With all that
    the program has loaded, that look stops everything for 50 ms; so it is taken here, where nobody waits for a picture.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back()


@contextlib.contextmanager
def zeros_given_back() -> Iterator[None]:
    """Give back what is taken meanwhile in a large block and holds nothing but zeros.

    Whoever reads it again finds zeros again, so nothing else changes; the block must be written to by no other thread.
    """
    before = _blocks()
    yield
    nothing = bytes(_PIECE)
    for start, end in _blocks() - before:
        if end - start < _LARGE:
            continue
        # Linux tells neighbours as one block.
        old = [block for block in before if block[0] < end and start < block[1]]
        for place in range(start, end - _PIECE + 1, _PIECE):
            piece = ctypes.c_void_p(place), ctypes.c_size_t(_PIECE)
            if any(place < until and since < place + _PIECE for since, until in old):
                continue
            if _glibc("memcmp", piece[0], nothing, piece[1]) == 0:
                _glibc("madvise", *piece, _DONT_NEED)


def _blocks() -> set[tuple[int, int]]:
    """Return where our own memory begins and ends, block by block; nothing where the system doesn't tell."""
    found = set()
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/maps").read_text(encoding="ascii", errors="replace").splitlines():
            place, rights, *_, last = line.split()
            if rights == "rw-p" and last == "0":
                start, end = place.split("-")
                found.add((int(start, 16), int(end, 16)))
    return found


def _glibc(function: str, *arguments: object) -> int | None:
    """Call it, and return its answer; None where there is no such function."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):
            return int(getattr(_library(), function)(*arguments))
    return None


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None)
