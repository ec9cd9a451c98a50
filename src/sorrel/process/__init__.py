"""From what a user names to an outcome: requests, the supervising process, workers and their limits."""
