# Memory for kernels: like malloc and realloc, but running out of it is an error.

from dissensus._core._typedefs cimport intp_t

cdef void* grab(intp_t n_bytes) except NULL nogil
cdef int resize(void** block, intp_t n_bytes) except -1 nogil
