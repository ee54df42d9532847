"""The cells of a study: jobs, splits and seeds."""
