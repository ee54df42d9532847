"""Plain Python versions of the compiled kernels, written straight from the rules."""
