"""Text to programs or Horn systems."""
