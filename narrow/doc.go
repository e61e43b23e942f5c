// Package narrow computes the contact of one pair of pieces (the narrow phase): the distance or the penetration
// depth, the contact normal and the witness points. It also types contacts and lists their points.
//
// Use Distance for a single query, and Search (By, Pair, Resolve, Contacts), Memory and ContactList for many.
// The examples show them. All other exported names serve the engine. Read answer.go first, then search.go.
//
// The package is the public API of the packages in internal, listed in the order in which they build on each other:
//
//	pair     two polyhedra in one frame: supports, features, gap and normal, witness points, tolerances
//	ball     closed forms for balls and planes
//	facets   tests of all facets of K, and the answer that a facet yields
//	proof    proofs that features are the answer, and how long each proof lasts
//	search   a pair about which nothing is known: descent, GJK, EPA, all facets
//	typing   contact types and basic contacts
//	methods  the published methods by name: DS, FDS, FDSPaper, SAT, CP, FCP, SLM
//
// Notation: K = A ⊖ B = {a − b} is the Minkowski difference, and h_K(n) = max n·k over k in K its support function.
// The unit vector n points from A to B. The gap is the largest −h_K(n) over all n: the distance of bodies apart,
// minus the penetration depth of overlapping bodies. A facet of K comes from a face of A and a vertex of B, from a
// vertex of A and a face of B, or from two crossing edges. Every answer ends in a facet of K or in the closest pair
// of features. pair.Frame.Finalise computes gap and normal from those features alone.
//
// Search.By with method Auto tries certificates from cheap to expensive: the odometers (certificate C1), the last
// separating axis (C2), the stored features (C3 for an overlapping pair, C4 for a pair apart), a walk to another
// axis, a search. ProvenBatch and AxisBatch answer many pairs at once, one pair per SIMD lane.
//
// An exact answer depends on the two shapes and the two poses only, except with the common-plane methods. Warm
// runs, restarts and any number of workers therefore produce the same bits. The caller owns all persistent state
// (Memory, ContactList). The package does not compute forces or contact locations. Package engine/coplanar treats
// coplanar facets of a wall as one surface.
//
// Frames: the packages compute in the frame of A, so distance from the world's origin costs no accuracy. Answers
// are in world axes, relative to the origins of the two pieces. Lengths have the unit of the shapes. Every
// tolerance is a multiple of the pair's length scale. Rounded pieces are answered by their cores.
//
// Errors: Pair reports NotConverged if it cannot prove its answer. Exhaustive can, for all shapes of package geometry,
// and Resolve tries both. A nil view, workspace or answer and an unknown method are caller errors and panic.
package narrow
