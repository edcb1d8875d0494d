"""Replayed pictures: slow motion at the table, logs, films and clips, and the book's stage."""
