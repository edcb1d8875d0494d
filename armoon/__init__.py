"""armoon: a hand in front of a webcam places virtual wooden ladders; a referee judges."""

import os

__version__ = "0.1.0"

# Read when numpy is loaded, here and in every child process. Its matrices are small: more threads would only wait for
# each other, for most of a second on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
