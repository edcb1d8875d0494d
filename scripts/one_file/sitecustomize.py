"""Lets ctypes find the libraries in the single-file build for Linux, which the system's cache doesn't list."""

import os

if "ARMOON_SPARE" in os.environ:  # set by AppRun if the system has no OpenGL
    import ctypes.util
    from pathlib import Path

    find_system_library = ctypes.util.find_library

    def find_library(name: str) -> "str | None":
        bundled = [path.name for path in Path(os.environ["ARMOON_SPARE"]).glob(f"lib{name}.so.*")]
        return min(bundled, key=len) if bundled else find_system_library(name)

    ctypes.util.find_library = find_library
