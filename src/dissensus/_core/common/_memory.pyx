"""Memory for kernels: like malloc, realloc and free, but counted and with errors.

The counters cost one atomic addition a block, which shows in no measurement (letter,
nursery, waveform-5000), so they are in every build: the tests that let allocations fail
are run on the kernels that users have.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, realloc

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int64_t add_to(volatile int64_t *number, int64_t more) {
        return _InterlockedExchangeAdd64((volatile __int64 *)number, more) + more;
    }
    #else
    static inline int64_t add_to(volatile int64_t *number, int64_t more) {
        return __atomic_add_fetch(number, more, __ATOMIC_RELAXED);
    }
    #endif
    """
    int64_t add_to(int64_t* number, int64_t more) noexcept nogil

cdef int64_t n_asked = 0      # allocations so far
cdef int64_t n_live = 0       # blocks that are not given back
cdef int64_t failing = 0      # the allocation that fails; 0: none
cdef intp_t LARGEST = <intp_t>((<size_t>-1) >> 1)
# What is larger is allowed only if the machine has twice as much.
cdef intp_t LARGE = 1 << 26


cdef int refuse_count(intp_t a, intp_t b, const char* what) except -1 with gil:
    raise MemoryError(
        f"{what.decode()} would need {a:,} times {b:,} bytes, which no memory has. Fit "
        "on fewer rows, or on attributes and classes with fewer values."
    )


cdef int refuse_bytes(intp_t n_bytes, const char* what) except -1 with gil:
    raise MemoryError(
        f"There is no memory left for {what.decode()}: {n_bytes:,} bytes were asked "
        "for. Fit on fewer rows, or on attributes and classes with fewer values."
    )


cdef int ask_machine(intp_t n_bytes, const char* what) except -1 with gil:
    """Raise an error if a large block is more than half of what is available."""
    from dissensus.utils._memory_limit import check_memory

    check_memory(
        n_bytes,
        what.decode(),
        "Fit on fewer rows, or on attributes and classes with fewer values.",
    )
    return 0


cdef intp_t times(intp_t a, intp_t b, const char* what) except -1 nogil:
    if a < 0 or b < 0 or (b > 0 and a > LARGEST // b):
        refuse_count(a, b, what)
    return a * b


cdef intp_t checked_size(intp_t count, intp_t size, const char* what) except -1 nogil:
    """Return the bytes of a block that may be asked for."""
    cdef intp_t n_bytes = times(count, size, what)
    if n_bytes > LARGE:
        ask_machine(n_bytes, what)
    if add_to(&n_asked, 1) == failing:
        refuse_bytes(n_bytes, what)
    return n_bytes if n_bytes > 0 else 1  # malloc(0) may return NULL


cdef void* grab(intp_t count, intp_t size, const char* what) except NULL nogil:
    cdef intp_t n_bytes = checked_size(count, size, what)
    cdef void* block = malloc(n_bytes)
    if block == NULL:
        refuse_bytes(n_bytes, what)
    add_to(&n_live, 1)
    return block


cdef int resize(
    void** block, intp_t count, intp_t size, const char* what
) except -1 nogil:
    cdef intp_t n_bytes = checked_size(count, size, what)
    cdef void* moved = realloc(block[0], n_bytes)
    if moved == NULL:
        refuse_bytes(n_bytes, what)
    if block[0] == NULL:
        add_to(&n_live, 1)
    block[0] = moved
    return 0


cdef void release(const void* block) noexcept nogil:
    if block != NULL:
        add_to(&n_live, -1)
        free(<void*>block)


def allocation_count():
    """Return how many blocks the kernels have asked for in this process."""
    return n_asked


def live_blocks():
    """Return how many blocks of the kernels are not given back."""
    return n_live


def fail_at(int64_t n):
    """Let the n-th allocation from now on fail, once; 0 lets none fail. For tests."""
    global failing
    failing = n_asked + n if n > 0 else 0
