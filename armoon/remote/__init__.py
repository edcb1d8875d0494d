"""One game at several tables: the current one plays, and all others are shown its frames (``docs/remote.md``)."""
