"""Speech output: sentences about pages and the table, captions of sounds, and the system's voice."""
