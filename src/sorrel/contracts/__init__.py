"""Conditions as they are told, in ACSL and in C: read from their text, given their meaning, put into the program."""
