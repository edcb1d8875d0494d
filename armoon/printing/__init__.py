"""Pages of exact size, written as PDF or SVG, or painted as pixels."""
