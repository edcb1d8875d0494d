"""The watch over the one-hand rule."""
