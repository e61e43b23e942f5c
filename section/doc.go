// Package section computes where a contact acts under laws that read gaps: PFC's contact resolution.
// Gap, normal and witness points are inputs: this package does not search for contacts.
//
// Cutter.Reduced returns the location of a contact. It cuts each body at half the depth, which for
// penetrating blocks is the plane midway between the deepest points. The location is the centroid
// of what the two sections share (Itasca, PFC, rigid block contact resolution). Dual.Overlap is the
// full resolution as published: the volume and the centroid of the overlap. Package overlap has
// our own way to the same numbers; the two packages share no code.
//
// Poses are in the world frame, m. Results are relative to the position of A, in world axes.
// Section coordinates are relative to the midpoint of the witness points and scaled by a power of
// two to the larger body. Therefore neither distant poses nor unusual units cost digits.
//
// A Cutter is the workspace of one worker; its methods allocate nothing once its buffers have
// grown. Read reduced.go first.
package section
