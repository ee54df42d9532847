"""Cascade Generalization (Gama and Brazdil, 2000), run again."""
