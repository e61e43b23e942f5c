// Package narrow answers the question of the narrow phase for one pair of pieces: how far apart are they, or
// how deep do they overlap, along which normal, and where.
//
// It is the door of the rooms under internal, and of each of them a pair passes what it needs:
//
//	pair     two polyhedra in one frame: supports, features, gap and normal, witness, tolerances
//	ball     closed forms of balls and planes
//	facets   all facets of K, and the answer by one
//	proof    proofs of features known, or found by a descent; for how long they last
//	search   a pair of which nothing is known: GJK, EPA, all facets
//	typing   types and basic contacts
//	methods  the field's methods by their names: DS, FDS, SAT, CP, FCP, SLM
//
// Search.By with Auto (by.go) goes from cheap to dear: the odometers (certificate C1), the last axis (C2), the
// features known (C3 of a pair that overlaps, C4 of one apart), a walk to another axis, a search. The door also
// owns what answers many pairs at once, a pair a lane: Batch, ProvenBatch, AxisBatch. It refuses forces,
// contact locations, facets of a wall that act as one surface (the engine's groups of coplanar facets) and
// searches that remember a pair by themselves: but for the common planes, an exact answer is a function of two
// shapes and two poses and of nothing else, so that a warm run, a restart and any number of workers give the
// same bits. What lasts is the caller's: Memory, ContactList. The way of an unknown pair: Search.Pair,
// search.Finder.Pair, proof.Cold, GJK and EPA.
//
// Notation: K = A ⊖ B = {a − b}, h_K(n) = max over K of n·k, n a unit vector from A to B. The gap is the
// largest −h_K(n): the distance of two bodies apart, minus the penetration depth of two that overlap. Facets of
// K are faces of A with a vertex of B, vertices of A with a face of B, and pairs of crossing edges. An answer
// ends in one of them, or in a closest pair of features, which pair.Frame.Finalise turns into gap and normal;
// FinaliseFeatures does the same with fewer looks, to the same bits.
//
// Rounded pieces are answered by their cores, see internal/pair/rounding.go.
//
// Frame: that of A, so coordinates far from the world's origin cost no digits. Certificates and descents bring
// single vertices of B there, or directions into B's; faces that lie on each other, GJK and EPA, and the
// methods called by their names bring all of B once. Answers are in world axes, relative to the two origins.
// Unit: that of the shapes; every tolerance is a multiple of the pair's size.
//
// Failure: Pair reports NotConverged when it cannot prove its answer; Exhaustive always can. Resolve is both.
// What is the caller's mistake panics: a nil view, workspace or answer, or a method that there is not.
//
// Users may rely on Distance, for one question, on Search (By, Pair, Resolve, Contacts), Batch, Memory and
// ContactList; the examples show them. The rest is for the engine. Read answer.go first, then search.go.
package narrow
