"""Parts of the party's benchmark."""
