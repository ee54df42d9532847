"""Validation, seeds, and the private names of scikit-learn."""
