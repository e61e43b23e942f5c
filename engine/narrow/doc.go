// Package narrow answers the question of the narrow phase for one pair of pieces: how far apart are
// they, or how deep do they overlap, along which normal, and where.
//
// It owns the search (GJK for pairs apart, EPA and the separating-axis search for pairs that overlap),
// the closed forms and the walk for balls, and the certificates that make an answer last: Expiry (C1, odometers),
// AxisGap (C2, one support evaluation) and Feature (C3 for pairs that overlap, C4 for pairs apart). The direct searches (ds.go, fds.go), separating axes
// (sat.go), and the common planes of the field (cp.go, fcp.go, slm.go) answer as well, and
// type a pair and list its basic contacts (typing.go) for hosts that put a spring at each. It refuses
// forces, contact locations and searches that remember a pair by themselves: an exact answer is a
// function of two shapes and two poses and of nothing else, so that a warm run, a restart and any
// number of workers give the same bits. What lasts is the caller's: ContactList.
//
// Notation: K = A ⊖ B = {a − b}, h_K(n) = max over K of n·k, n a unit vector from A to B. The gap is
// the largest −h_K(n): the distance of two bodies apart, minus the penetration depth of two that
// overlap. Facets of K are faces of A with a vertex of B, vertices of A with a face of B, and pairs of
// crossing edges; every search ends in one of them, or in a closest pair of features, and the one
// function finalise turns that into gap and normal.
//
// Rounded pieces are answered by their cores, see rounding.go.
//
// Frame: a search works in the frame of A, with B brought there once, so coordinates far from the
// world's origin cost no digits. Answers are in world axes, relative to the two origins. Unit: that
// of the shapes; every tolerance is a multiple of the pair's size (tolerances.go).
//
// Failure: Pair reports NotConverged when it cannot prove its answer; Exhaustive always can. Resolve is
// both. Read answer.go first, then search.go.
package narrow
