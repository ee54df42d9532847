"""Memory for kernels: like malloc and realloc, but running out of it is an error."""

from libc.stdlib cimport malloc, realloc


cdef void* grab(intp_t n_bytes) except NULL nogil:
    """Return a new block; the caller frees it."""
    cdef void* block = malloc(n_bytes if n_bytes > 0 else 1)
    if block == NULL:
        with gil:
            raise MemoryError
    return block


cdef int resize(void** block, intp_t n_bytes) except -1 nogil:
    """Make a block larger or smaller, in place or elsewhere."""
    cdef void* moved = realloc(block[0], n_bytes if n_bytes > 0 else 1)
    if moved == NULL:
        with gil:
            raise MemoryError
    block[0] = moved
    return 0
