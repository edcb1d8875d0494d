"""Parts of the paper ladder's benchmark."""
