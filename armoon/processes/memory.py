"""Memory of this process that nobody uses: found, and given back to the system where that has glibc."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys

#: Numbers of glibc's options (malloc.h).
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
#: Blocks from this size on go back to the system as soon as they are free: worlds, targets of the renderer, but not
#: a camera's pictures, of which each frame needs some (6 MB at 1080p).
_LARGE = 8 << 20
#: Bytes at the heap's end that are kept for what comes next.
_KEPT = 16 << 20


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


def _glibc(function: str, *arguments: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), function)(*arguments)
