"""What is on the glass: pages, head-up display, letters."""
