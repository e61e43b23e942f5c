// Package narrow answers the question of the narrow phase for one pair of pieces: how far apart are
// they, or how deep do they overlap, along which normal, and where.
//
// It owns the certificates that make an answer last: Expiry (C1, odometers), AxisGap (C2, one support evaluation), Parted
// (parted.go: from an axis that fails to another one) and Feature (C3, a facet of a pair that overlaps; C4, near.go,
// features of a pair apart; ballwalk.go, of a ball); how much motion a facet's proof allows (Budget, proven.go); and the
// searches of a pair of which nothing is known: a descent to a facet (descent.go) and its proof (cold.go), which is also
// by a closed surface of triangles (shell.go; levels.go for facets that tie), a cone of directions (cone.go) or
// points of K (cover.go); where that proves
// nothing GJK, and EPA for pairs that overlap; and the closed forms for balls and planes. The direct searches (ds.go,
// fds.go), separating axes (sat.go), and the common planes of the field (cp.go, fcp.go, slm.go) answer as well, and
// type a pair and list its basic contacts (typing.go) for hosts that put a spring at each. It refuses forces, contact
// locations, facets of a wall that act as one surface (the engine's sheets) and searches that remember a pair by
// themselves: but for the common planes, an exact answer is a function of two shapes and two poses and of nothing else, so
// that a warm run, a restart and any number of workers give the same bits. What lasts is the caller's: Memory, ContactList.
//
// Notation: K = A ⊖ B = {a − b}, h_K(n) = max over K of n·k, n a unit vector from A to B. The gap is
// the largest −h_K(n): the distance of two bodies apart, minus the penetration depth of two that
// overlap. Facets of K are faces of A with a vertex of B, vertices of A with a face of B, and pairs of
// crossing edges. An answer ends in one of them, or in a closest pair of features, which finalise turns into gap and normal;
// finaliseSpot does the same with fewer looks, to the same bits.
//
// Rounded pieces are answered by their cores, see rounding.go.
//
// Frame: that of A, so coordinates far from the world's origin cost no digits. Certificates and descents bring single
// vertices of B there, or directions into B's; faces that lie on each other, GJK and EPA, and the methods called by their
// names bring all of B once. Answers are in world axes, relative to the two origins. Unit: that of the shapes; every
// tolerance is a multiple of the pair's size (tolerances.go).
//
// Failure: Pair reports NotConverged when it cannot prove its answer; Exhaustive always can. Resolve is
// both. What is the caller's mistake panics: a nil view, workspace or answer, or a method that there is not.
//
// Users may rely on Search (By, Pair, Resolve, Contacts), Batch, Memory and ContactList; the examples show them. The rest is
// for the engine. Read answer.go first, then search.go.
package narrow
