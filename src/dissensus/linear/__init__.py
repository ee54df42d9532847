"""Linear base learners."""
