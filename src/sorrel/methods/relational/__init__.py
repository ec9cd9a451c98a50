"""Several runs at once: lockstep, products, parts of laws, what depends on what."""
