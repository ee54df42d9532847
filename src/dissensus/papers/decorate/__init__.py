"""DECORATE (Melville and Mooney, 2003), run again."""
