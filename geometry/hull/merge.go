package hull

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// surface is the hull's faces as half-edges, on which faces are merged.
type surface struct {
	*cloud
	edges  []halfEdge
	faces  []face
	degree []int32      // per point: faces it belongs to
	tree   *supportTree // all vertices from before merging
	group  group
	path   []int32 // scratch of bent, staysThin and spend
	looks  int     // at corners of groups and of loops; the tree counts its own
	most   int     // looks, of both
	plain  bool    // tests: without proofs, all of a face is looked at
}

type halfEdge struct {
	from, next, prev, twin, face int32
	// gone holds the vertices that were taken out of this edge; its twin has the same.
	gone []int32
}

type face struct {
	edge    int32    // one of its half-edges
	nEdges  int32    // length of its loop; 0 when the face was merged into another
	area    vec.Vec3 // area vector
	members []int32  // vertices of all facets that it was made from
	proof   layerProof
}

// newSurface turns loops into half-edges.
func (c *cloud) newSurface(facets [][]int32) (*surface, error) {
	s := &surface{cloud: c, most: maxLooks, degree: make([]int32, len(c.pts))}
	twins, ok := Twins(facets)
	if !ok {
		return nil, fmt.Errorf("hull: an edge is not shared by two facets: %w", errBroken)
	}
	for f, loop := range facets {
		first, n := int32(len(s.edges)), int32(len(loop))
		for i, v := range loop {
			k := int32(i)
			s.edges = append(s.edges, halfEdge{v, first + (k+1)%n, first + (k+n-1)%n, int32(twins[len(s.edges)]), int32(f), nil})
			s.degree[v]++
		}
		s.faces = append(s.faces, face{edge: first, nEdges: n, area: AreaVector(c.pts, loop), members: loop})
	}
	s.tree = newSupportTree(c.pts, s.verts())
	s.group = group{
		face: make([]int32, len(s.faces)), losing: make([]int32, len(s.faces)),
		lost: make([]int32, len(s.faces)), point: make([]int32, len(c.pts)), dropped: make([]int32, len(c.pts)),
	}
	return s, nil
}

// merge joins neighbouring faces whose vertices lie in one layer of the tolerance's thickness.
//
// Large faces go first, because their normals are the most certain, and take their neighbours in
// until none fits. A merger is refused when a vertex of the merged faces, or of those merged before,
// would lie farther below the supporting plane of the new normal than the tolerance; so thickness
// is measured on the whole, and does not add up along a gently curved surface. It is refused as well
// when the loop would meet itself, when a vertex left with two faces would lie farther from the edge
// that replaces it than the tolerance, or when one that goes would lie farther beside the new face.
// Refusing is always safe: what is left is convex already.
//
// Cost: one look at each edge when nothing merges; else, per face, vertices times mergers. What
// rounding alone keeps apart is joined before, at once (joinLayers). The work ends with ErrTooLong
// at maxLooks.
func (s *surface) merge() error {
	if s.exact {
		return nil
	}
	order := make([]int32, len(s.faces))
	size := make([]float64, len(s.faces))
	for f := range order {
		order[f] = int32(f)
		size[f] = s.faces[f].area.Norm()
	}
	slices.SortFunc(order, func(f, g int32) int {
		return cmp.Or(cmp.Compare(size[g], size[f]), cmp.Compare(f, g))
	})
	s.joinLayers(order)
	for again := true; again; {
		again = false
		for _, f := range order {
			if s.faces[f].nEdges > 0 && s.grow(f) {
				again = true
			}
			if s.spent() {
				return mark.Errorf(ErrTooLong, "hull: the faces of %d vertices within the merging tolerance %.3g take more than %d looks at corners to merge, "+
					"expected fewer vertices in a face", len(s.tree.ids), s.unscaled(s.tol), s.most)
			}
		}
	}
	return nil
}

// spent reports whether merging took all the looks that it may.
func (s *surface) spent() bool { return s.looks+s.tree.looks > s.most }

// maxLooks bounds the looks at corners of faces while they merge: some seconds. Bodies of as many
// vertices as one may have need a tenth of it at worst.
const maxLooks = 1 << 30

// grow merges neighbours into f until a whole turn around its loop finds none, and reports whether any
// was merged.
func (s *surface) grow(f int32) (grown bool) {
	h := s.faces[f].edge
	for tried := int32(0); tried < s.faces[f].nEdges && !s.spent(); {
		g := s.edges[s.edges[h].twin].face
		// The cheap test spares most edges the others. It leaves room for the plane to turn when g joins.
		if s.nearPlane(g, s.faces[f].area.Unit(), s.pts[s.edges[s.faces[f].edge].from], mergeRoom*s.tol) && s.propose(f, g) {
			s.join()
			h = s.faces[f].edge
			grown, tried = true, 0
			continue
		}
		h = s.edges[h].next
		tried++
	}
	return grown
}

// mergeRoom is how many tolerances a face may lie off the plane of another to be looked at for a merger.
const mergeRoom = 16

// nearPlane reports whether the loop of a face lies within tol of the plane of normal n through a.
func (s *surface) nearPlane(f int32, n, a vec.Vec3, tol float64) bool {
	for h := range s.around(f) {
		s.looks++
		if math.Abs(n.Dot(s.pts[s.edges[h].from].Sub(a))) > tol {
			return false
		}
	}
	return true
}

// straight reports whether the path of half-edges is within the tolerance of the straight edge between its
// ends, counting the vertices taken out of it before, and whether there is no such edge yet.
func (s *surface) straight(path []int32) bool {
	u, w := s.edges[path[0]].from, s.to(path[len(path)-1])
	if u == w {
		return false
	}
	a := s.pts[u]
	d := s.pts[w].Sub(a)
	length := d.Norm()
	near := func(v int32) bool {
		p := s.pts[v].Sub(a)
		along := p.Dot(d)
		return along >= 0 && along <= float64(length*length) && p.Cross(d).Norm() <= float64(s.tol*length)
	}
	for i, h := range path {
		if i > 0 && !near(s.edges[h].from) {
			return false
		}
		for _, v := range s.edges[h].gone {
			if !near(v) {
				return false
			}
		}
	}
	// Around u.
	h := path[0]
	for {
		if s.to(h) == w {
			return false
		}
		h = s.edges[s.edges[h].prev].twin
		if h == path[0] {
			return true
		}
	}
}

// verts returns the points that faces have.
func (s *surface) verts() (verts []int32) {
	for v, d := range s.degree {
		if d > 0 {
			verts = append(verts, int32(v))
		}
	}
	return verts
}

// around yields the half-edges of a face.
func (s *surface) around(f int32) iter.Seq[int32] {
	return func(yield func(h int32) bool) {
		h := s.faces[f].edge
		for range s.faces[f].nEdges {
			if !yield(h) {
				return
			}
			h = s.edges[h].next
		}
	}
}

// to returns the vertex where h ends.
func (s *surface) to(h int32) int32 { return s.edges[s.edges[h].twin].from }

func (s *surface) link(h, next int32) {
	s.edges[h].next = next
	s.edges[next].prev = h
}

// drop takes the vertex where h starts, which has two faces left, out of both: the half-edge before h
// goes, h starts where that did.
func (s *surface) drop(h int32) {
	before := s.edges[h].prev
	there := s.edges[h].twin
	after := s.edges[before].twin // follows there
	v := s.edges[h].from
	s.degree[v] = 0
	gone := slices.Concat(s.edges[before].gone, []int32{v}, s.edges[h].gone)
	s.edges[h].gone, s.edges[there].gone = gone, gone
	s.edges[h].from = s.edges[before].from
	s.link(s.edges[before].prev, h)
	s.link(there, s.edges[after].next)
	for _, e := range [2]int32{h, there} {
		k := &s.faces[s.edges[e].face]
		k.nEdges--
		k.edge = e
	}
}
