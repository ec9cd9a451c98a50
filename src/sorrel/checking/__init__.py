"""Evidence against the original system: accepted or not. Knows nothing of engines and transformations."""
