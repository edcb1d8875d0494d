"""Pages of exact size: what stands on them, written as PDF or SVG, or painted as pixels."""
