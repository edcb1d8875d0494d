"""From camera pictures to landmarks: model, tracker, its thread, and where it looks."""
