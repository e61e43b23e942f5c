package broad

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func treeOf(extent []vec.Box) *tree {
	t := &tree{}
	for p := range extent {
		t.piece = append(t.piece, soa.Piece(p))
	}
	t.build(extent)
	return t
}

// found returns the pieces whose extents overlap a box, sorted, and how many boxes were compared.
func (t *tree) found(extent []vec.Box, box *vec.Box) (pieces []soa.Piece, looks int) {
	if len(t.nodes) == 0 {
		return nil, 0
	}
	for k := uint32(0); k < t.end(); {
		n := &t.nodes[k]
		looks++
		if !Overlap(box, &n.box) {
			k = n.skip
			continue
		}
		if k++; k == n.skip {
			looks += len(t.pieces(k - 1))
		}
	}
	for k := t.leaf(box, 0); k < t.end(); k = t.leaf(box, k+1) {
		for _, p := range t.pieces(k) {
			if Overlap(box, &extent[p]) {
				pieces = append(pieces, p)
			}
		}
	}
	slices.Sort(pieces)
	return pieces, looks
}

// cube returns a closed box of the given side about a point.
func cube(at vec.Vec3, side float64) vec.Box {
	h := vec.V(0.5*side, 0.5*side, 0.5*side)
	return vec.Box{Min: at.Sub(h), Max: at.Add(h)}
}

// A query finds the same pieces as brute force, including boxes that only touch, for any
// arrangement of pieces.
func TestTreeIsBruteForce(t *testing.T) {
	cases := []struct {
		name string
		make func(r *rand.Rand) vec.Box
	}{
		{"alike", func(r *rand.Rand) vec.Box { return cube(within(r, 10), 0.5) }},
		{"sizes 1 to 1000", func(r *rand.Rand) vec.Box { return cube(within(r, 10), math.Exp2(-10*r.Float64())) }},
		{"slivers", func(r *rand.Rand) vec.Box {
			at := within(r, 10)
			return vec.Box{Min: at, Max: at.Add(vec.V(8*r.Float64(), 1e-6, 1e-3))}
		}},
		{"touching", func(r *rand.Rand) vec.Box { return cube(vec.V(float64(r.IntN(9)), float64(r.IntN(9)), 0), 1) }},
		{"coincident", func(*rand.Rand) vec.Box { return cube(vec.V(1, 2, 3), 1) }},
		{"points", func(r *rand.Rand) vec.Box { return cube(vec.V(float64(r.IntN(5)), 0, 0), 0) }},
		{"far outliers", func(r *rand.Rand) vec.Box { return cube(within(r, 4*math.Exp2(1000*max(0, r.Float64()-0.9))), 1) }},
		{"not finite", func(r *rand.Rand) vec.Box {
			return cube(within(r, 5), []float64{1, 0.1, math.NaN(), math.Inf(1), 1e200}[r.IntN(5)])
		}},
		{"corners of the number range", func(r *rand.Rand) vec.Box {
			return cube(vec.V(sign(r.IntN(2), 1.7e308), sign(r.IntN(2), 1e-308), float64(r.IntN(3))), 1)
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := random(3)
			for _, n := range []int{0, 1, leafPieces, leafPieces + 1, 700} {
				extent := make([]vec.Box, n)
				for i := range extent {
					extent[i] = c.make(r)
				}
				tree := treeOf(extent)
				for range 60 {
					box := c.make(r)
					if !enters(box) {
						continue
					}
					var want []soa.Piece
					for p := range extent {
						if enters(extent[p]) && box.Overlaps(extent[p]) {
							want = append(want, soa.Piece(p))
						}
					}
					if got, _ := tree.found(extent, &box); !slices.Equal(got, want) {
						t.Fatalf("%d pieces: found %v, want %v", n, got, want)
					}
				}
			}
		})
	}
}

// floorOf returns the extents of n facets of a square floor. One in every so many is 400 times as
// large as the others.
func floorOf(n, every int) (extent []vec.Box, side float64) {
	r := random(uint64(n))
	side = math.Sqrt(float64(n))
	for i := range n {
		s := 0.2
		if i%every == every-1 {
			s = 80
		}
		at := within(r, side)
		at.Z = 0
		extent = append(extent, vec.Box{Min: at, Max: at.Add(vec.V(s, s, 0))})
	}
	return extent, side
}

// The number of boxes that a query compares is logarithmic in the number of pieces, plus what it
// finds. This holds even if a few pieces are large.
func TestTreeVisits(t *testing.T) {
	const most, queries = 4.0, 300
	for _, every := range []int{1 << 30, 400} {
		for _, n := range []int{1 << 10, 1 << 13, 1 << 16} {
			extent, side := floorOf(n, every)
			tree, r := treeOf(extent), random(5)
			looks, found := 0, 0
			for range queries {
				box := cube(within(r, side), 2)
				box.Min.Z, box.Max.Z = -1, 1
				pieces, n := tree.found(extent, &box)
				looks, found = looks+n, found+len(pieces)
			}
			bound := most * (math.Log2(float64(n)) + float64(found)/queries)
			t.Logf("%d pieces, one large in %d: %.1f looks, %.1f found, a query", n, every, float64(looks)/queries, float64(found)/queries)
			if float64(looks)/queries > bound {
				t.Errorf("%d pieces, one large in %d: %.1f looks a query for %.1f found, expected at most %.1f",
					n, every, float64(looks)/queries, float64(found)/queries, bound)
			}
			if nodes := len(tree.nodes); nodes*leafPieces > 4*n {
				t.Errorf("%d pieces: %d nodes", n, nodes)
			}
		}
	}
}
