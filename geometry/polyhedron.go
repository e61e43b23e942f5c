package geometry

import (
	"math"
	"slices"
	"sort"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Polyhedron is a closed convex polyhedron with half-edges, in the frame of its file. A Polyhedron
// must not be modified after it is built: the functions that change a shape return a new one.
type Polyhedron struct {
	Name string // for messages

	Verts   []vec.Vec3 // m
	Normals []vec.Vec3 // outward unit normal of each face
	Offsets []float64  // m, of each face: max over all vertices of normal·v

	// Half-edges, as in soa.Template: face f has the half-edges LoopFirst[f] ≤ h < LoopFirst[f+1],
	// counter-clockwise seen from outside. Half-edge h runs from Tail[h] to the tail of the next
	// half-edge of its face.
	LoopFirst []soa.HalfEdge
	Tail      []soa.Vertex
	Twin      []soa.HalfEdge

	Mass MassProperties // at a density of 1 kg/m³

	// Label[f] is the largest face of the group that face f belongs to. The faces of a group form
	// one face of the modelled body: their vertices lie within MergeTol of a common plane, but the
	// faces could not be made coplanar. Label is nil if every face is a group by itself.
	Label []soa.Face

	WeldTol  float64 // m, vertices closer than this were welded into one; 0: no vertices were welded
	MergeTol float64 // m, facets were merged if their vertices lie this close to one plane
	Moved    float64 // m, the largest distance that a vertex was moved, by welding and to make faces planar; at most WeldTol + MergeTol
	Spread   float64 // m, the largest bend of a face, along its normal; of the order of rounding

	single bool // FromMesh read coordinates that are numbers of single precision

	// local has the vertices relative to the centroid, without the rounding of coordinates far from
	// the origin. It is nil unless the body is far from the origin of its frame.
	local []vec.Vec3
}

// maxCoordinate and minSize limit coordinates and sizes, so that moments of inertia, u⁵, neither
// overflow nor vanish.
// Larger maxCoordinate: overflow. Smaller minSize: underflow.
const (
	maxCoordinate = 1e50
	minSize       = 1e-50
)

// planeRel times the size of a shape bounds the rounding error of the distance between a vertex and
// a plane. The distance must be evaluated relative to a point of the shape. It covers a few
// roundings of 2⁻⁵³ with a margin.
// Smaller: valid shapes fail Validate.
const planeRel = 1e-14

// NFaces returns the number of faces.
func (p *Polyhedron) NFaces() int { return len(p.Normals) }

// NEdges returns the number of edges.
func (p *Polyhedron) NEdges() int { return len(p.Tail) / 2 }

// Loop returns the vertices of face f, counter-clockwise seen from outside. Read only.
func (p *Polyhedron) Loop(f int) []soa.Vertex {
	return p.Tail[p.LoopFirst[f]:p.LoopFirst[f+1]]
}

// Head returns the vertex at which h ends.
func (p *Polyhedron) Head(h soa.HalfEdge) soa.Vertex { return p.Tail[p.Twin[h]] }

// Face returns the face of half-edge h. It uses bisection.
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

// Edges returns the lower half-edge of each edge, ascending, as soa.View numbers the edges.
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
func (p *Polyhedron) Box() vec.Box { return vec.BoxAround(p.Verts) }

// Contains reports whether the point lies in the closed polyhedron. Distances to a face are
// measured from a vertex of the face, so a body far from the origin loses no digits. The vertices
// of the polyhedron count as inside.
func (p *Polyhedron) Contains(point vec.Vec3) bool {
	for f, n := range p.Normals {
		loop := p.Loop(f)
		v0 := p.Verts[loop[0]]
		_, lift := layer(p.Verts, loop, n)
		if !(n.Dot(point.Sub(v0)) <= lift) {
			// Rounding may put a vertex of a thin body outside a face that it is not on.
			return slices.Contains(p.Verts, point)
		}
	}
	return true
}

// assemble builds a polyhedron from loops of vertices, counter-clockwise seen from outside, and
// from the normals of its faces. It wraps ErrTooLarge if the indices overflow, and ErrBroken if an
// edge has no twin.
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

// measure sets the fields that follow from vertices, loops and normals: offsets, spread and mass.
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

// support returns the largest n·v over all vertices.
func support(verts []vec.Vec3, n vec.Vec3) float64 {
	most := math.Inf(-1)
	for _, v := range verts {
		most = max(most, n.Dot(v))
	}
	return most
}

// layer returns the least and the largest height of the vertices of a loop along n, measured from
// the first vertex of the loop.
func layer[V int | soa.Vertex](verts []vec.Vec3, loop []V, n vec.Vec3) (low, high float64) {
	for _, k := range loop[1:] {
		h := n.Dot(verts[k].Sub(verts[loop[0]]))
		low, high = min(low, h), max(high, h)
	}
	return low, high
}
