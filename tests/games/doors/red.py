"""The doors that don't do yet what they promise: test and game, and what is missing.

Each is a strict expected failure: the moment it works the suite says so, and the line goes. Today the table is empty.
"""

from __future__ import annotations

RED: dict[str, str] = {}
