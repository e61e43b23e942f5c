package hull

import (
	"errors"
	"fmt"

	"github.com/scree-dem/scree/vec"
)

// Errors of Compute. ErrCoincident, ErrCollinear and ErrCoplanar wrap ErrFlat.
var (
	ErrTooFew     = errors.New("fewer than four points")
	ErrNotFinite  = errors.New("point is not finite")
	ErrFlat       = errors.New("points span no volume")
	ErrCoincident = fmt.Errorf("points coincide: %w", ErrFlat)
	ErrCollinear  = fmt.Errorf("points lie on a line: %w", ErrFlat)
	ErrCoplanar   = fmt.Errorf("points lie in a plane: %w", ErrFlat)

	// ErrTooLong: faces of so many vertices lie within the tolerance that merging them would take
	// minutes.
	ErrTooLong = errors.New("the hull takes too long")

	// errBroken says that the package's own check failed: a bug, never a property of the input.
	errBroken = errors.New("hull is not a closed surface")
)

// RoundingLevel is the smallest tolerance in use, as a fraction of the largest coordinate: 2^-47, or
// 64 units of rounding. A vertex that was rotated and moved is off by up to 4 units along each axis,
// 7 units in all, so points of one plane fill a layer of 14; the plane fitted to some of them, seen
// from the others, can need four times that. Smaller, and rotated boxes keep split faces; larger, and
// true edges of finely faceted bodies far from the origin disappear.
const RoundingLevel = 0x1p-47

// Options selects how faces are merged. The zero value is right for computed vertices.
type Options struct {
	// Merge is the thickness up to which a layer of vertices counts as one face, relative to the
	// longest side of the points' box. Vertices closer to each other than it, or closer to an edge,
	// count as one, or as part of the edge, where what Compute promises allows that. 0 means the
	// rounding level of the coordinates, which is also the least that a positive value can mean; a
	// negative value merges only what is exactly coplanar.
	Merge float64
}

// Hull is a convex polyhedron whose vertices are among the points it was made from.
type Hull struct {
	// Verts holds indices into the input points, ascending; of equal points the lowest. Each belongs
	// to at least three faces.
	Verts []int
	// Faces holds, per face, positions in Verts: counter-clockwise seen from outside, the lowest first.
	// Faces are sorted by their loops.
	Faces [][]int
	// Normals holds, per face, the outward unit normal: that of the loop's area vector (Newell).
	Normals []vec.Vec3
	// Offsets holds, per face, the largest n·v over all Verts, as evaluated by Vec3.Dot.
	Offsets []float64
	// Spread is the largest thickness, along its normal, of the layer of a face's vertices, those that
	// merging took away, and the supporting plane: what merging cost. So no vertex of a face lies
	// farther than this below its supporting plane. Of the order of rounding if nothing merged, else
	// twice the tolerance at most.
	Spread float64
}

// Compute returns the convex hull of the points. No point lies farther outside any of the planes
// than three times the merging tolerance plus the rounding of the planes themselves: two by welding
// (maxWeld) and one by merging, however thick the body is. With exactly representable planes and a
// negative Merge, none lies outside at all.
//
// Source: Barber, Dobkin, Huhdanpaa 1996, with two departures. Visibility is decided by vec.Orient3D,
// so that the hull before merging is exact and merging starts from a valid polyhedron; and merging
// happens at the end instead of on the way, with every step refused that would break a loop.
//
// Cost: O(n log n) for points in general position, about 0.1 s for 10 000 points on a sphere; O(n²) in
// the worst case. Coordinates smaller than 2^-1021 of the largest are rounded, all others count
// exactly.
//
// Errors: ErrTooFew, ErrNotFinite, or one of ErrCoincident, ErrCollinear, ErrCoplanar when all points
// lie within the tolerance of a point, a line or a plane; ErrTooLong.
func Compute(points []vec.Vec3, opt Options) (*Hull, error) {
	c, err := prepare(points, opt)
	if err != nil {
		return nil, err
	}
	for {
		tris, err := c.build()
		if err != nil {
			return nil, err
		}
		facets, err := c.facets(tris)
		if err != nil {
			return nil, err
		}
		if c.weld(facets) {
			// Some vertices were too close to others; the hull of the rest is found afresh.
			continue
		}
		m, err := c.newSurface(facets)
		if err != nil {
			return nil, err
		}
		if err := m.merge(); err != nil {
			return nil, err
		}
		h := m.result()
		if err := h.check(); err != nil {
			return nil, err
		}
		return h, nil
	}
}

// check tests what makes loops a closed surface: every loop is simple, every edge is used once in each
// direction, every vertex belongs to at least three faces, and V - E + F = 2.
func (h *Hull) check() error {
	seen := make([]int, len(h.Verts))
	degree := make([]int, len(h.Verts))
	for f, loop := range h.Faces {
		if len(loop) < 3 {
			return fmt.Errorf("hull: face %d has %d vertices: %w", f, len(loop), errBroken)
		}
		for _, v := range loop {
			if seen[v] == f+1 {
				return fmt.Errorf("hull: face %d visits vertex %d twice: %w", f, v, errBroken)
			}
			seen[v] = f + 1
			degree[v]++
		}
	}
	for v, d := range degree {
		if d < 3 {
			return fmt.Errorf("hull: vertex %d has %d faces: %w", v, d, errBroken)
		}
	}
	twins, ok := Twins(h.Faces)
	if !ok {
		return fmt.Errorf("hull: an edge is not shared by two faces: %w", errBroken)
	}
	if e := len(twins) / 2; len(h.Verts)-e+len(h.Faces) != 2 {
		return fmt.Errorf("hull: %d vertices, %d edges, %d faces: %w", len(h.Verts), e, len(h.Faces), errBroken)
	}
	return nil
}
