"""One game at several tables: who is on turn plays, and all tables step the same lines (``docs/remote.md``)."""
