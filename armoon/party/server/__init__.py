"""The party's server: a process that distributes the feed, collects votes, and serves pages."""
