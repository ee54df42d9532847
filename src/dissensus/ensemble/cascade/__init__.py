"""Cascade Generalization: each learner's probabilities are attributes for the next."""
