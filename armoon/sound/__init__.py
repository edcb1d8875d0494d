"""Sound: cues, synthesised sounds, and a player that also works without a loudspeaker."""
