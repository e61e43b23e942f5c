// Package facets owns the facets of K = A ⊖ B. Separating tries all of them (the separating axis
// test). FacetsAnswer computes the answer from one facet. If the projection of the origin lies
// outside that facet, split finds the point at which the bodies touch, with the simplex that GJK
// uses too. If several facets tie, every method of the narrow phase names the one with the lowest
// id.
//
// The package refuses pairs that a facet proves apart: packages proof and search find their nearest
// features.
//
// Frame and length scale: those of pair.Frame. Read separating.go first, then answer.go.
package facets
