"""What is shown, said and written of a moon match: one presenter for each way out."""
