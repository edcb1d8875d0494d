"""What outlives an evening: games on disk after every event, players' profiles, results and high scores."""
