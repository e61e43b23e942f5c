package tri

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/disjoint"
	"github.com/scree-dem/scree/internal/mark"
)

// Edges has the properties of a surface's edges.
type Edges struct {
	Boundary   int      // edges with an odd number of triangles: the surface is not closed there
	Excess     int      // part of Boundary: edges with three triangles or more
	Disordered int      // edges with an even number of triangles, passed more often in one direction
	Component  []uint32 // component of each triangle, joined by edges; numbered by their first triangle
	Components int

	open []openEdge // the first few edges of Boundary and Disordered
}

// openEdge is an edge that triangles do not pass equally often in both directions.
type openEdge struct {
	from, to uint32
	triangle uint32
	kind     edgeKind
}

type edgeKind uint8

const (
	hole       edgeKind = iota // one triangle
	excess                     // an odd number, three or more
	disordered                 // an even number
)

// namedEdges is the largest number of edges that a message names.
const namedEdges = 3

// EdgeUse is the use of an edge by a triangle. It packs three numbers. The first is the edge's
// higher vertex. The second is a bit that is set if the triangle's edge begins there. The third is
// three times the triangle, plus the corner at which its edge begins.
type EdgeUse uint64

// newEdgeUse returns the lower vertex of the edge of triangle t from corner j to the next, and its
// use. k has the triangle's vertices.
func newEdgeUse(t int, k *[3]uint32, j int) (low uint32, u EdgeUse) {
	a, b := k[j], k[(j+1)%3]
	u = EdgeUse(max(a, b))<<33 | EdgeUse(3*t+j)
	if a > b {
		u |= 1 << 32
	}
	return min(a, b), u
}

func (u EdgeUse) high() uint32 { return uint32(u >> 33) }

// Back reports whether the triangle's edge begins at the higher vertex.
func (u EdgeUse) Back() bool { return u>>32&1 == 1 }

// Edge returns three times the triangle plus the corner at which its edge begins.
func (u EdgeUse) Edge() int32 { return int32(uint32(u)) }

func (u EdgeUse) triangle() uint32 { return uint32(u) / 3 }

// EdgeUses yields the edges of triangles: the lower vertex of each edge, and its uses. Uses that
// begin at the lower vertex come first, in the order of their triangles. verts is the number of
// vertices. Cost: a bucket sort of the edges by their lower vertex.
func EdgeUses(tris [][3]uint32, verts int) iter.Seq2[uint32, []EdgeUse] {
	return func(yield func(low uint32, uses []EdgeUse) bool) {
		// first[v+1] is the position of the next edge of v. After the loop it is the end of v's
		// edges.
		first := make([]uint32, verts+2)
		for _, k := range tris {
			first[min(k[0], k[1])+2]++
			first[min(k[1], k[2])+2]++
			first[min(k[2], k[0])+2]++
		}
		for v := range verts {
			first[v+2] += first[v+1]
		}
		all := make([]EdgeUse, 3*len(tris))
		for t := range tris {
			for j := range 3 {
				low, u := newEdgeUse(t, &tris[t], j)
				all[first[low+1]] = u
				first[low+1]++
			}
		}
		for low := range uint32(verts) {
			group := all[first[low]:first[low+1]]
			slices.Sort(group)
			for len(group) > 0 {
				n := 1
				for n < len(group) && group[n].high() == group[0].high() {
					n++
				}
				if !yield(low, group[:n]) {
					return
				}
				group = group[n:]
			}
		}
	}
}

// Edges pairs the edges of all triangles. The surface is closed and oriented if each edge is passed
// as often in one direction as in the other.
func (s *Surface) Edges() *Edges {
	e := &Edges{}
	parts := disjoint.New[uint32](len(s.Tris))
	for low, uses := range EdgeUses(s.Tris, len(s.Verts)) {
		back := 0
		for _, u := range uses {
			parts.Join(uses[0].triangle(), u.triangle())
			if u.Back() {
				back++
			}
		}
		if n := len(uses); 2*back != n {
			e.addOpen(low, uses[0], n)
		}
	}
	e.number(parts)
	return e
}

// number replaces the lowest triangle of each component by the component's number, in the order of
// the lowest triangles. A component's lowest triangle is numbered before the component's other
// triangles.
func (e *Edges) number(leader []uint32) {
	for t := range leader {
		if l := leader[t]; l == uint32(t) {
			leader[t] = uint32(e.Components)
			e.Components++
		} else {
			// Triangles below t have numbers already, so one step suffices.
			leader[t] = leader[l]
		}
	}
	e.Component = leader
}

func (e *Edges) addOpen(low uint32, use EdgeUse, n int) {
	o := openEdge{from: low, to: use.high(), triangle: use.triangle()}
	if use.Back() {
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

// Err returns nil for a closed and oriented surface. Otherwise it returns an error that names the
// first faulty edges and their number. Edges of one face are reported before edges of three or
// more.
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
