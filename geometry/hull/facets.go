package hull

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// facets joins triangles that lie in one plane, decided exactly, and returns the loops of the
// resulting facets: convex polygons of the cloud's points, counter-clockwise seen from outside.
// Points inside a facet or an edge are left out, so every remaining point is a vertex of the hull.
// It skips dead triangles.
func (c *cloud) facets(tris []triangle) ([][]int32, error) {
	plane := slices.Repeat([]int32{none}, len(tris))
	b := builder{pts: c.pts}
	planes := int32(0)
	var stack []int32
	for f := range tris {
		if plane[f] != none || tris[f].dead {
			continue
		}
		plane[f] = planes
		stack = append(stack[:0], int32(f))
		for len(stack) > 0 {
			t := &tris[stack[len(stack)-1]]
			stack = stack[:len(stack)-1]
			for i, g := range t.next {
				if plane[g] != none {
					continue
				}
				// The neighbour is in the plane if its third vertex is.
				if s, _ := b.side(t, opposite(&tris[g], t.v[i])); s == 0 {
					plane[g] = planes
					stack = append(stack, g)
				}
			}
		}
		planes++
	}
	// The border of a plane's triangles is one cycle, in which at most one edge starts at a vertex.
	borders := make([][][2]int32, planes)
	degree := make([]int32, len(c.pts))
	for f := range tris {
		t := &tris[f]
		for i, g := range t.next {
			if !t.dead && plane[g] != plane[f] {
				u := t.v[i]
				borders[plane[f]] = append(borders[plane[f]], [2]int32{u, t.v[(i+1)%3]})
				degree[u]++
			}
		}
	}
	loops := make([][]int32, planes)
	after := make([]int32, len(c.pts))
	for k, border := range borders {
		for _, e := range border {
			after[e[0]] = e[1]
		}
		v := border[0][0]
		for range border {
			if degree[v] >= 3 {
				loops[k] = append(loops[k], v)
			}
			v = after[v]
		}
		if v != border[0][0] || len(loops[k]) < 3 {
			return nil, fmt.Errorf("hull: facet of %d edges is not a polygon: %w", len(border), errBroken)
		}
	}
	return loops, nil
}

// opposite returns the vertex of t that is not on the edge shared with a neighbour. v is the start
// of that edge in the neighbour.
func opposite(t *triangle, v int32) int32 {
	for i := range t.v {
		if t.v[i] == v {
			// t passes the shared edge in the opposite direction: it ends at v, and the third
			// vertex follows.
			return t.v[(i+1)%3]
		}
	}
	return none
}

// maxWeld is how many tolerances a point may lie from the point it was welded into. In an evenly
// spaced row of near points, each round of welding removes every other point. The remaining points
// are twice as far apart, so no point moves by more than two tolerances. Without this limit, all
// points of an unevenly spaced row could be welded into the first.
// Smaller: more short edges. Larger: a hull omits more of its points.
const maxWeld = 2

// weld finds edges no longer than the tolerance, and removes the later vertex of each from the
// cloud. It keeps the later vertex if the earlier one was itself removed, or is too far from a
// point that was welded into the later one. If weld removed a vertex, it also removes all points
// that are not vertices, and returns true. Otherwise slivers between nearly equal points would
// determine the topology.
func (c *cloud) weld(facets [][]int32) bool {
	if c.exact {
		return false
	}
	var short [][2]int32
	vertex := make([]bool, len(c.pts))
	for _, loop := range facets {
		for i, u := range loop {
			v := loop[(i+1)%len(loop)]
			vertex[u] = true
			if u < v && c.pts[v].Sub(c.pts[u]).Norm() <= c.tol {
				short = append(short, [2]int32{v, u})
			}
		}
	}
	slices.SortStableFunc(short, func(a, b [2]int32) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	if c.welded == nil && len(short) > 0 {
		c.welded = make([][]vec.Vec3, len(c.pts))
	}
	went := false
	for _, e := range short {
		// Earlier pairs have decided about all earlier points.
		v, u := e[0], e[1]
		if vertex[u] && vertex[v] && c.weldable(v, u) {
			vertex[v], went = false, true
			c.welded[u] = append(append(c.welded[u], c.welded[v]...), c.pts[v])
		}
	}
	if !went {
		return false
	}
	n := 0
	for i, keep := range vertex {
		if keep {
			c.pts[n], c.index[n], c.welded[n] = c.pts[i], c.index[i], c.welded[i]
			n++
		}
	}
	c.pts, c.index, c.welded = c.pts[:n], c.index[:n], c.welded[:n]
	return true
}

// weldable reports whether all points that were welded into v are near enough to u to weld v into
// u. v itself is near enough.
func (c *cloud) weldable(v, u int32) bool {
	return !slices.ContainsFunc(c.welded[v], func(p vec.Vec3) bool {
		return p.Sub(c.pts[u]).Norm() > float64(maxWeld*c.tol)
	})
}
