"""Types, tolerances, memory and columns: what all kernels share."""
