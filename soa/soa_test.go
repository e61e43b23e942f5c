package soa

import (
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/scree-dem/scree/vec"
)

// tetra returns a tetrahedron with a right-angled corner 0, written by hand: faces z=0, y=0, x=0
// and the slanted one.
func tetra(scale float64) *Template {
	s := 1 / math.Sqrt(3)
	return &Template{
		Kind: Block, Name: "tetra", Radius: scale, Inner: 0,
		Verts:     []vec.Vec3{{}, {X: scale}, {Y: scale}, {Z: scale}},
		Normals:   []vec.Vec3{{Z: -1}, {Y: -1}, {X: -1}, {X: s, Y: s, Z: s}},
		Offsets:   []float64{0, 0, 0, s * scale},
		LoopFirst: []HalfEdge{0, 3, 6, 9, 12},
		Tail:      []Vertex{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3},
		//        h: 0:0→2 1:2→1 2:1→0 | 3:0→1 4:1→3 5:3→0 | 6:0→3 7:3→2 8:2→0 | 9:1→2 10:2→3 11:3→1
		Twin: []HalfEdge{8, 9, 3, 2, 11, 6, 5, 10, 0, 1, 7, 4},
	}
}

// fan returns a pyramid over a polygon of n corners: many vertices, one of them of high degree.
func fan(n int) *Template {
	t := &Template{Kind: Block, Name: "fan", Radius: 1, LoopFirst: []HalfEdge{0}}
	for k := range n {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		t.Verts = append(t.Verts, vec.V(c, s, 0))
	}
	t.Verts = append(t.Verts, vec.V(0, 0, 1))
	var loops [][]Vertex
	var base []Vertex
	for k := range n {
		base = append(base, Vertex(n-1-k))
		loops = append(loops, []Vertex{Vertex(k), Vertex((k + 1) % n), Vertex(n)})
	}
	loops = append(loops, base)
	type edge struct{ a, b Vertex }
	at := map[edge]HalfEdge{}
	for _, l := range loops {
		a, b := t.Verts[l[1]].Sub(t.Verts[l[0]]), t.Verts[l[2]].Sub(t.Verts[l[0]])
		normal := a.Cross(b).Unit()
		t.Normals = append(t.Normals, normal)
		t.Offsets = append(t.Offsets, normal.Dot(t.Verts[l[0]]))
		for i, k := range l {
			at[edge{k, l[(i+1)%len(l)]}] = HalfEdge(len(t.Tail))
			t.Tail = append(t.Tail, k)
		}
		t.LoopFirst = append(t.LoopFirst, HalfEdge(len(t.Tail)))
	}
	t.Twin = make([]HalfEdge, len(t.Tail))
	for e, h := range at {
		t.Twin[h] = at[edge{e.b, e.a}]
	}
	return t
}

func add(t testing.TB, s *Shapes, tmpl *Template) Shape {
	t.Helper()
	h, err := s.Add(tmpl)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestPad(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 8, 7: 8, 8: 8, 9: 16, 64: 64} {
		if got := Pad(n); got != want {
			t.Errorf("Pad(%d) = %d, want %d", n, got, want)
		}
	}
}

// isAligned reports whether a column is empty or starts on an Alignment boundary.
func isAligned(c []float64) bool {
	return len(c) == 0 || uintptr(unsafe.Pointer(unsafe.SliceData(c)))%Alignment == 0
}

// TestColumnsAreAligned grows columns in every way and checks addresses and contents.
func TestColumnsAreAligned(t *testing.T) {
	for n := range 70 {
		c := Float64s(n)
		if len(c) != n || !isAligned(c) {
			t.Fatalf("Float64s(%d): length %d, aligned %v", n, len(c), isAligned(c))
		}
		for m := range 150 {
			c := Float64s(n)
			for i := range c {
				c[i] = float64(i + 1)
			}
			d := Resize(c, m)
			if len(d) != m || !isAligned(d) {
				t.Fatalf("from %d to %d: length %d, aligned %v", n, m, len(d), isAligned(d))
			}
			for i, v := range d {
				if want := float64(i + 1); (i < n && v != want) || (i >= n && v != 0) {
					t.Fatalf("from %d to %d: value %d is %g", n, m, i, v)
				}
			}
			// Values that were cut off must not reappear.
			if n > 0 {
				if e := Resize(Resize(d, 0), n); e[0] != 0 || e[n-1] != 0 {
					t.Fatalf("from %d to %d to 0 to %d: old values", n, m, n)
				}
			}
		}
	}
	if c := Float64s(64); isAligned(c[1:]) || !isAligned(c[8:]) {
		t.Error("Aligned does not look at the address")
	}
}

// TestLongColumnsAreStaggered checks that the columns of bodies do not compete for the same place
// of the cache, as they would if each column started at a page.
func TestLongColumnsAreStaggered(t *testing.T) {
	var b Bodies
	b.Resize(staggerPeriod / 4)
	starts, columns := map[uintptr]int{}, 0
	floats(reflect.ValueOf(&b).Elem(), "Bodies", func(_ string, c []float64) {
		starts[uintptr(unsafe.Pointer(&c[0]))%staggerPeriod]++
		columns++
	})
	if columns < 30 || len(starts) < columns/2 {
		t.Errorf("%d columns start at %d places of a page, expected most at one of their own", columns, len(starts))
	}
}

// floats calls visit for all []float64 in a struct, with their names.
func floats(v reflect.Value, name string, visit func(name string, c []float64)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				floats(v.Field(i), name+"."+v.Type().Field(i).Name, visit)
			}
		}
	case reflect.Slice:
		if c, ok := v.Interface().([]float64); ok {
			visit(name, c)
		}
	}
}

func TestAllFloatColumnsAreAligned(t *testing.T) {
	var bodies Bodies
	var contacts Contacts
	var pairs Pairs
	var pieces Pieces
	var shapes Shapes
	for n := range 40 {
		bodies.Resize(3 * n)
		contacts.Resize(5 * n)
		pairs.Resize(7 * n)
		pieces.Add(Body(n), Block, 0, 0, vec.IdentityPose)
		add(t, &shapes, fan(3+n))
		add(t, &shapes, &Template{Kind: Ball, Name: "ball", Radius: 1})
		for name, c := range map[string]any{"Bodies": bodies, "Contacts": contacts, "Pairs": pairs, "Pieces": pieces} {
			floats(reflect.ValueOf(c), name, func(name string, c []float64) {
				if !isAligned(c) {
					t.Fatalf("%s is not aligned at n = %d", name, n)
				}
			})
		}
		for h := range shapes.Len() {
			v := shapes.View(Shape(h))
			for i, c := range [][]float64{v.X, v.Y, v.Z, v.NX, v.NY, v.NZ, v.D} {
				if !isAligned(c) || len(c)%Lanes != 0 {
					t.Fatalf("column %d of shape %d of %d: length %d, aligned %v", i, h, shapes.Len(), len(c), isAligned(c))
				}
			}
		}
	}
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"body", RowBytes[Bodies]("Mass", "Inertia", "Centre", "Name", "ID", "Gone", "FirstPiece"), BodyBytes},
		{"pair", RowBytes[Pairs](), PairBytes},
		{"contact", RowBytes[Contacts](), ContactBytes},
		{"forces", RowBytes[Forces](), ForceBytes}, // a history of three values is as large as a slice
		{"proof", RowBytes[Contacts]("Pair", "Normal", "Gap", "Location", "Prism", "PrismHolds", "PrismCoplanars", "Active", "AnsweredBy"), ProofBytes},
	} {
		if c.got != c.want {
			t.Errorf("a %s costs %d bytes by its columns, %d by its constant", c.name, c.got, c.want)
		}
	}
}

func TestBodiesResize(t *testing.T) {
	var b Bodies
	b.Resize(3)
	b.Rot.Set(1, vec.Quat{X: 1})
	b.Resize(10)
	if b.Len() != 10 || len(b.FirstPiece) != 11 || b.Rot.At(1) != (vec.Quat{X: 1}) || b.Rot.At(9) != vec.Identity || b.Pose(0) != vec.IdentityPose {
		t.Errorf("after growth: %d bodies, rotations %v %v", b.Len(), b.Rot.At(1), b.Rot.At(9))
	}
	b.Resize(1)
	b.Resize(2)
	if b.Rot.At(1) != vec.Identity {
		t.Errorf("a body that comes after one that went has the rotation %v", b.Rot.At(1))
	}
}

func TestPiecePose(t *testing.T) {
	var b Bodies
	var p Pieces
	b.Resize(1)
	b.Pos.Set(0, vec.V(1, 2, 3))
	b.Rot.Set(0, vec.Quat{Z: 1}) // half a turn about z
	whole := p.Add(0, Block, 0, 0, vec.IdentityPose)
	local := vec.Pose{Pos: vec.V(1, 0, 0), Rot: vec.Identity}
	part := p.Add(0, Ball, 1, 2, local)
	if p.Len() != 2 || p.Offset[whole] || !p.Offset[part] || p.Extent.Len() != 2 {
		t.Errorf("pieces: %+v", p)
	}
	if got := p.Pose(&b, whole); got != b.Pose(0) {
		t.Errorf("pose of the whole %v", got)
	}
	if got := p.Pose(&b, part).Pos; got != vec.V(0, 2, 3) {
		t.Errorf("pose of the part %v", got)
	}
}

func TestFacetIDBefore(t *testing.T) {
	order := []FacetID{
		{Kind: NoFacet}, {Kind: FaceVertex}, {Kind: FaceVertex, B: 9}, {Kind: FaceVertex, A: 1}, {Kind: VertexFace}, {Kind: EdgeEdge},
		{Kind: VertexVertex}, {Kind: VertexEdge}, {Kind: EdgeVertex},
	}
	for i, f := range order {
		for j, g := range order {
			if f.Before(g) != (i < j) {
				t.Errorf("%v before %v: %v", f, g, f.Before(g))
			}
		}
	}
}
