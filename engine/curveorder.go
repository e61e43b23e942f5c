package engine

import "github.com/scree-dem/scree/internal/curve"

// CurveOrder returns the indices of points, m or any unit, in their order along Hilbert's space-filling curve through
// the cube that holds them. A program that adds its bodies in this order gets rows in which neighbours in space are
// mostly neighbours in memory: a step of a large heap then misses the caches less often. The columns have one length.
// A Detector or World keeps the order in which its bodies were added.
func CurveOrder(x, y, z []float64) []uint32 { return curve.Order(curve.Hilbert, x, y, z) }
