"""Requests to OBS at events of the table: rules as a file, and requests as plain values."""
