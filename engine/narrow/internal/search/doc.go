// Package search answers a pair of which nothing is known. Finder.Pair sends balls and planes to
// their closed forms and asks for a proof of two polyhedra (proof.Prover.Cold); where that proves
// nothing it runs GJK, and EPA for pairs that overlap; Exhaustive tries everything and always
// converges. GJK and EPA end in features too (apart.go, settle.go). It remembers nothing: an
// answer is a function of two shapes and two poses.
//
// Frame and unit: those of pair.Frame. Failure: Pair reports NotConverged when it cannot prove its
// answer. Read search.go first.
package search
