"""Cut a grown tree back: collapse, then pessimistic pruning with subtree raising.

Pruning works from the leaves up. At each inner node it compares three estimates of
the errors to come: of the node as a leaf, of the subtree, and of the node's largest
branch if it took the node's place and got all its rows. `_send.pxd` says how rows are
brought to the node at hand.
"""

from libc.math cimport INFINITY, NAN
from libc.string cimport memcpy, memset

import numpy as np

from dissensus._core.common._columns cimport (
    FLOAT64, INT32, INTP, UINT8, close_columns, open_columns, room_of, start_of
)
from dissensus._core.common._memory cimport grab, release, resize
from dissensus._core.tree._nodes cimport LEAF, weights_to_arrays
from dissensus._core.common._numbers cimport not_smaller, not_greater
from dissensus._core.tree._send cimport (
    ADDED, AFRESH, FOR_GOOD, Frame, Part, Pruner, estimate, reserve, send, send_all,
    take_others, take_rows
)
from dissensus._core.tree._send_units cimport (
    has_all_values, note_leaf, others_errors, part_path, raise_branch
)
from dissensus._core.common._typedefs cimport float64_t, int32_t, intp_t, uint8_t
from dissensus._core.tree._class_weights cimport ClassWeights

# A leaf or a raised branch may be this much worse than the subtree it replaces.
cdef float64_t SLACK = 0.1
# Nodes of a tree that is collapsed sooner than the interpreter's lock, once given up,
# can be had again.
cdef intp_t SMALL_TREE = 2000
cdef const char* WHAT = b"Rows and nodes of a tree"


cdef float64_t leaf_errors(const Pruner* pruner, intp_t node) noexcept nogil:
    """Return the weight of the rows that are not of the majority class."""
    return pruner.weights.total[node] - pruner.weights.most[node]


cdef float64_t expected_of(const Pruner* pruner, intp_t node) noexcept nogil:
    """Return the errors to expect of a pruned node."""
    if pruner.kind[node] == LEAF and not pruner.units:
        return estimate(pruner, node)
    return pruner.expected[node]


cdef float64_t branch_errors(
    Pruner* pruner, const Frame* frame, intp_t branch, float64_t limit
) except -1.0 nogil:
    """Return the errors to expect if a branch got all rows of its parent.

    Without missing values the branch keeps the rows that it has, and the others come on
    top: one row more never makes a leaf's estimate smaller, so that the limit is often
    passed by the first leaves (letter: pruning in half the time).
    """
    cdef float64_t own, more
    if pruner.units:
        own = expected_of(pruner, branch)
        return own + others_errors(pruner, frame, branch, limit - own)
    if not pruner.some_missing:
        own = expected_of(pruner, branch)
        more = send_all(
            pruner, branch, take_others(pruner, frame, branch), ADDED, limit - own
        )
        if not pruner.some_missing:
            return own + more
    take_rows(pruner, frame)
    return send_all(pruner, branch, frame.n, AFRESH, limit)


cdef void make_leaf(Pruner* pruner, intp_t node) noexcept nogil:
    pruner.kind[node] = LEAF
    pruner.attribute[node] = -1
    pruner.threshold[node] = NAN
    pruner.first_child[node] = -1
    pruner.n_children[node] = 0
    pruner.gain[node] = NAN
    pruner.gain_ratio[node] = NAN


cdef void take_over(Pruner* pruner, intp_t node, intp_t branch) noexcept nogil:
    """Put a branch in the place of its parent."""
    pruner.kind[node] = pruner.kind[branch]
    pruner.attribute[node] = pruner.attribute[branch]
    pruner.threshold[node] = pruner.threshold[branch]
    pruner.first_child[node] = pruner.first_child[branch]
    pruner.n_children[node] = pruner.n_children[branch]
    pruner.gain[node] = pruner.gain[branch]
    pruner.gain_ratio[node] = pruner.gain_ratio[branch]


cdef float64_t subtree_errors(const Pruner* pruner, intp_t node) noexcept nogil:
    """Sum up what the pruned children of a node expect."""
    cdef intp_t child, first = pruner.first_child[node]
    cdef float64_t errors = 0.0
    for child in range(first, first + pruner.n_children[node]):
        errors += expected_of(pruner, child)
    return errors


cdef intp_t largest_branch(const Pruner* pruner, intp_t node) noexcept nogil:
    """Return the child with the largest branch weight, the last of equals."""
    cdef intp_t first = pruner.first_child[node], largest = first, b
    cdef float64_t most = 0.0
    for b in range(first, first + pruner.n_children[node]):
        if not_smaller(pruner.branch_weight[b], most):
            most = pruner.branch_weight[b]
            largest = b
    return largest


cdef bint decide(Pruner* pruner, const Frame* frame) except -1 nogil:
    """Prune a node whose children are pruned; True if a branch took its place."""
    cdef intp_t node = frame.node, branch
    cdef float64_t as_leaf, as_tree, as_branch = INFINITY, limit
    as_leaf = estimate(pruner, node)
    as_tree = subtree_errors(pruner, node)
    pruner.expected[node] = as_tree
    if pruner.raising:
        branch = largest_branch(pruner, node)
        # Beyond this the branch is neither raised nor in a leaf's way.
        limit = (as_leaf if as_leaf > as_tree else as_tree) + 2.0 * SLACK
        as_branch = branch_errors(pruner, frame, branch, limit)
    if (
        not_greater(as_leaf, as_tree + SLACK)
        and not_greater(as_leaf, as_branch + SLACK)
    ):
        make_leaf(pruner, node)
        if pruner.units:
            note_leaf(pruner, node)
    elif not_greater(as_branch, as_tree + SLACK):
        take_over(pruner, node, branch)
        if pruner.units:
            raise_branch(pruner, frame)
        else:
            take_rows(pruner, frame)
            send_all(pruner, node, frame.n, FOR_GOOD, INFINITY)
        return pruner.kind[node] != LEAF
    return False


cdef int lay_out_sons(Pruner* pruner, Frame* frame) except -1 nogil:
    """Lay out the rows of a node's children; without raising none are needed."""
    cdef intp_t node = frame.node, first = pruner.first_child[node], b
    frame.sons_left = pruner.n_children[node]
    frame.top = frame.start + frame.n
    if not pruner.raising:
        return 0
    if pruner.units:
        part_path(pruner, frame)
        return 0
    send(pruner, node, &pruner.path, frame.start, frame.n)
    for b in range(frame.sons_left):
        pruner.n_arrived[first + b] = pruner.cursor[b] - frame.top
        frame.top = pruner.cursor[b]
    return 0


cdef int open_frame(
    Pruner* pruner, intp_t node, intp_t start, intp_t n
) except -1 nogil:
    cdef Frame* frame
    if pruner.n_frames == pruner.n_frame_slots:
        resize(
            <void**>&pruner.frames, 2 * pruner.n_frame_slots + 64, sizeof(Frame), WHAT
        )
        pruner.n_frame_slots = 2 * pruner.n_frame_slots + 64
    frame = pruner.frames + pruner.n_frames
    pruner.n_frames += 1
    frame.node = node
    frame.start = start
    frame.n = n
    return lay_out_sons(pruner, frame)


cdef int prune_all(Pruner* pruner, intp_t n_rows) except -1 nogil:
    """Prune all nodes, children before their parents."""
    cdef Frame* frame
    cdef intp_t child
    if pruner.kind[0] == LEAF:
        return 0
    open_frame(pruner, 0, 0, n_rows)
    while pruner.n_frames > 0:
        frame = pruner.frames + pruner.n_frames - 1
        if frame.sons_left > 0:
            frame.sons_left -= 1
            child = pruner.first_child[frame.node] + frame.sons_left
            frame.top -= pruner.n_arrived[child]
            if pruner.kind[child] != LEAF:
                open_frame(pruner, child, frame.top, pruner.n_arrived[child])
        elif decide(pruner, frame):
            lay_out_sons(pruner, frame)  # once more, with the children of the branch
        else:
            pruner.n_frames -= 1
    return 0


cdef int point_to_tree(Pruner* pruner, dict tree) except -1:
    """Point to the nodes, which are changed in place."""
    cdef intp_t n = len(tree["kind"])
    pruner.attribute = <int32_t*>room_of(tree["attribute"], INT32, n)
    pruner.kind = <uint8_t*>room_of(tree["kind"], UINT8, n)
    pruner.threshold = <float64_t*>room_of(tree["threshold"], FLOAT64, n)
    pruner.first_child = <int32_t*>room_of(tree["first_child"], INT32, n)
    pruner.n_children = <int32_t*>room_of(tree["n_children"], INT32, n)
    pruner.branch_weight = <float64_t*>room_of(tree["branch_weight"], FLOAT64, n)
    pruner.empty = <uint8_t*>room_of(tree["empty"], UINT8, n)
    pruner.gain = <float64_t*>room_of(tree["gain"], FLOAT64, n)
    pruner.gain_ratio = <float64_t*>room_of(tree["gain_ratio"], FLOAT64, n)
    pruner.n_classes = tree["n_classes"]
    pruner.weights.n_classes = pruner.n_classes
    pruner.weights.start = <intp_t*>room_of(tree["start"], INTP, n)
    pruner.weights.n_present = <int32_t*>room_of(tree["n_present"], INT32, n)
    pruner.weights.total = <float64_t*>room_of(tree["total"], FLOAT64, n)
    pruner.weights.most = <float64_t*>room_of(tree["most"], FLOAT64, n)
    return 0


cdef int copy_weights(ClassWeights* weights, dict tree) except -1:
    """Copy the lists of class weights, which grow where a branch is raised."""
    cdef intp_t n = len(tree["classes"])
    cdef const void* classes = start_of(tree["classes"], INT32, n)
    cdef const void* values = start_of(tree["weights"], FLOAT64, n)
    weights.classes = <int32_t*>grab(n, sizeof(int32_t), WHAT)
    weights.weights = <float64_t*>grab(n, sizeof(float64_t), WHAT)
    memcpy(weights.classes, classes, n * sizeof(int32_t))
    memcpy(weights.weights, values, n * sizeof(float64_t))
    weights.capacity = n
    weights.count = n
    return 0


cdef int make_room(
    Pruner* pruner, intp_t n_nodes, intp_t n_rows, intp_t most
) except -1:
    pruner.expected = <float64_t*>grab(n_nodes, sizeof(float64_t), WHAT)
    pruner.n_arrived = <intp_t*>grab(n_nodes, sizeof(intp_t), WHAT)
    memset(pruner.n_arrived, 0, n_nodes * sizeof(intp_t))
    pruner.branch = <int32_t*>grab(n_rows, sizeof(int32_t), WHAT)
    pruner.known = <float64_t*>grab(most, sizeof(float64_t), WHAT)
    pruner.share = <float64_t*>grab(most, sizeof(float64_t), WHAT)
    pruner.cursor = <intp_t*>grab(most, sizeof(intp_t), WHAT)
    pruner.classes = <float64_t*>grab(pruner.n_classes, sizeof(float64_t), WHAT)
    pruner.parts = <Part*>grab(64, sizeof(Part), WHAT)
    pruner.n_part_slots = 64
    reserve(&pruner.path, n_rows)
    return 0


cdef int make_room_for_units(
    Pruner* pruner, intp_t n_nodes, intp_t n_rows
) except -1 nogil:
    cdef intp_t node
    pruner.moved = <int32_t*>grab(n_rows, sizeof(int32_t), WHAT)
    pruner.counts = <int32_t*>grab(pruner.n_classes, 2 * sizeof(int32_t), WHAT)
    memset(pruner.classes, 0, pruner.n_classes * sizeof(float64_t))
    for node in range(n_nodes):
        if pruner.kind[node] == LEAF:
            note_leaf(pruner, node)
    return 0


cdef void lay_out_root(
    Pruner* pruner, const float64_t* weights, intp_t n_rows
) noexcept nogil:
    """Lay out all rows, with their weights."""
    cdef intp_t i
    for i in range(n_rows):
        pruner.path.row[i] = <int32_t>i
        pruner.path.weight[i] = 1.0 if weights == NULL else weights[i]


cdef void free_pruner(Pruner* pruner) noexcept nogil:
    release(pruner.expected)
    release(pruner.n_arrived)
    release(pruner.branch)
    release(pruner.moved)
    release(pruner.counts)
    release(pruner.known)
    release(pruner.share)
    release(pruner.cursor)
    release(pruner.classes)
    release(pruner.parts)
    release(pruner.frames)
    release(pruner.path.row)
    release(pruner.path.weight)
    release(pruner.trial.row)
    release(pruner.trial.weight)
    release(pruner.weights.classes)
    release(pruner.weights.weights)
    close_columns(&pruner.columns)


def prune(
    dict tree, list columns, const int32_t[::1] y, weights, *,
    float64_t level, float64_t z, bint raising,
):
    """Prune a tree in place by the pessimistic estimate of its errors.

    Parameters
    ----------
    tree : dict
        The nodes, as `grow` returns them.
    columns : list of ndarray
        Per attribute the numbers (float64) or codes (int32) of the training rows.
    y : ndarray of shape (n_rows,), int32
        Class codes.
    weights : ndarray of shape (n_rows,), float64, or None
        Weights of the rows; None if all are 1.
    level, z : float
        Confidence and its normal quantile.
    raising : bool
        May the largest branch of a node take its place?
    """
    cdef Pruner pruner
    cdef intp_t n_rows = y.shape[0], n_nodes = len(tree["kind"])
    cdef const float64_t* w = <const float64_t*>start_of(weights, FLOAT64, n_rows)
    memset(&pruner, 0, sizeof(Pruner))
    point_to_tree(&pruner, tree)
    pruner.y = &y[0]
    pruner.confidence.level = level
    pruner.confidence.z = z
    pruner.raising = raising
    try:
        open_columns(&pruner.columns, columns, n_rows)
        copy_weights(&pruner.weights, tree)
        make_room(&pruner, n_nodes, n_rows, tree["n_children"].max(initial=2))
        with nogil:
            lay_out_root(&pruner, w, n_rows)
            if w == NULL and raising and has_all_values(&pruner, n_nodes, n_rows):
                pruner.units = True
                make_room_for_units(&pruner, n_nodes, n_rows)
            prune_all(&pruner, n_rows)
        if pruner.weights.count > len(tree["weights"]):
            tree.update(weights_to_arrays(&pruner.weights, n_nodes))
    finally:
        free_pruner(&pruner)


cdef void collapse_all(
    Pruner* pruner, const int32_t* parent, float64_t* wrong, intp_t n_nodes
) noexcept nogil:
    cdef intp_t node
    for node in range(n_nodes - 1, -1, -1):  # children have larger numbers
        if pruner.kind[node] == LEAF:
            wrong[node] = leaf_errors(pruner, node)
        if node > 0:
            wrong[parent[node]] += wrong[node]
    for node in range(n_nodes):
        if pruner.kind[node] != LEAF and (
            wrong[node] >= leaf_errors(pruner, node) - 1e-3
        ):
            make_leaf(pruner, node)


def collapse(dict tree):
    """Turn nodes whose leaves make no fewer errors than they would into leaves.

    From the root down; the leaves below a node are those of the grown tree.
    """
    cdef Pruner pruner
    cdef intp_t n_nodes = len(tree["kind"])
    memset(&pruner, 0, sizeof(Pruner))
    point_to_tree(&pruner, tree)
    wrong_array = np.zeros(n_nodes)
    cdef float64_t* wrong = <float64_t*>room_of(wrong_array, FLOAT64, n_nodes)
    cdef const int32_t* parent = <const int32_t*>start_of(
        tree["parent"], INT32, n_nodes
    )
    if n_nodes < SMALL_TREE:
        collapse_all(&pruner, parent, wrong, n_nodes)
    else:
        with nogil:
            collapse_all(&pruner, parent, wrong, n_nodes)
