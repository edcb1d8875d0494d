"""What happened, shown once more: slow motion at the table, logs replayed, films and clips, the book's own stage."""
