"""The screens as a state machine, which turns the input of any device into pages and actions."""
