"""armoon: a hand in front of a webcam places virtual wooden ladders; a referee judges."""

import os

__version__ = "0.1.0"

# Read when numpy is loaded, here and in every process that this one starts. Its matrices are small: more threads only
# wait for each other, for most of a second where other programs are busy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
