"""Settings: from the settings file, the command line and the pages."""
