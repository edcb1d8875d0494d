"""Processes beside the program: functions and programs, and how each of them ends with it."""
