package soa

import (
	"testing"

	"github.com/scree-dem/scree/vec"
)

// starEdgesOf returns the tails and the vectors to the heads of the star at c.
func starEdgesOf(v *View, c Star) (tails, ways [StarEdges]vec.Vec3) {
	row := v.Stars[c:][:StarSize]
	for k := range StarEdges {
		tails[k] = vec.V(row[6*k], row[6*k+1], row[6*k+2])
		ways[k] = vec.V(row[6*k+3], row[6*k+4], row[6*k+5])
	}
	return tails, ways
}

// TestStars checks a pyramid. Its base, and the corners and sides of the base, have stars. The tip
// has four edges, so neither the tip nor the features that contain it have stars. The cuts of each
// star's edges are counter-clockwise seen from outside.
func TestStars(t *testing.T) {
	s := &Shapes{}
	for _, h := range []float64{1, 3} {
		if _, err := s.Add(pyramid(h)); err != nil {
			t.Fatal(err)
		}
	}
	for shape, height := range []float64{1, 3} {
		v := s.View(Shape(shape))
		stars := map[Star]bool{}
		for k := range v.NVerts {
			if c := v.StarOfVertex[k]; (c != 0) != (k < 4) {
				t.Errorf("vertex %d: star %d", k, c)
			} else if c != 0 {
				stars[c] = true
				tails, _ := starEdgesOf(v, c)
				for _, tail := range tails {
					if tail != v.Vert(Vertex(k)) {
						t.Errorf("vertex %d: an edge from %v", k, tail)
					}
				}
			}
		}
		for h, k := range v.Tail {
			c := v.StarOfHalf[h]
			if c != v.StarOfHalf[v.Twin[h]] {
				t.Errorf("half-edge %d and its twin differ", h)
			}
			if base := k < 4 && v.Head(HalfEdge(h)) < 4; (c != 0) != base {
				t.Errorf("half-edge %d: star %d", h, c)
			}
			stars[c] = true
		}
		for f := range v.NFaces {
			if c := v.StarOfFace[f]; (c != 0) != (f == 0) {
				t.Errorf("face %d: star %d", f, c)
			}
		}
		tails, ways := starEdgesOf(v, v.StarOfFace[0])
		for k := range tails {
			if tails[k] != v.Vert(v.Tail[k]) || tails[k].Add(ways[k]) != vec.V(0, 0, height) {
				t.Errorf("edge %d of the base: from %v by %v", k, tails[k], ways[k])
			}
		}
		stars[v.StarOfFace[0]] = true
		delete(stars, 0)
		if len(stars) != 4+4+1 {
			t.Errorf("%d stars", len(stars))
		}
		for c := range stars {
			tails, ways := starEdgesOf(v, c)
			var out vec.Vec3
			var cut [StarEdges]vec.Vec3
			for k := range cut {
				out = out.Sub(ways[k])
				cut[k] = tails[k].AddScaled(0.125, ways[k])
			}
			turned := 0.0
			for k := range cut {
				p, q, r := cut[k], cut[(k+1)%StarEdges], cut[(k+2)%StarEdges]
				turn := q.Sub(p).Cross(r.Sub(q)).Dot(out)
				if turn < -1e-15 {
					t.Errorf("star %d: the cuts turn back at %d", c, k)
				}
				turned += turn
			}
			if !(turned > 1e-3) {
				t.Errorf("star %d: the cuts do not turn", c)
			}
			if v.Stars[int(c)+StarSize-1] != v.Radius {
				t.Errorf("star %d: radius %g", c, v.Stars[int(c)+StarSize-1])
			}
		}
	}
	for j, x := range s.Stars[:StarSize] {
		if x != 0 {
			t.Errorf("number %d of no star is %g", j, x)
		}
	}
}

// TestStarOfTriangle checks that the fourth edge around a triangle is half-way between two others.
func TestStarOfTriangle(t *testing.T) {
	tetra := &Template{
		Kind: Block, Radius: 2,
		Verts:     []vec.Vec3{vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0), vec.V(0, 0, 1)},
		Normals:   []vec.Vec3{vec.V(0, 0, -1), vec.V(0, -1, 0), vec.V(1, 1, 1).Unit(), vec.V(-1, 0, 0)},
		Offsets:   []float64{0, 0, vec.V(1, 1, 1).Unit().X, 0},
		LoopFirst: []HalfEdge{0, 3, 6, 9, 12},
		Tail:      []Vertex{0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3},
	}
	tetra.Twin = twins(tetra)
	s := &Shapes{}
	if _, err := s.Add(tetra); err != nil {
		t.Fatal(err)
	}
	v := s.View(0)
	tails, ways := starEdgesOf(v, v.StarOfFace[0])
	want := [StarEdges]vec.Vec3{vec.V(0, 0, 0), vec.V(0, 0.5, 0), vec.V(0, 1, 0), vec.V(1, 0, 0)}
	for k := range want {
		if tails[k] != want[k] || tails[k].Add(ways[k]) != vec.V(0, 0, 1) {
			t.Errorf("edge %d: from %v by %v", k, tails[k], ways[k])
		}
	}
}

// twins returns the twin of each half-edge, found by its ends.
func twins(t *Template) []HalfEdge {
	ends := map[[2]Vertex]HalfEdge{}
	of := make([][2]Vertex, len(t.Tail))
	for f := range t.Normals {
		loop := t.Tail[t.LoopFirst[f]:t.LoopFirst[f+1]]
		for i, k := range loop {
			h := int(t.LoopFirst[f]) + i
			of[h] = [2]Vertex{k, loop[(i+1)%len(loop)]}
			ends[of[h]] = HalfEdge(h)
		}
	}
	twin := make([]HalfEdge, len(t.Tail))
	for h, e := range of {
		twin[h] = ends[[2]Vertex{e[1], e[0]}]
	}
	return twin
}

// TestCorners checks that the corners of a pyramid have their edges in the order of the ring, with
// the last repeated.
func TestCorners(t *testing.T) {
	s := &Shapes{}
	for range 2 {
		if _, err := s.Add(pyramid(1)); err != nil {
			t.Fatal(err)
		}
	}
	v := s.View(1)
	for k := range v.NVerts {
		at := v.CornerOfVertex[k]
		if at == 0 {
			t.Fatalf("vertex %d has no corner", k)
		}
		row := s.Corners[at:][:CornerSize]
		tip := v.Vert(Vertex(k))
		if vec.V(row[0], row[1], row[2]) != tip {
			t.Errorf("vertex %d: tip %v", k, row[:3])
		}
		ring := v.Ring[v.RingFirst[k]:][:v.RingLen[k]]
		for i := range CornerEdges {
			want := v.Vert(v.Head(ring[min(i, len(ring)-1)])).Sub(tip)
			if got := vec.V(row[3+3*i], row[4+3*i], row[5+3*i]); got != want {
				t.Errorf("vertex %d, edge %d: %v, want %v", k, i, got, want)
			}
		}
	}
}
