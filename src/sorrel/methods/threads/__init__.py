"""Programs with threads: interleavings, the product of all threads, rules."""
