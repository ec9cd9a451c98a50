"""Terms and what can be done with them without asking a solver.

Terms are z3 expressions: hash-consed, with native substitution and simplification (docs/decisions/0001).
The other rooms speak the vocabulary of these modules and never import z3 themselves.
"""
