"""Pure game rules: values and functions, no physics, no clock, no pictures."""
