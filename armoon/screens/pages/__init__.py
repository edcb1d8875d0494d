"""Every page: its content and the actions of its widgets."""
