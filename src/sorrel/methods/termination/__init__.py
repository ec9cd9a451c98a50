"""Whether programs end: ranks for nested calls, lassos, recurrent sets."""
