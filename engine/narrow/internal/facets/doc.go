// Package facets owns the facets of K = A ⊖ B. Separating tries all of them (the separating axis
// test); FacetsAnswer makes an answer of one: where its foot lies beyond it, Split finds the point
// at which the bodies touch, by the simplex that GJK uses too. The lowest of the facets that tie
// is the one that every method names. It refuses pairs that a facet proves apart: their nearest
// features are found by proof and search.
//
// Frame and unit: those of pair.Frame. Read separating.go first, then answer.go.
package facets
