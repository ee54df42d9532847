# What the search for the split of one node reads and writes.
#
# A `Problem` is what stays the same while a tree grows; a `View` is what one node
# sees. Attributes come in two kinds. *Coded* ones (nominal, and numeric with few
# distinct values) lie side by side in one row-major matrix of small codes, ordered by
# their number of values; code `n_values` stands for "missing". *Sorted* ones (numeric
# with many values) are kept, for every node, as a list of keys in ascending order; a
# key packs rank, class and row in one word, so that the scan makes no random read.
# Coded attributes from number `n_attributes` on are hidden: the codes are shared with a
# table that has them. A coded attribute is *live* at a node if it is not hidden and no
# node above has a branch for each of its values; the others are neither counted nor
# looked at.

from dissensus._core.common._numbers cimport LogStep
from dissensus._core.common._typedefs cimport (
    float64_t, int32_t, intp_t, uint8_t, uint64_t
)

# Class weights: whole numbers where every row of the node has weight 1.
ctypedef fused count_t:
    int32_t
    float64_t

cdef struct Problem:
    intp_t n_rows
    intp_t n_attributes
    intp_t n_classes
    const int32_t* y
    # Per attribute.
    const uint8_t* is_nominal
    const uint8_t* in_mean         # does its gain count in the mean of gains?
    const int32_t* n_values        # declared values, or distinct values if numeric
    const float64_t** values       # distinct values, ascending; NULL if nominal
    # Two values are cut apart only if they differ by more than 1e-5. Ranks that
    # differ by `reach` always do; for closer ones `next_apart` has the first rank that
    # does (NULL where reach is 1). Spares a random read per cut: 1.5 times as fast.
    const int32_t* reach
    const int32_t** next_apart
    # Coded attributes.
    intp_t n_coded
    int code_bytes
    const void* codes              # (n_rows, n_coded), row-major
    const int32_t* coded           # their attributes, by ascending n_values
    const intp_t* offset           # (n_coded + 1,) first cell of each in a histogram
    # Sorted attributes.
    intp_t n_sorted
    const int32_t* sorted          # their attributes
    int row_bits
    int class_bits
    # n log2 n, and what one more adds, for n = 0, 1, ...
    const float64_t* nlogn
    const float64_t* step
    const LogStep* log_steps
    # An extra task, whose gain is added to the class's (`_extra_task.pxd`); NULL: none.
    const int32_t* extra           # its code for each row; -1: missing
    intp_t n_extra                 # number of its codes
    float64_t extra_weight
    # Parameters.
    float64_t min_leaf
    bint binary
    bint mdl

cdef struct View:
    const int32_t* rows            # in file order
    intp_t n
    bint unit                      # all weights are 1
    float64_t total                # weight of all rows
    const float64_t* class_weight  # (n_classes,)
    const uint64_t* keys           # (n_sorted, stride), ascending, known values only
    intp_t stride
    const int32_t* known           # (n_sorted,) length of each list; NULL: all n
    const int32_t* live            # places of live ones among the coded, ascending
    intp_t n_live
    intp_t n_dense                 # so many coded attributes have a histogram
    const void* histogram          # int32 if unit, else float64

cdef struct Candidate:
    bint valid
    float64_t gain
    float64_t ratio
    intp_t n_left                  # sorted attribute: rows on the left
    int32_t low                    # numeric: last rank on the left; nominal: the value
    int32_t high                   # numeric: first rank on the right

cdef struct Scratch:
    float64_t* weight_of           # (n_rows,) weight of each row of the node at hand
    float64_t* sums                # (4 * n_classes,)
    int32_t* counts                # (2 * n_classes + 1,), aligned to 8 bytes
    # Of a node whose rows all have weight 1: class counts, packed as in _numeric.pyx,
    # with all rows on the right. Of any node: the sum of its classes' E.
    uint64_t* node_sides           # (n_classes,)
    float64_t e_classes
    void* cells                    # histogram of one attribute, all zero between uses
    uint64_t* keys                 # (2 * n_rows,)
    uint64_t* row_words            # (n_rows,) class and row of the node's rows, packed
    int32_t* row_classes           # (n_rows,) the class alone
    int32_t* row_codes             # (n_rows,)
    int32_t* places                # (most distinct values of a coded attribute + 1,)
    float64_t* extra_cells         # `Tables` in _extra_task.pyx; zero between uses
    Candidate* candidates          # (n_attributes,)
