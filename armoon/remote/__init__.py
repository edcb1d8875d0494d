"""One game at several tables: the table on turn plays, and all others are shown its frames (``docs/remote.md``)."""
