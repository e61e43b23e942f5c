package overlap

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/soa"
)

// Skeleton is the combinatorial structure of an overlap of two blocks when it was last found: which
// features make its corners, and which corners its surface triangles have. A skeleton is a guess
// for the next step. It does not change a bit of the result.
//
// Corners are sorted by their names, and faces by body and number. Each face starts at its lowest
// corner. Therefore an overlap has one skeleton, however it was found.
type Skeleton struct {
	facet   soa.FacetID // see Features
	prism   soa.Prism
	corners [mostCorners]skeletonCorner
	at      [3]uint8 // first corners of three groups: edges of A, edges of B, vertices of B; vertices of A come before
	verts   uint8    // number of corners

	// The vertices of A, and then those of B, that are corners or ends of edges that make corners.
	ends          [mostEnds]soa.Vertex
	nEndsA, nEnds uint8

	// As in triangles, in fewer bytes.
	chosen, all, first uint8
	caps               bool
	triangles          [mostTriangles][3]uint8
}

// Types returns the facet and the prism that the faces of the overlap suggest. If one of them is
// proven, its formula computes the overlap.
func (k *Skeleton) Types() Features { return Features{Facet: k.facet, Prism: k.prism} }

// Guesses reports whether facet and prism are those that it guesses.
func (k *Skeleton) Guesses(facet soa.FacetID, prism *soa.Prism) bool {
	return k.facet == facet && k.prism == *prism
}

// skeletonCorner is a vertex, or the point where an edge pierces a face of the other body. tail and
// head are indices in the ends of the corner's body.
type skeletonCorner struct {
	tail, head uint8
	face       soa.Face
}

// The largest skeleton. Overlaps in settled heaps of hulls have up to 17 corners, 14 faces and 56
// arcs.
const (
	mostCorners = 20
	mostFaces   = 16
	mostArcs    = 60
	mostEnds    = 32

	mostTriangles = 2*mostCorners - 4
)

// cornerName names the features that make a corner of an overlap.
type cornerName struct {
	by cornerKind
	// tail is the end of the edge outside the pierced face's plane, head the end inside. For a
	// vertex both are the vertex.
	tail, head soa.Vertex
	face       soa.Face // the face that the edge pierces; 0 for a vertex
}

// cornerKind tells which kind of feature of which body makes a corner.
type cornerKind uint16

const (
	vertexOfA cornerKind = iota
	edgeOfA              // an edge of A and a face of B
	edgeOfB              // an edge of B and a face of A
	vertexOfB
)

// key returns a number that sorts names.
func (n cornerName) key() uint64 {
	return uint64(n.by)<<48 | uint64(n.tail)<<32 | uint64(n.head)<<16 | uint64(n.face)
}

// nameOfVertex names a vertex of one body inside the other.
func nameOfVertex(k soa.Vertex, ofA bool) cornerName {
	if ofA {
		return cornerName{vertexOfA, k, k, 0}
	}
	return cornerName{vertexOfB, k, k, 0}
}

// nameOfPierced names the corner where an edge of p leaves or enters the other body through a face.
func nameOfPierced(p *part, e *partEdge, leaves bool, f soa.Face, ofA bool) cornerName {
	n := cornerName{edgeOfB, p.verts[e.tail], p.verts[e.head], f}
	if ofA {
		n.by = edgeOfA
	}
	if leaves {
		n.tail, n.head = n.head, n.tail
	}
	return n
}

// suppose records that the faces of the last overlap suggest a facet.
func (c *Clipper) suppose(id soa.FacetID) {
	c.several = c.several || c.guessed.Facet != soa.FacetID{} && c.guessed.Facet != id
	c.guessed.Facet = id
}

// provable reports whether the proof of a skeleton is valid for two bodies. Their sizes and face
// planes must be such that rounding decides nothing if the signs of the proof are clear of zero,
// and join must be able to treat all their faces.
func provable(va, vb *soa.View) bool {
	return va.Distinct && vb.Distinct && flatFaced(va) && flatFaced(vb) && max(va.NFaces, vb.NFaces) <= mostNear &&
		min(va.Radius, vb.Radius) >= float64(mostUneven*max(va.Radius, vb.Radius))
}

// mostUneven is the least ratio of the radii of two bodies whose overlap has a provable skeleton.
// Smaller: as skeletonClear. Larger: fewer skeletons.
const mostUneven = 0x1p-8

// outline makes the skeleton of the overlap that join has made. It returns false if the skeleton is
// too large or not provable.
func (c *Clipper) outline(va, vb *soa.View) bool {
	b, k := &c.body, &c.skeleton
	if !provable(va, vb) || c.several || len(b.verts) > mostCorners || len(b.end) > mostFaces || len(b.loop) > mostArcs {
		return false
	}
	*k = Skeleton{facet: c.guessed.Facet, prism: c.guessed.Prism}
	var order [max(mostCorners, mostFaces)]uint8 // by new number: the old number
	corners := order[:len(b.verts)]
	for i := range corners {
		corners[i] = uint8(i)
	}
	slices.SortFunc(corners, func(i, j uint8) int { return cmp.Compare(c.names[i].key(), c.names[j].key()) })
	var number [mostCorners]uint16 // by old number: the new number
	for i, old := range corners {
		number[old] = uint16(i)
	}
	if !k.name(c.names, corners) {
		return false
	}
	faces := order[:len(b.end)]
	for f := range faces {
		faces[f] = uint8(f)
	}
	key := func(f uint8) uint64 {
		if b.isCap[f] {
			return uint64(b.of[f]) | 1<<16
		}
		return uint64(b.of[f])
	}
	slices.SortFunc(faces, func(f, g uint8) int { return cmp.Compare(key(f), key(g)) })
	// Make the same surface with sorted faces and corners.
	to := &c.next
	to.reset()
	to.verts = append(to.verts, b.verts...) // sets the number of vertices only; their order does not matter
	for _, f := range faces {
		loop := b.face(int(f))
		first := 0
		for j, v := range loop {
			if number[v] < number[loop[first]] {
				first = j
			}
		}
		for j := range loop {
			to.loop = append(to.loop, number[loop[(first+j)%len(loop)]])
		}
		to.close(b.isCap[f], b.of[f])
	}
	if to.isCap[0] || !to.isCap[len(faces)-1] {
		return false // one body is inside the other
	}
	k.list(to, &c.triangles)
	c.outlined = k
	return true
}

// list computes the triangles of a solid. t is a workspace.
func (k *Skeleton) list(s *polyhedron, t *triangles) {
	s.triangulate(t)
	k.chosen, k.all, k.first, k.caps = uint8(t.chosen), uint8(len(t.list)), uint8(t.first), t.caps
	for i, x := range t.list {
		k.triangles[i] = [3]uint8{uint8(x[0]), uint8(x[1]), uint8(x[2])}
	}
}

// name computes the corners from their names, in the given order. It returns false if they have too
// many ends.
func (k *Skeleton) name(names []cornerName, order []uint8) bool {
	k.at, k.verts, k.nEndsA, k.nEnds = [3]uint8{}, uint8(len(order)), 0, 0
	for i, old := range order {
		n := &names[old]
		for by := n.by; int(by) < len(k.at); by++ {
			k.at[by]++
		}
		first := uint8(0) // index of the first end of the corner's body
		if n.by >= edgeOfB {
			first = k.nEndsA
		}
		if k.nEnds+2 > mostEnds {
			return false
		}
		k.corners[i] = skeletonCorner{k.endAt(n.tail, first), k.endAt(n.head, first), n.face}
		if n.by < edgeOfB {
			k.nEndsA = k.nEnds
		}
	}
	return true
}

// endAt returns the index of a vertex among the ends of its body, and adds the vertex if it is new.
// first is the body's first end.
func (k *Skeleton) endAt(v soa.Vertex, first uint8) uint8 {
	for i, end := range k.ends[first:k.nEnds] {
		if end == v {
			return uint8(i)
		}
	}
	k.ends[k.nEnds] = v
	k.nEnds++
	return k.nEnds - 1 - first
}

// Skeleton returns the skeleton of the last overlap, or nil if it has none. k is valid until the
// Clipper's next overlap. before are the features that must be tried before k.
func (c *Clipper) Skeleton() (k *Skeleton, before Features) {
	if c.outlined == nil {
		return nil, Features{}
	}
	return c.outlined, c.outlined.Types()
}
