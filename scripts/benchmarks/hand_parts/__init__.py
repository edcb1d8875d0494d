"""Parts of the hands benchmark: photographs, clips with their annotations, rendered pinches, a landmark cache."""
