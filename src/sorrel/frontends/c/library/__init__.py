"""Functions of the C library, each an entry in one of the files here: what is known of it, its body, what to try."""
