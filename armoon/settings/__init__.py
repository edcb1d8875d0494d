"""What can be settled: by file, on the command line, and on the pages."""
