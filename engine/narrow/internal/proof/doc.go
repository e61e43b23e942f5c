// Package proof proves answers without a search, and tells for how long they last. Prover.Feature
// proves features known from an earlier answer, or others that it goes down to from there; Cold goes
// down to a facet of K from the line of centres; both go on by provenBelow (below.go, descent.go).
// WalkAxis walks from one separating axis to another. A facet is proven by
// the disc about the foot of the origin (feature.go), as part of what two faces make (facepair.go,
// edgeonface.go), by a closed surface of triangles (shell.go; shellfaces.go of what two faces
// make) or by trying a cone of directions (cone.go); features of a pair apart by the margin to the
// next nearest (near.go); a pair next to touching by grazing.go. Budget returns the motion for
// which a proof holds (proven.go, posebound.go, nearbudget.go, faces.go). It refuses to
// search: where it proves nothing it returns false.
//
// Frame and unit: those of pair.Frame. Read feature.go first, then cold.go.
package proof
