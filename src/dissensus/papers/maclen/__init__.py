"""MACLEN (Wang and others, 2010), run again."""
