"""The command line. It parses, asks, and prints; it loads no solver, so it starts fast and always listens."""

from sorrel.cli.main import main

__all__ = ["main"]
