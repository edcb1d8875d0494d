"""What is shown, said and written of a lake match: one presenter for each way out."""
