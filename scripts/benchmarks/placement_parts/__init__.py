"""Tables, targets, trials and the hand of the placement benchmark."""
