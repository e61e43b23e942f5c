// Package search answers a pair about which nothing is known. It stores nothing between calls: an
// answer is a function of two shapes and two poses.
//
// Finder.Pair sends balls and planes to their closed forms. For two polyhedra Pair first calls
// proof.Prover.Cold, which descends to a facet of K = A ⊖ B and tries to prove it. If that proof
// fails, Pair runs GJK, and EPA if the bodies overlap. Both end at a pair of features too
// (apart.go, settle.go). Finder.Exhaustive tries all features and converges for all shapes of
// package geometry.
//
// Frame and length scale: those of pair.Frame. Failure: Pair reports NotConverged if it cannot
// prove its answer. Read search.go first.
package search
