"""Sound: cues from events, synthesised sounds, and a player that works without a loudspeaker."""
