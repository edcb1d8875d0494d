"""The referee: reads the facts of the world by the rules, and answers with verdicts, evidence and orders."""
