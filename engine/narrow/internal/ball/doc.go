// Package ball answers a ball and another piece in closed form, and any piece and a plane:
// BallBall, BallPolyhedron, OnPlane. A walk over the faces of a block finds the one nearest
// to a ball (ballwalk.go). It keeps nothing. It refuses two polyhedra.
//
// Frame: that of the block or facet. Unit: that of the shapes. Read ball.go first.
package ball
