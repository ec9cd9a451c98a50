"""A project: which files, which questions, and what is known about them (docs/store.md)."""
