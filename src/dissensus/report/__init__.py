"""Results and trees as one HTML page."""
