// Package halfedge finds the half-edges of a mesh that share an edge. A half-edge is an edge as one
// facet passes it, from a vertex to the next.
package halfedge

import (
	"cmp"
	"slices"
)

// Span is a range of indices, from From to before To.
type Span struct{ From, To int32 }

// ByEdge sorts half-edges by their edges, in either direction, and those of one edge by their number.
// Half-edge h runs between the vertices ends(h), which are below verts; it is left out if a is
// negative. ByEdge returns the sorted half-edges, and of each half-edge the range of those that share
// its edge. Cost: linear, and a sort of the half-edges that share their lower vertex.
func ByEdge(n, verts int, ends func(h int32) (a, b int32)) (around []int32, of []Span) {
	first := make([]int32, verts+1)
	for h := range int32(n) {
		if a, b := ends(h); a >= 0 {
			first[min(a, b)+1]++
		}
	}
	for v := range verts {
		first[v+1] += first[v]
	}
	around, of = make([]int32, first[verts]), make([]Span, n)
	upper := make([]int32, len(around)) // by place in around
	at := slices.Clone(first)
	for h := range int32(n) {
		if a, b := ends(h); a >= 0 {
			k := at[min(a, b)]
			around[k] = h
			at[min(a, b)]++
		}
	}
	var bucket []edge
	for v := range verts {
		bucket = bucket[:0]
		for _, h := range around[first[v]:first[v+1]] {
			a, b := ends(h)
			bucket = append(bucket, edge{max(a, b), h})
		}
		if len(bucket) < fewEdges { // insertion sort
			for i := range bucket {
				for j := i; j > 0 && bucket[j].upper < bucket[j-1].upper; j-- {
					bucket[j], bucket[j-1] = bucket[j-1], bucket[j]
				}
			}
		} else {
			slices.SortStableFunc(bucket, func(p, q edge) int { return cmp.Compare(p.upper, q.upper) })
		}
		for i, e := range bucket {
			around[int(first[v])+i], upper[int(first[v])+i] = e.half, e.upper
		}
		for i := first[v]; i < first[v+1]; {
			j := i
			for j < first[v+1] && upper[j] == upper[i] {
				j++
			}
			for _, h := range around[i:j] {
				of[h] = Span{i, j}
			}
			i = j
		}
	}
	return around, of
}

// edge is the upper vertex of a half-edge, and its number.
type edge struct{ upper, half int32 }

// fewEdges is the number of half-edges from which on a merge takes less time than insertions.
const fewEdges = 32
