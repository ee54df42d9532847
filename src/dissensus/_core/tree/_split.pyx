"""Find the split of one node: every attribute's candidate, then C4.5's choice.

C4.5 takes the best gain *ratio* among the candidates whose gain is at least the mean.
Attributes with few values for the number of rows are read off histograms, which one
pass over the rows fills for all of them; the others row by row.
"""

from libc.string cimport memset

from dissensus._core.common._numbers cimport greater, xlog2x
from dissensus._core.common._typedefs cimport (
    code_t, float64_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
)
from dissensus._core.tree._extra_task cimport add_extra_gains
from dissensus._core.tree._nominal cimport split_cells, split_histogram
from dissensus._core.tree._numeric cimport cut_counted, cut_histogram, cut_sorted
from dissensus._core.tree._problem cimport Candidate, count_t


cdef intp_t dense_prefix(const Problem* problem, intp_t n) noexcept nogil:
    """Return how many coded attributes have at most two cells for each row."""
    cdef intp_t j = 0, cells
    while j < problem.n_coded:
        cells = problem.offset[j + 1] - problem.offset[j]
        if cells > 2 * n and cells > 64:
            break
        j += 1
    return j


cdef void add_rows(
    const Problem* problem, const View* view, const float64_t* weight_of,
    const code_t* codes, count_t* cells
) noexcept nogil:
    """Add the rows of a node to the histograms of its first live attributes."""
    cdef intp_t n_coded = problem.n_coded, k = problem.n_classes, d = 0
    cdef intp_t i, j, l, y
    cdef int32_t row
    cdef const code_t* code
    cdef const intp_t* offset = problem.offset
    cdef count_t weight = 1
    while d < view.n_live and view.live[d] < view.n_dense:
        d += 1
    for i in range(view.n):
        row = view.rows[i]
        y = problem.y[row]
        code = codes + <intp_t>row * n_coded
        if count_t is float64_t:
            weight = weight_of[row]
        if d == view.n_dense:  # all of them
            for j in range(d):
                cells[offset[j] + <intp_t>code[j] * k + y] += weight
        else:
            for l in range(d):
                j = view.live[l]
                cells[offset[j] + <intp_t>code[j] * k + y] += weight


cdef void count_missing(
    const Problem* problem, const View* view, const code_t* codes, float64_t* n_missing
) noexcept nogil:
    """Count the rows without a value; J48 has a rule on rows, whatever their weight.

    It is about numeric attributes only.
    """
    cdef intp_t n_coded = problem.n_coded, i, j
    cdef int32_t n_values
    cdef intp_t count
    for j in range(view.n_dense):
        if problem.is_nominal[problem.coded[j]]:
            continue
        n_values = problem.n_values[problem.coded[j]]
        count = 0
        for i in range(view.n):
            count += <int32_t>codes[<intp_t>view.rows[i] * n_coded + j] == n_values
        n_missing[j] = <float64_t>count


cdef void fill_typed(
    const Problem* problem, const Scratch* scratch, const View* view,
    const code_t* codes, void* histogram
) noexcept nogil:
    cdef intp_t n_cells = problem.offset[view.n_dense]
    cdef float64_t* n_missing
    if view.unit:
        memset(histogram, 0, n_cells * sizeof(int32_t))
        add_rows(problem, view, scratch.weight_of, codes, <int32_t*>histogram)
    else:
        memset(histogram, 0, (n_cells + view.n_dense) * sizeof(float64_t))
        add_rows(problem, view, scratch.weight_of, codes, <float64_t*>histogram)
        n_missing = <float64_t*>histogram + n_cells
        count_missing(problem, view, codes, n_missing)


cdef void fill_histogram(
    const Problem* problem, const Scratch* scratch, const View* view, void* histogram
) noexcept nogil:
    """Count classes for each value of the live ones of the first coded attributes.

    With weights, the number of rows without a value follows, attribute by attribute.
    """
    if problem.code_bytes == 1:
        fill_typed(problem, scratch, view, <const uint8_t*>problem.codes, histogram)
    elif problem.code_bytes == 2:
        fill_typed(problem, scratch, view, <const uint16_t*>problem.codes, histogram)
    else:
        fill_typed(problem, scratch, view, <const uint32_t*>problem.codes, histogram)


cdef uint64_t* sort_keys(
    uint64_t* keys, uint64_t* spare, intp_t n, int low_bit, int high_bit
) noexcept nogil:
    """Sort by the bits from low_bit to high_bit, stably; return the sorted buffer."""
    cdef intp_t counts[256]
    cdef intp_t i, j, total, count
    cdef uint64_t key
    cdef uint64_t* swap
    if n <= 32:
        for i in range(1, n):
            key = keys[i]
            j = i
            while j > 0 and keys[j - 1] >> low_bit > key >> low_bit:
                keys[j] = keys[j - 1]
                j -= 1
            keys[j] = key
        return keys
    while low_bit < high_bit:
        memset(counts, 0, sizeof(counts))
        for i in range(n):
            counts[(keys[i] >> low_bit) & 255] += 1
        total = 0
        for j in range(256):
            count = counts[j]
            counts[j] = total
            total += count
        for i in range(n):
            j = (keys[i] >> low_bit) & 255
            spare[counts[j]] = keys[i]
            counts[j] += 1
        swap = keys
        keys = spare
        spare = swap
        low_bit += 8
    return keys


cdef inline int bit_length(uint64_t x) noexcept nogil:
    cdef int bits = 0
    while x:
        bits += 1
        x >>= 1
    return bits


cdef intp_t find_places(
    const Problem* problem, const Scratch* scratch, const View* view,
    const code_t* codes, intp_t j
) noexcept nogil:
    """Find where the rows with each code begin when they are sorted by it.

    The missing ones come last; returns how many rows are not missing.
    """
    cdef int32_t n_values = problem.n_values[problem.coded[j]], code, place = 0, count
    cdef int32_t* places = scratch.places
    cdef intp_t i, n_known
    memset(places, 0, (n_values + 1) * sizeof(int32_t))
    for i in range(view.n):
        code = <int32_t>codes[<intp_t>view.rows[i] * problem.n_coded + j]
        scratch.row_codes[i] = code
        places[code] += 1
    n_known = view.n - places[n_values]
    for i in range(n_values + 1):
        count = places[i]
        places[i] = place
        place += count
    return n_known


cdef void cut_rows(
    const Problem* problem, const Scratch* scratch, const View* view,
    const code_t* codes, intp_t j, Candidate* out
) noexcept nogil:
    """Cut a coded numeric attribute by sorting the rows of the node."""
    cdef intp_t attribute = problem.coded[j], n_coded = problem.n_coded, i, n_known = 0
    cdef int shift = problem.row_bits + problem.class_bits
    cdef const uint64_t* words = scratch.row_words
    cdef int32_t* row_codes = scratch.row_codes
    cdef int32_t n_values = problem.n_values[attribute], code, place
    cdef int32_t* places = scratch.places
    cdef uint64_t* keys = scratch.keys
    cdef int32_t* classes = <int32_t*>scratch.keys
    if n_values > 4 * view.n:
        for i in range(view.n):
            code = <int32_t>codes[<intp_t>view.rows[i] * n_coded + j]
            if code < n_values:
                keys[n_known] = (<uint64_t>code << shift) | words[i]
                n_known += 1
        keys = sort_keys(
            keys, keys + problem.n_rows, n_known, shift, shift + bit_length(n_values)
        )
    else:
        n_known = find_places(problem, scratch, view, codes, j)
        if view.unit:
            for i in range(view.n):
                code = row_codes[i]
                place = places[code]
                places[code] = place + 1
                classes[place] = scratch.row_classes[i]
            cut_counted(
                problem, scratch, view, attribute, classes, places, n_known, out
            )
            return
        for i in range(view.n):
            code = row_codes[i]
            place = places[code]
            places[code] = place + 1
            keys[place] = (<uint64_t>code << shift) | words[i]
    cut_sorted(problem, scratch, view, attribute, keys, n_known, out)


cdef void split_rows(
    const Problem* problem, const Scratch* scratch, const View* view,
    const code_t* codes, count_t* cells, intp_t j, Candidate* out
) noexcept nogil:
    """Split a nominal attribute, counting only cells that the node's rows have."""
    cdef intp_t attribute = problem.coded[j], k = problem.n_classes, i, n_touched = 0
    cdef intp_t cell
    cdef int32_t row
    cdef uint64_t* touched = scratch.keys
    for i in range(view.n):
        row = view.rows[i]
        cell = <intp_t>codes[<intp_t>row * problem.n_coded + j] * k + problem.y[row]
        if cells[cell] == 0:
            touched[n_touched] = cell
            n_touched += 1
        if count_t is int32_t:
            cells[cell] += 1
        else:
            cells[cell] += scratch.weight_of[row]
    touched = sort_keys(
        touched, touched + problem.n_rows, n_touched, 0,
        bit_length((problem.n_values[attribute] + 1) * k)
    )
    split_cells(problem, scratch, view, attribute, cells, touched, n_touched, out)
    for i in range(n_touched):
        cells[touched[i]] = 0


cdef void coded_candidate(
    const Problem* problem, const Scratch* scratch, const View* view, intp_t j,
    const code_t* codes, count_t* zeros, Candidate* out
) noexcept nogil:
    """Make the candidate of the j-th coded attribute."""
    cdef intp_t attribute = problem.coded[j], n_known = view.n
    cdef const count_t* histogram = <const count_t*>view.histogram
    if j >= view.n_dense:
        if problem.is_nominal[attribute]:
            split_rows(problem, scratch, view, codes, zeros, j, out)
        else:
            cut_rows(problem, scratch, view, codes, j, out)
        return
    if problem.is_nominal[attribute]:
        split_histogram(
            problem, scratch, view, attribute, histogram + problem.offset[j], out
        )
        return
    if count_t is float64_t:
        n_known -= <intp_t>histogram[problem.offset[view.n_dense] + j]
    cut_histogram(
        problem, scratch, view, attribute, histogram + problem.offset[j], n_known, out
    )


cdef void coded_candidates(
    const Problem* problem, const Scratch* scratch, const View* view,
    const code_t* codes
) noexcept nogil:
    cdef intp_t i, j, l
    cdef Candidate* out
    if view.n_dense < problem.n_coded:
        for i in range(view.n):
            scratch.row_words[i] = (
                (<uint64_t>problem.y[view.rows[i]] << problem.row_bits)
                | <uint64_t>view.rows[i]
            )
            scratch.row_classes[i] = problem.y[view.rows[i]]
    for j in range(problem.n_coded):
        if problem.coded[j] < problem.n_attributes:
            scratch.candidates[problem.coded[j]].valid = False
    for l in range(view.n_live):
        j = view.live[l]
        out = scratch.candidates + problem.coded[j]
        if view.unit:
            coded_candidate(
                problem, scratch, view, j, codes, <int32_t*>scratch.cells, out
            )
        else:
            coded_candidate(
                problem, scratch, view, j, codes, <float64_t*>scratch.cells, out
            )


cdef intp_t choose(const Problem* problem, const Candidate* candidates) noexcept nogil:
    """Return the attribute with the best ratio among gains of at least the mean."""
    cdef float64_t mean = 0.0, best_ratio = 0.0
    cdef intp_t a, n_gains = 0, best = -1
    for a in range(problem.n_attributes):
        if candidates[a].valid and problem.in_mean[a]:
            mean += candidates[a].gain
            n_gains += 1
    if n_gains == 0:
        return -1
    mean /= n_gains
    for a in range(problem.n_attributes):
        if (
            candidates[a].valid and candidates[a].gain >= mean - 1e-3
            and greater(candidates[a].ratio, best_ratio)
        ):
            best_ratio = candidates[a].ratio
            best = a
    return best


cdef intp_t find_split(
    const Problem* problem, Scratch* scratch, const View* view
) noexcept nogil:
    """Return the attribute to split on, or -1; its candidate is in the scratch."""
    cdef intp_t j, n_known, c
    scratch.e_classes = 0.0
    for c in range(problem.n_classes):
        if view.unit:
            scratch.node_sides[c] = (<uint64_t>view.class_weight[c]) << 32
            scratch.e_classes += problem.nlogn[<intp_t>view.class_weight[c]]
        else:
            scratch.e_classes += xlog2x(problem.log_steps, view.class_weight[c])
    if problem.code_bytes == 1:
        coded_candidates(problem, scratch, view, <const uint8_t*>problem.codes)
    elif problem.code_bytes == 2:
        coded_candidates(problem, scratch, view, <const uint16_t*>problem.codes)
    else:
        coded_candidates(problem, scratch, view, <const uint32_t*>problem.codes)
    for j in range(problem.n_sorted):
        n_known = view.n if view.known == NULL else view.known[j]
        cut_sorted(
            problem, scratch, view, problem.sorted[j], view.keys + j * view.stride,
            n_known, scratch.candidates + problem.sorted[j]
        )
    if problem.extra != NULL:
        add_extra_gains(problem, scratch, view)
    return choose(problem, scratch.candidates)
