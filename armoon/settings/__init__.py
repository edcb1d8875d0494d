"""Settings: by file, on the command line, and on the pages."""
