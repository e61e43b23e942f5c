// Package proof proves answers without a search, and computes how long each proof lasts. Every
// function that proves an answer returns false if it proves nothing; the caller then searches.
//
// Entry points: Prover.Feature proves the features of an earlier answer, or features that it
// descends to from these. Prover.Cold descends from the line of centres to a facet of K. Both
// continue with descendAndProve (below.go, descent.go). Prover.WalkAxis walks from one separating axis
// to another. Prover.Budget returns the motion for which a proof lasts (proven.go, posebound.go,
// nearbudget.go, faces.go).
//
// Terms: the projection is that of the origin onto the plane of a facet of K; the facet is a local
// minimum of the depth if it contains its projection. The cap is the set of directions, within an
// angle of the facet's normal, in which no other features are the support. The rim is the border of
// a facet of K, and the inset is the distance of the projection from the rim.
//
// Methods of proof for a facet of K: the disc about the projection (feature.go); the facets that
// two coplanar features make, proven together (facepair.go, edgeonface.go); a shell, which is a
// closed surface of triangles (shell.go, shellrim.go, shellfaces.go). The nearest features of a pair
// apart are proven by their margin to the next nearest (near.go). Pairs close to zero gap are proven
// by grazing.go.
//
// Frame and units: those of pair.Frame. Read feature.go first, then cold.go.
package proof
