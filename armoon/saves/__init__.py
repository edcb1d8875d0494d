"""Data that outlives an evening: games on disk after every event, players' profiles, results, high scores."""
