"""A tabletop game: a hand in front of a webcam places virtual wooden ladders, and a referee judges."""

import os

__version__ = "0.1.0"

# Set before numpy is loaded, here and in every child process. The matrices are small, so more threads would only wait
# for each other: on a busy machine, for most of a second.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
