"""Measurements of armoon; ``scripts/bench NAME`` runs one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

#: Saves a benchmark's final or interim figures.
Save = Callable[[Mapping[str, Any]], object]
