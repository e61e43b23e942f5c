package soa

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// FacetSource is the facets of a mesh, from which their tables can be made. Methods may be called at
// any time and give the same results each time.
type FacetSource interface {
	Len() int
	// Corners appends the corners of facet k, m, in the frame of the mesh.
	Corners(to []vec.Vec3, k int) []vec.Vec3
	// Template returns the template of facet k, which Add accepts.
	Template(k int) *Template
}

// laterFacets are the shapes from first on.
type laterFacets struct {
	first  Shape
	source FacetSource
}

// AddFacets adds the facets of a mesh as shapes, and returns the first. radius returns their bounding
// radii, m. A facet costs a few bytes until it is needed, since few of the facets of a large wall ever
// meet a body: View makes its tables.
func (s *Shapes) AddFacets(from FacetSource, radius func(k int) float64) (first Shape) {
	first = Shape(s.Len())
	for k := range from.Len() {
		s.addRow(Facet, radius(k), 0, 0)
	}
	s.later = append(s.later, laterFacets{first, from})
	return first
}

// DropFacets removes the shapes from first on, which the last AddFacets has added, while none of them has
// tables.
func (s *Shapes) DropFacets(first Shape) {
	s.Kind, s.Radius, s.Inner, s.Round, s.rows = s.Kind[:first], s.Radius[:first], s.Inner[:first], s.Round[:first], s.rows[:first]
	s.later = s.later[:len(s.later)-1]
}

// sourceOf returns the source of a facet of AddFacets, and its index there.
func (s *Shapes) sourceOf(h Shape) (from FacetSource, k int) {
	at, ok := slices.BinarySearchFunc(s.later, h, func(l laterFacets, h Shape) int { return cmp.Compare(l.first, h) })
	if !ok {
		at--
	}
	return s.later[at].source, int(h - s.later[at].first)
}

// makeFacet makes the tables of a facet.
func (s *Shapes) makeFacet(h Shape) *View {
	from, k := s.sourceOf(h)
	s.makeRow(h, from.Template(k))
	return &s.rows[h].view
}

// IsMade reports whether the tables of a shape are made.
func (s *Shapes) IsMade(h Shape) bool { return s.rows[h] != nil }

// AppendCorners appends the vertices of a shape, m, in its frame, and makes no tables.
func (s *Shapes) AppendCorners(to []vec.Vec3, h Shape) []vec.Vec3 {
	if r := s.rows[h]; r != nil {
		for k := range r.view.NVerts {
			to = append(to, r.view.Vert(Vertex(k)))
		}
		return to
	}
	from, k := s.sourceOf(h)
	return from.Corners(to, k)
}
