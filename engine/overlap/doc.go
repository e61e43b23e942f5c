// Package overlap says where a contact acts. In reduced mode both blocks are cut by the plane midway
// between the deepest points, and the contact acts at the centroid of what the two sections share
// (Itasca, PFC, rigid block contact resolution).
//
// Clipper.Share gives what laws with a potential need instead: the moments of the volume that both bodies fill, and how
// they change as one moves; see shared.go. Corners in faces, crossing edges and faces on faces have formulas, typed.go,
// which Batches answers a pair a lane. Others are placed from the skeleton of the last step, skeletonproof.go, or joined from
// the edges of both bodies, pierce.go, and measured a pair a lane, solids.go. docs/decisions/0035 and 0036 have the reasons. Presser gives the like of a block and the
// material behind a facet; see behind.go.
//
// It owns plane sections of shapes, their common polygon and its centroid, and the prism that stands
// for a facet. It refuses to look for contacts: gap, normal and witness points are given.
//
// Frames and units: poses in the world frame, m; results relative to the position of A, in world axes.
// Inside, lengths are relative to the witness points' midpoint and scaled by a power of two to the
// larger of the two bodies, so that neither far-away poses nor odd units cost digits.
//
// Most contacts are a corner in a face or two crossing edges, and corner.go and edges.go answer them from these
// features alone where they can prove that this is the whole; docs/decisions/0012 has the reasons. Bodies whose vertices
// have three edges come first, in stars.go.
//
// A Cutter is a worker's workspace: methods allocate nothing once it is warm. Read reduced.go first.
package overlap
