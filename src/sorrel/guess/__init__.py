"""Guess and check: facts about procedures from templates, filtered by concrete points, then by induction.

Engines share this room: it needs a Horn system and points that are known to be derivable, and gives back
formulas that are inductive. What is guessed decides nothing; what survives was proved.
"""
