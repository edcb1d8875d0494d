"""Memory of this process that nobody uses, given back to the system. Nothing happens where there is no glibc."""

from __future__ import annotations

import contextlib
import ctypes
import sys

#: Numbers of glibc's options (malloc.h).
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
#: Blocks from this size on go back to the system as soon as they are free: worlds, targets of the renderer, but not
#: a camera's pictures, of which each frame needs some (6 MB at 1080p).
_LARGE = 8 << 20
#: Bytes at the heap's end that are kept for what comes next.
_KEPT = 16 << 20


def keep_little() -> None:
    """Give freed memory back soon from now on: by itself glibc learns from the first large blocks to keep them."""
    _glibc("mallopt", _MMAP_THRESHOLD, _LARGE)
    _glibc("mallopt", _TRIM_THRESHOLD, _KEPT)


def give_back() -> None:
    """Give all freed memory back now, which takes 1 to 5 ms.

    Loading the networks alone leaves 90 MB, the meshes and sounds 16, the first turn of a game 24.
    """
    _glibc("malloc_trim", 0)


def _glibc(function: str, *arguments: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), function)(*arguments)
