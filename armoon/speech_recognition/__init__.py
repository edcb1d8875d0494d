"""Playing by voice: phrases, a recogniser that stays on this machine, and the process that listens."""
