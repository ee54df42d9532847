"""Local cascade generalization: a tree that builds attributes at its nodes."""
