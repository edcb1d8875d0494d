"""``python -m armoon`` is the command ``armoon``."""

from armoon.cli import main

if __name__ == "__main__":
    main()
