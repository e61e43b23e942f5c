package soa

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// support returns the support as a kernel computes it: the first of the largest, over all lanes
// including pads.
func support(v *View, d vec.Vec3) int {
	at, most := 0, math.Inf(-1)
	for k := range v.X {
		if s := d.Dot(vec.V(v.X[k], v.Y[k], v.Z[k])); s > most {
			at, most = k, s
		}
	}
	return at
}

// deepest returns the face whose plane the point is farthest outside of, over all lanes including
// pads.
func deepest(v *View, p vec.Vec3) int {
	at, most := 0, math.Inf(-1)
	for f := range v.D {
		if s := p.Dot(vec.V(v.NX[f], v.NY[f], v.NZ[f])) - v.D[f]; s > most {
			at, most = f, s
		}
	}
	return at
}

// directions returns a few directions that reach every vertex, and would select pads if these could
// win.
func directions() []vec.Vec3 {
	var d []vec.Vec3
	for x := -3.0; x <= 3; x++ {
		for y := -3.0; y <= 3; y++ {
			for z := -3.0; z <= 3; z++ {
				d = append(d, vec.V(x, y, z), vec.V(x*1e150, y*1e150, z*1e150), vec.V(x*1e-300, y, z))
			}
		}
	}
	return d
}

// TestPadsAreInert checks over all lanes that no pad wins. Then it breaks one pad, which must win:
// so the check is effective.
func TestPadsAreInert(t *testing.T) {
	for _, tmpl := range []*Template{tetra(1), fan(3), fan(7), fan(8), fan(12)} {
		var s Shapes
		add(t, &s, fan(5))
		h := add(t, &s, tmpl)
		add(t, &s, fan(9))
		v := s.View(h)
		scan := func() (verts, faces int) {
			for _, d := range directions() {
				if support(v, d) >= v.NVerts {
					verts++
				}
				if deepest(v, d) >= v.NFaces {
					faces++
				}
			}
			return verts, faces
		}
		if verts, faces := scan(); verts != 0 || faces != 0 {
			t.Errorf("%d vertices: a pad won %d support scans and %d plane scans", v.NVerts, verts, faces)
		}
		if len(v.X) > v.NVerts {
			old := v.X[v.NVerts]
			v.X[v.NVerts] = 100
			if verts, _ := scan(); verts == 0 {
				t.Errorf("%d vertices: a broken vertex pad was not seen", v.NVerts)
			}
			v.X[v.NVerts] = old
		}
		if len(v.D) > v.NFaces {
			v.D[v.NFaces] = -100
			if _, faces := scan(); faces == 0 {
				t.Errorf("%d faces: a broken plane pad was not seen", v.NFaces)
			}
			v.D[v.NFaces] = math.MaxFloat64
		}
	}
}

// TestViewsFollowGrowth adds many shapes and checks every view after each Add.
func TestViewsFollowGrowth(t *testing.T) {
	var s Shapes
	var want []*Template
	for n := range 60 {
		tmpl := fan(3 + n%17)
		switch n % 5 {
		case 2:
			tmpl = &Template{Kind: Plane, Name: "plane"}
		case 3:
			tmpl = &Template{Kind: Ball, Name: "ball", Radius: float64(n)}
		case 4:
			tmpl = tetra(float64(n))
		}
		add(t, &s, tmpl)
		want = append(want, tmpl)
		for h, w := range want {
			v := s.View(Shape(h))
			if v.Kind != w.Kind || v.NVerts != len(w.Verts) || v.NFaces != len(w.Normals) || v.Radius != w.Radius {
				t.Fatalf("shape %d of %d: %d vertices, %d faces", h, len(want), v.NVerts, v.NFaces)
			}
			o := s.rows[h].at
			for k, p := range w.Verts {
				if v.Vert(Vertex(k)) != p || s.Verts.At(o.vert+k) != p {
					t.Fatalf("shape %d of %d: vertex %d is %v, want %v", h, len(want), k, v.Vert(Vertex(k)), p)
				}
			}
			for f, p := range w.Normals {
				if v.Normal(Face(f)) != p || v.D[f] != w.Offsets[f] {
					t.Fatalf("shape %d of %d: face %d is %v %g", h, len(want), f, v.Normal(Face(f)), v.D[f])
				}
			}
			// The view must be on the arena's present columns, not on old copies.
			if !v.sameColumns(s.view(s.rows[h])) {
				t.Fatalf("shape %d of %d: its view shows an old column", h, len(want))
			}
			if !slices.Equal(v.Tail, w.Tail) || !slices.Equal(v.Twin, w.Twin) {
				t.Fatalf("shape %d of %d: half-edges differ", h, len(want))
			}
		}
	}
}

// TestViewsFollowOneColumn makes each column in turn the only one that an Add moves.
func TestViewsFollowOneColumn(t *testing.T) {
	columns := map[string]func(s *Shapes){
		"x": func(s *Shapes) { s.Verts.X = slices.Clip(s.Verts.X) }, "y": func(s *Shapes) { s.Verts.Y = slices.Clip(s.Verts.Y) },
		"z": func(s *Shapes) { s.Verts.Z = slices.Clip(s.Verts.Z) }, "nx": func(s *Shapes) { s.Planes.N.X = slices.Clip(s.Planes.N.X) },
		"ny": func(s *Shapes) { s.Planes.N.Y = slices.Clip(s.Planes.N.Y) }, "nz": func(s *Shapes) { s.Planes.N.Z = slices.Clip(s.Planes.N.Z) },
		"d": func(s *Shapes) { s.Planes.D = slices.Clip(s.Planes.D) }, "loopFirst": func(s *Shapes) { s.loopFirst = slices.Clip(s.loopFirst) },
		"loopLen": func(s *Shapes) { s.loopLen = slices.Clip(s.loopLen) }, "ringFirst": func(s *Shapes) { s.ringFirst = slices.Clip(s.ringFirst) },
		"ringLen": func(s *Shapes) { s.ringLen = slices.Clip(s.ringLen) }, "ring": func(s *Shapes) { s.ring = slices.Clip(s.ring) },
		"tail": func(s *Shapes) { s.tail = slices.Clip(s.tail) }, "twin": func(s *Shapes) { s.twin = slices.Clip(s.twin) },
		"face": func(s *Shapes) { s.face = slices.Clip(s.face) }, "edge": func(s *Shapes) { s.edge = slices.Clip(s.edge) },
	}
	for name, clip := range columns {
		var s Shapes
		for range 5 {
			add(t, &s, fan(40))
		}
		clip(&s)
		add(t, &s, tetra(1))
		for h := range 5 {
			if !s.View(Shape(h)).sameColumns(s.view(s.rows[h])) {
				t.Errorf("%s moved, shape %d shows the old one", name, h)
			}
		}
	}
}

// TestAdjacency checks twins, loops, rings and edges of shapes with vertices of every degree.
func TestAdjacency(t *testing.T) {
	var s Shapes
	for _, tmpl := range []*Template{tetra(1), fan(3), fan(4), fan(40)} {
		v := s.View(add(t, &s, tmpl))
		if 2*len(v.Edge) != len(v.Tail) || v.NVerts-len(v.Edge)+v.NFaces != 2 {
			t.Errorf("%d vertices, %d edges, %d faces", v.NVerts, len(v.Edge), v.NFaces)
		}
		for i, h := range v.Edge {
			if h >= v.Twin[h] || (i > 0 && h <= v.Edge[i-1]) {
				t.Errorf("edge %d is half-edge %d with twin %d", i, h, v.Twin[h])
			}
		}
		for h := range v.Tail {
			h := HalfEdge(h)
			next := v.Next(h)
			if v.Face[next] != v.Face[h] || v.Tail[next] != v.Head(h) || v.Twin[v.Twin[h]] != h || v.Head(v.Twin[h]) != v.Tail[h] {
				t.Errorf("half-edge %d: next %d, twin %d", h, next, v.Twin[h])
			}
		}
		rows := HalfEdge(0)
		for k := range v.NVerts {
			if v.RingFirst[k] != rows {
				t.Errorf("ring of vertex %d begins at %d, want %d", k, v.RingFirst[k], rows)
			}
			rows += v.RingLen[k]
			ring := v.Ring[v.RingFirst[k]:rows]
			if slices.Min(ring) != ring[0] {
				t.Errorf("ring of vertex %d begins with %d, not with its lowest", k, ring[0])
			}
			for i, h := range ring {
				if int(v.Tail[h]) != k || v.Next(v.Twin[h]) != ring[(i+1)%len(ring)] {
					t.Errorf("ring of vertex %d: half-edge %d", k, h)
				}
			}
			checkTurn(t, v, k, ring)
		}
		if int(rows) != len(v.Tail) {
			t.Errorf("rings hold %d half-edges of %d", rows, len(v.Tail))
		}
		for k := v.NVerts; k < len(v.RingLen); k++ {
			if v.RingLen[k] != 0 {
				t.Errorf("pad %d has a ring of %d", k, v.RingLen[k])
			}
		}
	}
}

// checkTurn fails unless the edges of a ring are clockwise seen from outside: the face on the left
// of h is on the right of the previous one.
func checkTurn(t *testing.T, v *View, k int, ring []HalfEdge) {
	t.Helper()
	for i, h := range ring {
		g := ring[(i+1)%len(ring)]
		a := v.Vert(v.Head(h)).Sub(v.Vert(Vertex(k)))
		b := v.Vert(v.Head(g)).Sub(v.Vert(Vertex(k)))
		if n := v.Normal(v.Face[g]); v.Face[g] != v.Face[v.Twin[h]] || n.Dot(b.Cross(a)) <= 0 {
			t.Errorf("vertex %d: from half-edge %d to %d the ring turns the wrong way", k, h, g)
		}
	}
}

func TestAddRefuses(t *testing.T) {
	for name, spoil := range map[string]func(t *Template){
		"fewVertices":   func(t *Template) { t.Verts = t.Verts[:2] },
		"manyVertices":  func(t *Template) { t.Verts = make([]vec.Vec3, MaxVerts+1) },
		"offsets":       func(t *Template) { t.Offsets = t.Offsets[:1] },
		"loops":         func(t *Template) { t.LoopFirst = t.LoopFirst[:3] },
		"loopsShort":    func(t *Template) { t.LoopFirst[4] = 11 },
		"loopsStart":    func(t *Template) { t.LoopFirst[0] = 1 },
		"loopOfTwo":     func(t *Template) { t.LoopFirst[1] = 2 },
		"loopsBack":     func(t *Template) { t.LoopFirst[1], t.LoopFirst[2] = t.LoopFirst[2], t.LoopFirst[1] },
		"twins":         func(t *Template) { t.Twin = t.Twin[:10] },
		"twinOfItself":  func(t *Template) { t.Twin[0] = 0 },
		"twinOneWay":    func(t *Template) { t.Twin[0] = 5 },
		"twinBeyond":    func(t *Template) { t.Twin[0] = 99 },
		"tailBeyond":    func(t *Template) { t.Tail[0] = 4 },
		"twinElsewhere": func(t *Template) { t.Twin[0], t.Twin[8], t.Twin[1], t.Twin[9] = 9, 1, 8, 0 },
		"halfEdges":     func(t *Template) { t.Tail, t.Twin = t.Tail[:11], t.Twin[:11] },
	} {
		t.Run(name, func(t *testing.T) {
			var s Shapes
			tmpl := tetra(1)
			spoil(tmpl)
			if _, err := s.Add(tmpl); !errors.Is(err, ErrShape) {
				t.Errorf("got %v, want ErrShape", err)
			}
			if s.Len() != 0 || s.Verts.Len() != 0 {
				t.Error("a refused shape left rows behind")
			}
		})
	}
}

func TestKindString(t *testing.T) {
	for k, want := range map[Kind]string{Ball: "ball", Block: "block", Facet: "facet", Plane: "plane", 200: "kind 200"} {
		if k.String() != want {
			t.Errorf("kind %d is %q", uint8(k), k)
		}
	}
}
