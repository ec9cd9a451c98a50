"""Outcomes as text for people and tools. Free of solvers; only the command line prints."""
