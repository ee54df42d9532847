"""Growing, pruning and asking trees."""
