"""The lake game on the table: its layout, the reading of grips, the match, and its pictures as values."""
