// Package ball answers a ball and another piece in closed form, and any piece and a plane:
// BallBall, BallPolyhedron, OnPlane. For a ball and a block with many faces, a walk over the
// features of the block finds the nearest one (ballwalk.go). The package stores nothing between
// calls. It refuses two polyhedra.
//
// Frame: that of the block or facet. Length scale: that of the shapes. Read ball.go first.
package ball
