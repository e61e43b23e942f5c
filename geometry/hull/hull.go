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

	// ErrTooLong: so many vertices of a face lie within the tolerance that merging would take
	// minutes.
	ErrTooLong = errors.New("the hull takes too long")

	// errBroken means that the package's own check failed. This is a bug, never a property of the
	// input.
	errBroken = errors.New("hull is not a closed surface")
)

// RoundingLevel is the smallest tolerance, as a fraction of the largest coordinate: 2^-47, or 64
// units of rounding. A vertex that was rotated and translated is off by up to 4 units along each
// axis, or 7 units in total. So the points of one plane fill a layer 14 units thick. A plane fitted
// to some of the points may need four times that thickness to contain the others. With a smaller
// tolerance, rotated boxes keep divided faces. With a larger one, true edges of finely faceted
// bodies far from the origin disappear.
const RoundingLevel = 0x1p-47

// Options selects how faces are merged. The zero value suits computed vertices.
type Options struct {
	// Merge is the largest thickness of a layer of vertices that counts as one face, relative to
	// the longest side of the points' box. Vertices closer to each other than that become one, and
	// vertices closer to an edge become part of the edge, if the guarantees of Compute allow it. 0
	// means the rounding level of the coordinates; smaller positive values mean the same. A
	// negative value merges only facets that are exactly coplanar.
	Merge float64
}

// Hull is a convex polyhedron whose vertices are points of the input.
type Hull struct {
	// Verts has indices of input points, ascending. Of equal points it has the lowest index. Each
	// vertex belongs to at least three faces.
	Verts []int
	// Faces has for each face its vertices as positions in Verts, counter-clockwise seen from
	// outside and starting with the lowest. Faces are sorted by their loops.
	Faces [][]int
	// Normals has the outward unit normal of each face: the direction of the loop's area vector
	// (Newell).
	Normals []vec.Vec3
	// Offsets has for each face the largest n·v over all Verts, as Vec3.Dot evaluates it.
	Offsets []float64
	// Spread is the largest thickness of a face's layer along the face's normal. The layer contains
	// the face's vertices, the vertices that merging removed, and the supporting plane. So no
	// vertex of a face lies more than Spread below its supporting plane. Spread is of the order of
	// rounding if nothing merged, otherwise at most twice the tolerance.
	Spread float64
	// Dent is the depth of the deepest dent of a loop: how far a vertex lies inside the line between
	// its neighbours. It is at most the rounding level if Merge is 0.
	Dent float64
}

// Compute returns the convex hull of the points. No point lies outside any of the planes by more
// than three merging tolerances plus the rounding of the planes, however thick the body is: welding
// accounts for two tolerances (maxWeld) and merging for one. If the planes are exactly
// representable and Merge is negative, no point lies outside at all.
//
// Source: Barber, Dobkin, Huhdanpaa 1996, with two departures. First, vec.Orient3D decides
// visibility, so the hull before merging is exact and merging starts from a valid polyhedron.
// Second, merging happens at the end, not during construction, and every step that would break a
// loop is rejected.
//
// Cost: O(n log n) for points in general position, about 0.1 s for 10 000 points on a sphere; O(n²)
// in the worst case. Coordinates smaller than 2^-1021 of the largest are rounded; all other
// coordinates are used exactly.
//
// Errors: ErrTooFew; ErrNotFinite; ErrCoincident, ErrCollinear or ErrCoplanar if all points lie
// within the tolerance of a point, a line or a plane; ErrTooLong.
func Compute(points []vec.Vec3, opt Options) (*Hull, error) {
	c, err := prepare(points, opt)
	if err != nil {
		return nil, err
	}
	for convex := false; ; {
		tris, err := c.build()
		if err != nil {
			return nil, err
		}
		facets, err := c.facets(tris)
		if err != nil {
			return nil, err
		}
		if c.weld(facets) {
			// Some vertices were too close to others. Recompute the hull of the remaining points.
			continue
		}
		m, err := c.newSurface(facets)
		if err != nil {
			return nil, err
		}
		m.convex = convex
		if err := m.merge(); err != nil {
			return nil, err
		}
		h := m.result()
		if opt.Merge == 0 && !convex && h.Dent > c.unscaled(c.tol) {
			// Only thin bodies get here. Mergers without dents could cost other bodies faces.
			convex = true
			continue
		}
		if err := h.check(); err != nil {
			return nil, err
		}
		return h, nil
	}
}

// check returns an error unless the loops form a closed surface: every loop is simple, every edge
// is used once in each direction, every vertex belongs to at least three faces, and V - E + F = 2.
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
