"""Summaries as decision trees, learned from points and implications between them."""
