"""Modules that a package loads for what we never use: empty ones stand in for them meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def left_out(modules: Mapping[str, str]) -> Iterator[None]:
    """Leave out these modules, each with the name that is taken from it.

    One that is loaded already stays. Afterwards all can be loaded for good.
    """
    stand_ins = {name: ModuleType(name) for name in modules if name not in sys.modules}
    for name, module in stand_ins.items():
        setattr(module, modules[name], type(modules[name], (), {}))
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]
