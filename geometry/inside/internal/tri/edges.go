package tri

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
)

// Edges is what the edges of a surface say of it.
type Edges struct {
	Boundary   int      // edges that an odd number of triangles has: the surface is not closed there
	Excess     int      // of Boundary, those of three triangles or more
	Disordered int      // edges of an even number of triangles that pass it more often one way than the other
	Component  []uint32 // component of each triangle: those joined by edges; numbered by their first triangle
	Components int

	open []openEdge // the first few of Boundary and Disordered
}

// openEdge is an edge that is not passed as often one way as the other.
type openEdge struct {
	from, to uint32
	triangle uint32
	kind     edgeKind
}

type edgeKind uint8

const (
	hole       edgeKind = iota // one triangle
	excess                     // an odd number from three
	disordered                 // an even number
)

// namedEdges is how many edges a message names.
const namedEdges = 3

// Edges pairs the edges of all triangles. A surface is closed and oriented if each edge is passed
// as often one way as the other. Cost: one bucket sort of the edges by their lower vertex.
func (s *Surface) Edges() *Edges {
	first, ends := s.edgesByLowerVertex()
	e := &Edges{}
	leader := make([]uint32, len(s.Tris))
	for t := range leader {
		leader[t] = uint32(t)
	}
	for lo := range s.Verts {
		group := ends[first[lo]:first[lo+1]]
		sortEnds(group)
		for len(group) > 0 {
			n, net := 0, 0
			for n < len(group) && group[n].vertex>>1 == group[0].vertex>>1 {
				net += 1 - 2*int(group[n].vertex&1)
				if n > 0 {
					join(leader, group[0].triangle, group[n].triangle)
				}
				n++
			}
			if net != 0 {
				e.addOpen(uint32(lo), group[0], n)
			}
			group = group[n:]
		}
	}
	e.number(leader)
	return e
}

// edgeEnd is an edge in the group of its lower vertex: the other vertex, with bit 0 set if the edge
// starts there, and its triangle.
type edgeEnd struct{ vertex, triangle uint32 }

// edgesByLowerVertex returns the edges in groups by their lower vertex.
func (s *Surface) edgesByLowerVertex() (first []uint32, ends []edgeEnd) {
	first = make([]uint32, len(s.Verts)+2)
	for _, k := range s.Tris {
		first[min(k[0], k[1])+2]++
		first[min(k[1], k[2])+2]++
		first[min(k[2], k[0])+2]++
	}
	for v := range s.Verts {
		first[v+2] += first[v+1]
	}
	// first[v+1] is where the next edge of v goes; after the loop it is where the group ends.
	ends = make([]edgeEnd, 3*len(s.Tris))
	for t, k := range s.Tris {
		for j := range 3 {
			a, b := k[j], k[(j+1)%3]
			end := b << 1
			if a > b {
				a, end = b, a<<1|1
			}
			ends[first[a+1]] = edgeEnd{end, uint32(t)}
			first[a+1]++
		}
	}
	return first, ends
}

// sortEnds sorts by vertex, which brings the two ways of an edge together, and then by triangle.
func sortEnds(e []edgeEnd) {
	if len(e) > 24 {
		slices.SortStableFunc(e, func(a, b edgeEnd) int {
			if a.vertex != b.vertex {
				return int(a.vertex) - int(b.vertex)
			}
			return int(a.triangle) - int(b.triangle)
		})
		return
	}
	for i := 1; i < len(e); i++ {
		// Triangles come in rising order, and an insertion keeps those of equal vertices so.
		x := e[i]
		j := i
		for ; j > 0 && e[j-1].vertex > x.vertex; j-- {
			e[j] = e[j-1]
		}
		e[j] = x
	}
}

// join makes one component of those of triangles a and b: the lower leader leads.
func join(leader []uint32, a, b uint32) {
	a, b = lead(leader, a), lead(leader, b)
	if a < b {
		leader[b] = a
	} else {
		leader[a] = b
	}
}

// lead returns the leader of a triangle's component, and halves the way to it.
func lead(leader []uint32, t uint32) uint32 {
	for leader[t] != t {
		leader[t] = leader[leader[t]]
		t = leader[t]
	}
	return t
}

// number gives components their numbers in the place of leaders, in the order of first triangles. A
// leader is the lowest triangle of its component, so its number is known when the others need it.
func (e *Edges) number(leader []uint32) {
	for t := range leader {
		if l := leader[t]; l == uint32(t) {
			leader[t] = uint32(e.Components)
			e.Components++
		} else {
			// All leaders below t hold numbers already, so the way ends after one step.
			leader[t] = leader[l]
		}
	}
	e.Component = leader
}

func (e *Edges) addOpen(lo uint32, end edgeEnd, n int) {
	o := openEdge{from: lo, to: end.vertex >> 1, triangle: end.triangle}
	if end.vertex&1 == 1 {
		o.from, o.to = o.to, o.from
	}
	var seen int
	switch {
	case n == 1:
		o.kind, seen = hole, e.Boundary-e.Excess
		e.Boundary++
	case n%2 == 1:
		o.kind, seen = excess, e.Excess
		e.Boundary++
		e.Excess++
	default:
		o.kind, seen = disordered, e.Disordered
		e.Disordered++
	}
	if seen < namedEdges {
		e.open = append(e.open, o)
	}
}

// Err returns nil for a closed and oriented surface, or an error that names the first edges where
// it is not, and says how many there are. Edges of one face come before those of three or more.
func (e *Edges) Err(r *Read) error {
	holes := e.Boundary - e.Excess
	switch {
	case holes > 0:
		return mark.Errorf(geometry.ErrNotClosed, "%s of one face, %s: it is open, expected a closed surface", count(holes, "boundary edge"), e.named(r, hole))
	case e.Excess > 0:
		return mark.Errorf(geometry.ErrNotClosed, "%s of three faces or another odd number, %s: a face is given twice or is one too many, expected two faces at an edge",
			count(e.Excess, "edge"), e.named(r, excess))
	case e.Disordered > 0:
		return mark.Errorf(geometry.ErrNotOriented, "%s where the faces do not pass each way equally often, %s: expected faces that all turn the same way",
			count(e.Disordered, "edge"), e.named(r, disordered))
	}
	return nil
}

// named returns where the first edges of a kind are.
func (e *Edges) named(r *Read, kind edgeKind) string {
	var named []string
	for _, o := range e.open {
		if o.kind == kind {
			named = append(named, fmt.Sprintf("%s to %s of face %d", describe(r.Verts[o.from]), describe(r.Verts[o.to]), r.FaceOf(int(o.triangle))))
		}
	}
	return "first " + strings.Join(named, ", ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
