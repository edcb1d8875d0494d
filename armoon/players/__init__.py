"""Players that think by trying in a copied world and act with a hand, like people."""
