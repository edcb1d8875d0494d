"""The screens as a state machine: events of any input device in, pages and actions out; no clock, no drawing."""
