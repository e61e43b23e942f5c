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

// mergedFaces has the hull's faces as half-edges. Faces are merged on it.
type mergedFaces struct {
	*cloud
	edges  []halfEdge
	faces  []face
	degree []int32      // of each point: the number of its faces
	tree   *supportTree // all vertices before merging
	group  mergeSet
	path   []int32 // scratch of bent, staysThin and spend
	visits int     // visited corners of groups and loops; the tree counts its own visits
	most   int     // limit of visits and tree.visits together
	convex bool    // no merger may dent a loop: see dented
	plain  bool    // for tests: check all corners of a face, without proofs
}

type halfEdge struct {
	from, next, prev, twin, face int32
	// gone has the vertices that were removed from this edge; the twin has the same.
	gone []int32
}

type face struct {
	edge    int32    // one of the half-edges of the face
	nEdges  int32    // length of the loop; 0 if the face was merged into another
	area    vec.Vec3 // area vector
	members []int32  // vertices of all facets that were merged into the face
	proof   layerProof
}

// newSurface builds the half-edges of loops.
func (c *cloud) newSurface(facets [][]int32) (*mergedFaces, error) {
	s := &mergedFaces{cloud: c, most: maxVisits, degree: make([]int32, len(c.pts))}
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
	s.group = mergeSet{
		face: make([]int32, len(s.faces)), losing: make([]int32, len(s.faces)),
		lost: make([]int32, len(s.faces)), point: make([]int32, len(c.pts)), dropped: make([]int32, len(c.pts)),
	}
	return s, nil
}

// merge joins neighbouring faces whose vertices lie in one layer as thick as the tolerance.
//
// Large faces are processed first, because their normals are the most accurate. Each face absorbs
// neighbours until none fits. A merger is rejected if a member would lie below the supporting plane
// of the new normal by more than the tolerance. Members are the vertices of the merged faces and of
// all faces merged into them before. So the thickness is measured on the whole face, and does not
// add up along a gently curved surface. A merger is also rejected in three other cases: the loop
// would meet itself; a vertex left with two faces would lie farther than the tolerance from the
// edge that replaces it; or a removed vertex would lie farther than the tolerance beside the new
// face. Rejecting is always safe, because the current surface is convex already.
//
// Cost: one visit of each edge if nothing merges; otherwise, for each face, vertices times mergers.
// joinLayers first joins facets that only rounding separates, many at once. merge returns
// ErrTooLong after maxVisits visits.
func (s *mergedFaces) merge() error {
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
				return mark.Errorf(ErrTooLong, "hull: the faces of %d vertices within the merging tolerance %.3g take more than %d visits of corners to merge, "+
					"expected fewer vertices in a face", len(s.tree.ids), s.unscaled(s.tol), s.most)
			}
		}
	}
	return nil
}

// spent reports whether merging has used up its visits.
func (s *mergedFaces) spent() bool { return s.visits+s.tree.visits > s.most }

// maxVisits limits how many corners of faces merging may visit, which takes some seconds. Bodies
// with the largest number of vertices that a shape may have need at most a tenth.
const maxVisits = 1 << 30

// grow merges neighbours into f until one round along its loop finds no more. It reports whether it
// merged any.
func (s *mergedFaces) grow(f int32) (grown bool) {
	h := s.faces[f].edge
	for tried := int32(0); tried < s.faces[f].nEdges && !s.spent(); {
		g := s.edges[s.edges[h].twin].face
		// This cheap test rejects most neighbours. Its margin allows for the plane to turn when g
		// joins.
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

// mergeRoom is how many tolerances a face may lie off another face's plane to be tried for a
// merger.
// Smaller: faces that belong together stay apart. Larger: more tests.
const mergeRoom = 16

// nearPlane reports whether the loop of a face lies within tol of the plane of normal n through a.
func (s *mergedFaces) nearPlane(f int32, n, a vec.Vec3, tol float64) bool {
	for h := range s.around(f) {
		s.visits++
		if math.Abs(n.Dot(s.pts[s.edges[h].from].Sub(a))) > tol {
			return false
		}
	}
	return true
}

// straight reports whether a straight edge between the ends of a path can replace the path of
// half-edges. That edge must not exist yet. All inner vertices of the path, and all vertices
// removed from the path before, must lie within the tolerance of the edge.
func (s *mergedFaces) straight(path []int32) bool {
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
	// Check all edges around u.
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

// verts returns the points that belong to faces.
func (s *mergedFaces) verts() (verts []int32) {
	for v, d := range s.degree {
		if d > 0 {
			verts = append(verts, int32(v))
		}
	}
	return verts
}

// around yields the half-edges of a face.
func (s *mergedFaces) around(f int32) iter.Seq[int32] {
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
func (s *mergedFaces) to(h int32) int32 { return s.edges[s.edges[h].twin].from }

func (s *mergedFaces) link(h, next int32) {
	s.edges[h].next = next
	s.edges[next].prev = h
}

// drop removes the vertex where h starts from both of its two faces. It removes the half-edge
// before h and its twin; h then starts where the removed half-edge started.
func (s *mergedFaces) drop(h int32) {
	before := s.edges[h].prev
	there := s.edges[h].twin
	after := s.edges[before].twin // after follows there
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
