package coplanar

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
	"github.com/scree-dem/scree/wall/mesh"
)

// boundaryOf returns the boundary edges of a group, in the frame of its plane: the edges of its facets
// across which no facet of the group is connected. It first joins edges at corners that only
// rounding made. Then the choice among the remaining, nearly straight corners does not depend on
// where facets have corners in between.
func boundaryOf(m *mesh.WallMesh, members []int, pose vec.Pose, seam float64) []segment {
	tol, fine := float64(seam*(planeRel/mesh.SeamRel)), float64(seam*(straightRel/mesh.SeamRel))
	up := pose.Rot.Rotate(vec.Vec3{Z: 1})
	at := func(v int32) point {
		q := pose.PointInv(m.Vert(v))
		return point{q.X, q.Y}
	}
	var edges []segment
	for _, f := range members {
		if m.IsThin(f) {
			continue
		}
		for k := range m.Loop(f) {
			if g, _ := m.Across(f, k); g >= 0 && m.Group(g) == m.Group(f) {
				continue
			}
			a, b := m.Ends(f, k)
			if m.Normal(f).Dot(up) < 0 {
				a, b = b, a
			}
			edges = append(edges, segment{at(a), at(b)})
		}
	}
	return straight(straight(edges, tol), fine)
}

func (r *segment) lowest() float64 { return min(r.a.x, r.b.x) }

func byLowest(r, q segment) int { return cmp.Compare(r.lowest(), q.lowest()) }

// straight joins successive boundary edges that lie on one line within tol, so that corners of
// facets on a straight boundary disappear. An edge follows another if its start is within tol of
// the other's end and is the nearest such start.
func straight(pieces []segment, tol float64) []segment {
	slices.SortStableFunc(pieces, func(r, q segment) int { return cmp.Compare(r.a.x, q.a.x) })
	next, follows := make([]int, len(pieces)), make([]bool, len(pieces))
	for i := range pieces {
		r := &pieces[i]
		next[i] = -1
		from, _ := slices.BinarySearchFunc(pieces, r.b.x-tol, func(q segment, x float64) int { return cmp.Compare(q.a.x, x) })
		for j := from; j < len(pieces) && pieces[j].a.x <= r.b.x+tol; j++ {
			q := &pieces[j]
			if j != i && !follows[j] && math.Abs(q.a.y-r.b.y) <= tol && sameWay(r, q) && (&segment{r.a, q.b}).near(r.b, tol) &&
				(next[i] < 0 || away(q.a, r.b) < away(pieces[next[i]].a, r.b)) {
				next[i] = j
			}
		}
		if next[i] >= 0 {
			follows[next[i]] = true
		}
	}
	var out []segment
	done := make([]bool, len(pieces))
	chain := func(i int) {
		from := i
		whole := pieces[i]
		for done[i] = true; next[i] >= 0 && !done[next[i]]; done[i] = true {
			longer := segment{whole.a, pieces[next[i]].b}
			for k, fits := from, true; fits && k != next[i]; k = next[k] {
				if fits = longer.near(pieces[k].b, tol); !fits {
					out = append(out, whole)
					from, longer.a = next[i], pieces[next[i]].a
				}
			}
			whole, i = longer, next[i]
		}
		out = append(out, whole)
	}
	for i := range pieces {
		if !follows[i] {
			chain(i)
		}
	}
	for i := range pieces { // closed chains
		if !done[i] {
			chain(i)
		}
	}
	return out
}
