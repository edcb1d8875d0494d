"""The table from a blank sheet or from four pointed corners."""
