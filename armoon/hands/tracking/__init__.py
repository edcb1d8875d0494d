"""From camera pictures to landmarks: model, tracker, its thread, and its search region."""
