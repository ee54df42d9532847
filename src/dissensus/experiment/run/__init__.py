"""Running a study: cells, progress and estimates of time."""
