"""Runs the command ``armoon`` for ``python -m armoon``."""

from armoon.cli import main

if __name__ == "__main__":
    main()
