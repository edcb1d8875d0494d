"""What OBS is asked to do when something happens at the table: rules as a file, and requests as plain values."""
