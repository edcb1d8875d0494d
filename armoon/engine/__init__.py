"""One match, from hands to verdicts, as a machine that a log can run again bit for bit."""
