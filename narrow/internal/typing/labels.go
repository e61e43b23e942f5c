package typing

import (
	"slices"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
)

// Faces with one label form one face of the body as modelled, whose vertices do not lie exactly in
// one plane because of rounding. Types and lists of contacts name the modelled face by its label,
// and ignore edges and vertices inside it. Gaps are those of the faces themselves.

// labelsOf replaces faces by their labels, each once, ascending. Without labels the faces stay as
// they are.
func labelsOf(v *soa.View, faces []uint16) []uint16 {
	if len(v.Label) == 0 {
		return faces
	}
	for i, f := range faces {
		faces[i] = uint16(v.Label[f])
	}
	slices.Sort(faces)
	return slices.Compact(faces)
}

// labelsAmong appends to an empty set the labels whose vertices are all marked. Vertices inside a
// modelled face do not count.
func labelsAmong(to []uint16, v *soa.View, marked []bool) []uint16 {
	for f := range v.NFaces {
		if int(v.Label[f]) == f {
			to = append(to, uint16(f))
		}
	}
	all := len(to)
	for f := range v.NFaces { // append the labels that have an unmarked vertex
		for _, k := range v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]] {
			if !marked[k] && !Inner(v, k) {
				to = append(to, uint16(v.Label[f]))
				break
			}
		}
	}
	not := to[all:]
	slices.Sort(not)
	return slices.DeleteFunc(to[:all], func(f uint16) bool { return contains(not, f) })
}

// Borders reports whether an edge belongs to the body as modelled: its two faces have different
// labels.
func Borders(v *soa.View, h soa.HalfEdge) bool {
	return len(v.Label) == 0 || v.Label[v.Face[h]] != v.Label[v.Face[v.Twin[h]]]
}

// Inner reports whether a vertex lies inside a face of the body as modelled: none of its edges
// Borders.
func Inner(v *soa.View, k soa.Vertex) bool {
	for _, h := range pair.RingOf(v, k) {
		if Borders(v, h) {
			return false
		}
	}
	return true
}

// withoutInner removes the vertices inside faces of the body as modelled.
func withoutInner(v *soa.View, verts []uint16) []uint16 {
	if len(v.Label) == 0 {
		return verts
	}
	return slices.DeleteFunc(verts, func(k uint16) bool { return Inner(v, soa.Vertex(k)) })
}
