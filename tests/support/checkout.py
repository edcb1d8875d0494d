"""Location of the checkout's own files that no wheel contains: README, docs, scripts."""

from __future__ import annotations

import os
from pathlib import Path

#: The tests may run on a copy outside the checkout, against the installed wheel; ``.ci/run`` then sets this path.
CHECKOUT = Path(os.environ.get("ARMOON_CHECKOUT", Path(__file__).resolve().parents[2]))
