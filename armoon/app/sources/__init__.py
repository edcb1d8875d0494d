"""What the program looks through: a camera, the demo, nothing; and their frames."""
