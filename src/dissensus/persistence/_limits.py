"""How large a model file may be, in every respect, and why.

A file that exceeds a limit is refused before anything is unpacked or made of it. The
largest model that was tried, a random forest of 500 trees on 20,000 rows, is beside
each number.
"""

from __future__ import annotations

MEGABYTE = 2**20

# The whole file is read into memory. (The forest: 107 MB.)
MAX_FILE = 2048 * MEGABYTE
# Arrays and texts of a file; each costs some kilobytes of memory. (2,503)
MAX_PARTS = 100_000
# Unpacked, a file takes no more than this, or ...
FREE_SIZE = 64 * MEGABYTE
# ... no more than so many times its own size: who wants us to fill 4 GB must send 41 MB
# first. Models with arrays of zeros pack better; they are saved unpacked. (8)
MAX_RATIO = 100
# The description, of which Python makes objects of twenty times its size; larger than
# the first only if the file itself is large. (8 MB)
FREE_STATE = 16 * MEGABYTE
MAX_STATE_RATIO = 2
MAX_STATE = 256 * MEGABYTE
# What a file says about itself: attributes with their values, class labels.
MAX_CARD = 64 * MEGABYTE
# Levels of nesting; each takes some levels of Python's own stack, which has 1,000. (17;
# a pipeline of column transformers and a stacking has 28.)
MAX_DEPTH = 100
# Entropy of a random generator, in words of 32 bits; numpy uses 4 to 8.
MAX_SEED_WORDS = 64
# Dimensions of an array; nothing here has more than 3.
MAX_DIMENSIONS = 4
