"""The glass: pages, head-up display, letters."""
