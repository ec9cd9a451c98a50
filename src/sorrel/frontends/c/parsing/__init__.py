"""Files to syntax trees: all that knows libclang."""
