"""The moon on the table: its match, its set-up, its log and save, the lid."""
