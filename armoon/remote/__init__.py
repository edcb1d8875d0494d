"""One game at several tables: the table on turn plays, and all tables compute the same frames (``docs/remote.md``)."""
