"""The party's server: a process of its own that passes the feed on, takes votes, and serves its pages."""
