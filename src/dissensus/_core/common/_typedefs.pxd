# The number types of every kernel, named once.

from libc.stdint cimport (
    int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
)

ctypedef Py_ssize_t intp_t
ctypedef double float64_t

# Codes of attributes, as small as their number of values allows.
ctypedef fused code_t:
    uint8_t
    uint16_t
    uint32_t
