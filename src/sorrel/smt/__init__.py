"""Questions to solvers: is it satisfiable, what follows, what remains when variables go, what lies between.

Every question runs under a clock and is counted. A solver that does not know weakens the answer: `None`,
never a guess.
"""
