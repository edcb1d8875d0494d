"""Path of the checkout, for files that aren't in the wheel: README, docs, scripts."""

from __future__ import annotations

import os
from pathlib import Path

#: The tests may run on a copy outside the checkout, against the installed wheel; ``.ci/run`` then sets this path.
CHECKOUT = Path(os.environ.get("ARMOON_CHECKOUT", Path(__file__).resolve().parents[2]))
