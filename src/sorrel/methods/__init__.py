"""Everything that can decide a question: each a method, with what it fits, its attempt and what it found."""
