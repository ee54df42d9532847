"""Naive Bayes and averaged one-dependence estimators."""
