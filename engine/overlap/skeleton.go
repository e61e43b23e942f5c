package overlap

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/soa"
)

// Skeleton is what an overlap of two blocks was made of when it was last found: which features make its corners,
// and which corners its faces have. It is a guess for the next step and changes no bit of that.
//
// The corners are sorted by their names, and the faces by body and number. Each face starts at its
// lowest corner. So an overlap has one skeleton, however it was found.
type Skeleton struct {
	types Features // the types of overlaps with these faces: where one is proven, its formula has the answer
	names [mostCorners]cornerName
	end   [mostFaces]uint8 // by face: where its corners end in loop
	loop  [mostArcs]uint8  // the corners of the faces, counter-clockwise seen from outside
	nA, n uint8            // how many faces are of A, and how many there are
	verts uint8            // how many corners
}

// The largest skeleton. Settled heaps of hulls have up to 17 corners in an overlap, 14 faces and 56 arcs.
const (
	mostCorners = 20
	mostFaces   = 16
	mostArcs    = 60
)

// cornerName names the features that make a corner of an overlap.
type cornerName struct {
	by cornerKind
	// tail and head are the ends of the edge: outside the other body, and inside its plane. Of a vertex both are it.
	tail, head soa.Vertex
	face       soa.Face // that the edge pierces; 0 for a vertex
}

// cornerKind is whose features make a corner.
type cornerKind uint16

const (
	vertexOfA cornerKind = iota
	edgeOfA              // and a face of B
	edgeOfB              // and a face of A
	vertexOfB
)

// key is a number that sorts names.
func (n cornerName) key() uint64 {
	return uint64(n.by)<<48 | uint64(n.tail)<<32 | uint64(n.head)<<16 | uint64(n.face)
}

// nameOfVertex names a vertex of one body in the other.
func nameOfVertex(k soa.Vertex, ofA bool) cornerName {
	if ofA {
		return cornerName{vertexOfA, k, k, 0}
	}
	return cornerName{vertexOfB, k, k, 0}
}

// nameOfPierced names the corner where an edge of p leaves the other body through a face, or enters it.
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

// suppose notes that the faces of the last overlap suppose a facet.
func (c *Clipper) suppose(id soa.FacetID) {
	c.several = c.several || c.supposed.Facet != soa.FacetID{} && c.supposed.Facet != id
	c.supposed.Facet = id
}

// provable says whether the proof of a skeleton holds for two bodies: their sizes and faces are so far apart that
// rounding decides nothing where the signs of the proof are clear; and join takes all their faces.
func provable(va, vb *soa.View) bool {
	return va.Distinct && vb.Distinct && level(va) && level(vb) && max(va.NFaces, vb.NFaces) <= mostNear &&
		min(va.Radius, vb.Radius) >= float64(mostUneven*max(va.Radius, vb.Radius))
}

// mostUneven is the least ratio of the radii of two bodies whose overlap has a skeleton that can be proven.
const mostUneven = 0x1p-8

// outline makes the skeleton of what join made. It returns false if it is too large, or cannot be proven.
func (c *Clipper) outline(va, vb *soa.View) bool {
	b, k := &c.body, &c.skeleton
	if !provable(va, vb) || c.several || len(b.verts) > mostCorners || len(b.end) > mostFaces || len(b.loop) > mostArcs {
		return false
	}
	k.types, k.verts, k.n, k.nA = c.supposed, uint8(len(b.verts)), uint8(len(b.end)), 0
	var order [max(mostCorners, mostFaces)]uint8 // by new number: the old one
	corners := order[:len(b.verts)]
	for i := range corners {
		corners[i] = uint8(i)
	}
	slices.SortFunc(corners, func(i, j uint8) int { return cmp.Compare(c.names[i].key(), c.names[j].key()) })
	var number [mostCorners]uint8 // by old number: the new one
	for i, old := range corners {
		k.names[i], number[old] = c.names[old], uint8(i)
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
	n := 0
	for i, f := range faces {
		loop := b.face(int(f))
		first := 0
		for j, v := range loop {
			if number[v] < number[loop[first]] {
				first = j
			}
		}
		for j := range loop {
			k.loop[n] = number[loop[(first+j)%len(loop)]]
			n++
		}
		k.end[i] = uint8(n)
		if !b.isCap[f] {
			k.nA++
		}
	}
	if k.nA == 0 || k.nA == k.n {
		return false // one body is in the other
	}
	c.outlined = k
	return true
}

// Skeleton returns the skeleton of the last overlap, valid until the next is asked for; nil for none. The features are
// those to try before.
func (c *Clipper) Skeleton() (k *Skeleton, before Features) {
	if c.outlined == nil {
		return nil, Features{}
	}
	return c.outlined, c.outlined.types
}
