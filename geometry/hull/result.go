package hull

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// result returns the hull: it numbers vertices, sorts faces, and computes normals, offsets and
// spread.
func (s *mergedFaces) result() *Hull {
	h := &Hull{}
	verts := s.verts()
	slices.SortFunc(verts, func(a, b int32) int { return cmp.Compare(s.index[a], s.index[b]) })
	position := make([]int, len(s.pts))
	for k, v := range verts {
		position[v] = k
		h.Verts = append(h.Verts, s.index[v])
	}
	// The tree reorders its points, so it gets a copy.
	tree := newSupportTree(s.pts, slices.Clone(verts))
	normals := s.normals()
	type finished struct {
		loop   []int
		normal vec.Vec3
		offset float64 // scaled
	}
	var faces []finished
	for f := range s.faces {
		loop := s.loop(int32(f))
		if loop == nil {
			continue
		}
		named := make([]int, len(loop))
		for i, v := range loop {
			named[i] = position[v]
		}
		offset := tree.max(normals[f], loop)
		faces = append(faces, finished{canonical(named), normals[f], offset})
		top, bottom := offset, offset
		for _, v := range s.faces[f].members {
			x := normals[f].Dot(s.pts[v])
			top, bottom = max(top, x), min(bottom, x)
		}
		h.Spread = max(h.Spread, top-bottom)
		dent, _ := s.dent(loop, normals[f])
		h.Dent = max(h.Dent, dent)
	}
	h.Spread, h.Dent = s.unscaled(h.Spread), s.unscaled(h.Dent)
	slices.SortStableFunc(faces, func(a, b finished) int { return slices.Compare(a.loop, b.loop) })
	for _, f := range faces {
		h.Faces = append(h.Faces, f.loop)
		h.Normals = append(h.Normals, f.normal)
		// Scaling by a power of two changes no bit of the mantissa, so this is the maximum over the
		// input.
		h.Offsets = append(h.Offsets, math.Ldexp(f.offset, s.exp))
	}
	return h
}

// dent returns the depth of the deepest dent of a loop with normal n, in scaled units, and its vertex.
func (s *mergedFaces) dent(loop []int32, n vec.Vec3) (deepest float64, at int32) {
	u, v := loop[len(loop)-2], loop[len(loop)-1]
	for _, w := range loop {
		if depth := -n.Dot(AreaVector(s.pts, []int32{u, v, w})) / s.pts[w].Sub(s.pts[u]).Norm(); depth > deepest {
			deepest, at = depth, v
		}
		u, v = v, w
	}
	return deepest, at
}

// normals returns the unit normals of the faces. A face so thin that its area vector underflows
// gets the mean direction of its neighbours.
func (s *mergedFaces) normals() []vec.Vec3 {
	n := make([]vec.Vec3, len(s.faces))
	for f := range n {
		if loop := s.loop(int32(f)); loop != nil {
			n[f], _ = normal(s.pts, canonical(loop))
		}
	}
	for f := range n {
		if n[f] != (vec.Vec3{}) || s.faces[f].nEdges == 0 {
			continue
		}
		for h := range s.around(int32(f)) {
			n[f] = n[f].Add(n[s.edges[s.edges[h].twin].face])
		}
		n[f] = n[f].Unit()
	}
	return n
}

// loop returns the vertices of face f, or nil if f was merged into another face.
func (s *mergedFaces) loop(f int32) (loop []int32) {
	for h := range s.around(f) {
		loop = append(loop, s.edges[h].from)
	}
	return loop
}

// canonical returns the loop starting at its lowest vertex, because rounded sums depend on the
// start.
func canonical[V int | int32](loop []V) []V {
	low := slices.Index(loop, slices.Min(loop))
	return slices.Concat(loop[low:], loop[:low])
}
