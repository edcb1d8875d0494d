"""What is heard: cues from what happens, sounds made from numbers, and a player that may have no loudspeaker."""
