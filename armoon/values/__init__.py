"""The frozen values that rooms hand each other."""
