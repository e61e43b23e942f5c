package bench

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// NarrowShapes returns the names of the shapes of the narrow study, in ascending order of vertices.
// hullN is a set of rocks with N vertices.
func NarrowShapes() []string {
	return []string{"tetra", "cube", "hexahedron", "hull12", "hull32", "hull64", "hull128", "hull512"}
}

// rocksInSet is the number of different rocks from which a study draws its pairs.
const rocksInSet = 8

// shapeSet is the set of shapes from which pairs are drawn. The mean distance of a shape's vertices
// from its centroid is 1 m, the size that regimes refer to.
type shapeSet struct {
	name   string
	shapes soa.Shapes
	verts  int // the largest number of vertices of a shape
}

// newShapeSet returns the set with the given name. Rocks depend on the seed.
func newShapeSet(name string, seed uint64) (*shapeSet, error) {
	if _, err := indexIn("shape", name, NarrowShapes()); err != nil {
		return nil, err
	}
	s := &shapeSet{name: name}
	count, isHull := strings.CutPrefix(name, "hull")
	if !isHull {
		p, err := oneShape(name)
		return s, s.add(p, err)
	}
	n, err := strconv.Atoi(count)
	if err != nil {
		return nil, fmt.Errorf("bench: shape %q: %w", name, ErrOption)
	}
	for i := range uint64(rocksInSet) {
		p, err := geometry.Rock(seed*rocksInSet+i, n, 1)
		if err := s.add(p, err); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// oneShape returns the shape of a set with a single shape. The hexahedron is a box with three
// different sides, whose top is smaller than its bottom.
func oneShape(name string) (*geometry.Polyhedron, error) {
	switch name {
	case "tetra":
		return geometry.Tetra(1)
	case "cube":
		return geometry.Box(1, 1, 1)
	}
	var corners []vec.Vec3
	for i := range 8 {
		wide := 1.0
		if i>>2 == 1 {
			wide = 0.75
		}
		x, y, z := float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2)
		corners = append(corners, vec.V(x*wide, 0.75*y*wide, 0.5*z))
	}
	return geometry.FromPoints(name, corners)
}

// add scales a shape to the size of the set and adds it.
func (s *shapeSet) add(p *geometry.Polyhedron, err error) error {
	if err == nil {
		mean := 0.0
		for _, v := range p.Verts {
			mean += v.Sub(p.Mass.Centroid).Norm()
		}
		p, err = p.Scaled(float64(len(p.Verts)) / mean)
	}
	if err == nil {
		_, err = s.shapes.Add(p.Template())
	}
	if err != nil {
		return fmt.Errorf("bench: shape %s: %w", s.name, err)
	}
	s.verts = max(s.verts, len(p.Verts))
	return nil
}

// draw returns one of the shapes at random.
func (s *shapeSet) draw(r *geometry.Rand) soa.Shape { return soa.Shape(below(r, s.shapes.Len())) }

// below returns a random number from 0 to n−1. n must be small compared with 2⁶⁴.
func below(r *geometry.Rand, n int) int { return int(r.Uint64() % uint64(n)) }
