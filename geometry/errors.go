package geometry

import "errors"

// The errors of a shape. Each returned error wraps one of these sentinels, and names the mesh, the
// face, edge or vertex, the value found and what was expected. Faces and vertices count from 0, in
// the order of the file.
var (
	ErrEmpty            = errors.New("shape is empty")
	ErrTruncated        = errors.New("mesh is incomplete")
	ErrNotFinite        = errors.New("value is not finite")
	ErrFlat             = errors.New("shape is flat")
	ErrNotClosed        = errors.New("surface is not closed")
	ErrNotManifold      = errors.New("surface is not a manifold")
	ErrNotOriented      = errors.New("faces do not turn the same way")
	ErrNotConnected     = errors.New("surface is in several parts")
	ErrSelfIntersecting = errors.New("surface cuts itself")
	ErrNotPlanar        = errors.New("face is not planar")
	ErrNotConvex        = errors.New("shape is not convex")
	ErrTooLarge         = errors.New("shape is too large")
	ErrValue            = errors.New("value is out of range")
	ErrBroken           = errors.New("polyhedron is inconsistent")
)
