# Memory for kernels: like malloc, realloc and free, but running out of it is an error
# in words, sizes are checked, and blocks are counted.
#
# Every block of every kernel comes from here and goes back here, so that a test can let
# any allocation fail and see that nothing is left behind. `what` says what the memory
# is for, in the plural or as a mass ("sort keys"): it stands in the error message.

from dissensus._core.common._typedefs cimport intp_t

# The product of two counts; one that no address can hold is an error.
cdef intp_t times(intp_t a, intp_t b, const char* what) except -1 nogil
# A block for `count` things of `size` bytes. None is as good as one.
cdef void* grab(intp_t count, intp_t size, const char* what) except NULL nogil
# Make a block larger or smaller; if that fails it stays as it was.
cdef int resize(
    void** block, intp_t count, intp_t size, const char* what
) except -1 nogil
# Give a block back; NULL is none.
cdef void release(const void* block) noexcept nogil
