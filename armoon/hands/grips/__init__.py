"""From a followed hand to a grip: pinch, fist and dwell, gestures, gains, and whose hand plays."""
