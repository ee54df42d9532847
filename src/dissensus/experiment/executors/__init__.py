"""Where cells are run: in this process, in others, on a cluster."""
