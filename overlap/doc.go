// Package overlap computes the volume that two bodies share, for laws with a potential and for the full
// location. It does not search for contacts.
//
// Clipper.Share returns the moments of the shared volume and their derivatives with respect to the
// motion of one body, for laws with a potential; see shared.go. An overlap of a known type (a
// corner in a face, crossing edges, a prism) has a formula; see typed.go. Any other overlap is
// placed from the skeleton of the last step (skeletonproof.go) or joined from the edges of both
// bodies (pierce.go). TypedBatches and UntypedBatch process many pairs at a time, one pair in each lane of a
// register. docs/decisions/0017-overlaps has the reasons.
//
// BackingClipper.Overlap returns the same kind of moments for a block and the material behind a
// facet; see behind.go.
//
// Poses are in the world frame, m. Results are relative to the position of A, in world axes.
//
// Methods allocate nothing once the buffers of a workspace have grown. Read shared.go first.
package overlap
