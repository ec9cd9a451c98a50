"""SYNONYM: several runs of functions explored side by side, with loops in lockstep and decisions up to symmetry."""
