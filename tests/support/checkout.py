"""Where the checkout's own files are that no wheel holds: README, docs, scripts."""

from __future__ import annotations

import os
from pathlib import Path

#: The tests may run on a copy away from the checkout, against the installed wheel: ``.ci/run`` then says where it is.
CHECKOUT = Path(os.environ.get("ARMOON_CHECKOUT", Path(__file__).resolve().parents[2]))
