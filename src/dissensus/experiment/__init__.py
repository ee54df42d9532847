"""Studies: a specification, its jobs, their store and results."""
