"""What a function is owed: conditions on the state before a call under which nothing goes wrong in it."""
