"""Several runs of one program as one program: what they share, where they must agree, and the way back to each run."""
