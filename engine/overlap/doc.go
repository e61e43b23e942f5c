// Package overlap computes where a contact acts and the volume that two bodies share. Gap, normal
// and witness points are inputs: this package does not search for contacts.
//
// Cutter.Reduced returns the location of a contact. It cuts each body at half the depth, which for
// penetrating blocks is the plane midway between the deepest points. The location is the centroid
// of what the two sections share (Itasca, PFC, rigid block contact resolution).
//
// Clipper.Share returns the moments of the shared volume and their derivatives with respect to the
// motion of one body, for laws with a potential; see shared.go. An overlap of a known type (a
// corner in a face, crossing edges, a prism) has a formula; see typed.go. Any other overlap is
// placed from the skeleton of the last step (skeletonproof.go) or joined from the edges of both
// bodies (pierce.go). Batches and Solids process many pairs at a time, one pair in each lane of a
// register. docs/decisions/0035 and 0036 have the reasons.
//
// PrismClipper.Overlap returns the same kind of moments for a block and the material behind a
// facet; see behind.go.
//
// Poses are in the world frame, m. Results are relative to the position of A, in world axes.
// Section coordinates are relative to the midpoint of the witness points and scaled by a power of
// two to the larger body. Therefore neither distant poses nor unusual units cost digits.
//
// A Cutter is the workspace of one worker; its methods allocate nothing once its buffers have
// grown. Read reduced.go first.
package overlap
