"""What the rules of several games share: chance, and who begins."""
