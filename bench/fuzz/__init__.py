"""Random examples whose truth is known, against Sorrel's answers. `make fuzz` runs every kind for a while.

A kind is a module with `run(seed, seconds, folder) -> Report`; `registry` lists them.
"""
