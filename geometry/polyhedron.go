package geometry

import (
	"math"
	"sort"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Polyhedron is a closed convex polyhedron with half-edges, in the frame of its file. It is read
// only once built: the functions that change a shape return a new one.
type Polyhedron struct {
	Name string // for messages

	Verts   []vec.Vec3 // m
	Normals []vec.Vec3 // outward unit normal of each face
	Offsets []float64  // m, of each face: max over all vertices of normal·v

	// Half-edges, as in soa.Template: face f has LoopFirst[f] ≤ h < LoopFirst[f+1],
	// counter-clockwise seen from outside; h runs from Tail[h] to the tail of the next in its face.
	LoopFirst []soa.HalfEdge
	Tail      []soa.Vertex
	Twin      []soa.HalfEdge

	Mass MassProperties // at a density of 1 kg/m³

	// Label has, for each face, the largest face of those that make one face of the body as it was modelled: their
	// vertices lie within MergeTol of one plane, but in none. nil where each face is one by itself.
	Label []soa.Face

	WeldTol  float64 // m, vertices closer than this were taken for one; 0: none were looked for
	MergeTol float64 // m, facets were merged when their vertices lie this close to one plane
	Moved    float64 // m, how far vertices were moved to make faces planar, at most; no more than MergeTol
	Spread   float64 // m, how far the vertices of a face lie from one plane, at worst: of the order of rounding

	// local is Verts less the centroid, of a body far from the origin of its frame: without the rounding of
	// coordinates there. nil elsewhere.
	local []vec.Vec3
}

// Limits of a coordinate and of a size, so that moments of inertia, u⁵, neither overflow nor
// vanish.
const (
	maxCoordinate = 1e50
	minSize       = 1e-50
)

// planeRel times the size of a shape bounds the rounding of the distance of a vertex to a plane
// evaluated in the shape's own neighbourhood: a few roundings of 2⁻⁵³ with room to spare.
const planeRel = 1e-14

// NFaces returns the number of faces.
func (p *Polyhedron) NFaces() int { return len(p.Normals) }

// NEdges returns the number of edges.
func (p *Polyhedron) NEdges() int { return len(p.Tail) / 2 }

// Loop returns the vertices of face f, counter-clockwise seen from outside. Read only.
func (p *Polyhedron) Loop(f int) []soa.Vertex {
	return p.Tail[p.LoopFirst[f]:p.LoopFirst[f+1]]
}

// Head returns the vertex that h runs to.
func (p *Polyhedron) Head(h soa.HalfEdge) soa.Vertex { return p.Tail[p.Twin[h]] }

// Face returns the face of half-edge h, by bisection.
func (p *Polyhedron) Face(h soa.HalfEdge) soa.Face {
	return soa.Face(sort.Search(p.NFaces(), func(f int) bool { return p.LoopFirst[f+1] > h }))
}

// Next returns the half-edge that follows h in its face.
func (p *Polyhedron) Next(h soa.HalfEdge) soa.HalfEdge {
	f := p.Face(h)
	if h+1 == p.LoopFirst[f+1] {
		return p.LoopFirst[f]
	}
	return h + 1
}

// Edges returns the lower half-edge of each edge, ascending, as soa.View numbers them.
func (p *Polyhedron) Edges() []soa.HalfEdge {
	edges := make([]soa.HalfEdge, 0, p.NEdges())
	for h, w := range p.Twin {
		if soa.HalfEdge(h) < w {
			edges = append(edges, soa.HalfEdge(h))
		}
	}
	return edges
}

// Box returns the axis-aligned box of the vertices, m.
func (p *Polyhedron) Box() vec.Box { return boxOf(p.Verts) }

// Contains reports whether the point lies in the closed polyhedron. Distances to faces are taken from
// a vertex of the face, so that a body far from the origin loses no digits; the vertices of the
// polyhedron are inside.
func (p *Polyhedron) Contains(point vec.Vec3) bool {
	for f, n := range p.Normals {
		loop := p.Loop(f)
		v0 := p.Verts[loop[0]]
		_, lift := layer(p.Verts, loop, n)
		if !(n.Dot(point.Sub(v0)) <= lift) {
			return false
		}
	}
	return true
}

// assemble builds a polyhedron of loops of vertices, counter-clockwise seen from outside, and of the
// normals of its faces.
func assemble(name string, verts []vec.Vec3, loops [][]int, normals []vec.Vec3) (*Polyhedron, error) {
	if len(verts) > soa.MaxVerts {
		return nil, mark.Errorf(ErrTooLarge, "geometry: %s: %d vertices, expected at most %d",
			name, len(verts), soa.MaxVerts)
	}
	p := &Polyhedron{Name: name, Verts: verts, Normals: normals, LoopFirst: make([]soa.HalfEdge, 1, len(loops)+1)}
	total := 0
	for _, loop := range loops {
		total += len(loop)
	}
	if total > math.MaxUint16 {
		return nil, mark.Errorf(ErrTooLarge, "geometry: %s: %d half-edges, expected at most %d",
			name, total, math.MaxUint16)
	}
	p.Tail = make([]soa.Vertex, 0, total)
	for _, loop := range loops {
		for _, k := range loop {
			p.Tail = append(p.Tail, soa.Vertex(k))
		}
		p.LoopFirst = append(p.LoopFirst, soa.HalfEdge(len(p.Tail)))
	}
	twins, ok := hull.Twins(loops)
	if !ok {
		return nil, mark.Errorf(ErrBroken, "geometry: %s: an edge has no other face, expected two that pass it in opposite directions", name)
	}
	p.Twin = make([]soa.HalfEdge, total)
	for h, w := range twins {
		p.Twin[h] = soa.HalfEdge(w)
	}
	p.measure()
	return p, nil
}

// measure sets what follows from vertices, loops and normals: offsets, spread and mass.
func (p *Polyhedron) measure() {
	p.Offsets = make([]float64, len(p.Normals))
	p.Spread = 0
	for f, n := range p.Normals {
		p.Offsets[f] = support(p.Verts, n)
		low, high := layer(p.Verts, p.Loop(f), n)
		p.Spread = max(p.Spread, high-low)
	}
	p.Mass = massOf(p.Verts, p.NFaces(), p.Loop)
}

// support returns the largest n·v.
func support(verts []vec.Vec3, n vec.Vec3) float64 {
	most := math.Inf(-1)
	for _, v := range verts {
		most = max(most, n.Dot(v))
	}
	return most
}

// layer returns the least and the largest height, along n, of the vertices of a loop over its first.
func layer[V int | soa.Vertex](verts []vec.Vec3, loop []V, n vec.Vec3) (low, high float64) {
	for _, k := range loop[1:] {
		h := n.Dot(verts[k].Sub(verts[loop[0]]))
		low, high = min(low, h), max(high, h)
	}
	return low, high
}
