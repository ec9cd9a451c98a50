"""FLOWER: summaries of product programs that say what depends on what."""
