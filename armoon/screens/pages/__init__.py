"""Every page: what stands on it and what its widgets do."""
