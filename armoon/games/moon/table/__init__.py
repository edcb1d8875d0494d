"""The moon on the table: its match, from what it starts, what goes into log and save, the lid."""
