"""Speech output: pages and table as sentences, sounds as captions, and the system's voice that speaks them."""
