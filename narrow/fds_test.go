package narrow

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/meet"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// drift moves and rotates a body by lengths and angles from 1e-9 to 1e-2.
func drift(r *rand.Rand, p vec.Pose) vec.Pose {
	step := math.Pow(10, -2-7*r.Float64())
	p.Pos = p.Pos.AddScaled(step*r.Float64(), randomUnit(r))
	if r.IntN(3) != 0 {
		p.Rot = vec.FromRotationVector(randomUnit(r).Scale(step * r.Float64())).Mul(p.Rot).Normalized()
	}
	return p
}

// TestUpdatedIsInitial follows pairs in motion from contacts of every type and from random ones. At
// every step the updated detection must have the bits of the initial one, and the same contacts.
func TestUpdatedIsInitial(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	shapes := solids(t)
	v12 := pairsOfV12(t)
	s, fresh := NewSearch(), NewSearch()
	runs, steps := 400, 40
	if require.Quick() {
		runs = 40
	}
	var levels [NAnsweredBy]int
	bounds := 0
	for run := range runs {
		var a, b *soa.View
		var pa, pb vec.Pose
		if run%2 == 0 {
			from := v12[[]string{"hexahedra", "tetrahedra", "cut", "hulls"}[run/2%4]]
			p := posedAs(r, typesOfPairs[run/8%len(typesOfPairs)], from[r.IntN(2)], from[r.IntN(2)])
			a, b, pa, pb = p.a, p.b, p.pa, p.pb
		} else {
			a, b = shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
			pa, pb = placed(r, a, b, 0)
		}
		dtol := Dtol(a, b) * []float64{1, 1, 1e3}[r.IntN(3)]
		var list ContactList
		for step := range steps {
			var was Answer
			fresh.Exhaustive(a, pa, b, pb, math.Inf(1), &was)
			if step > 0 {
				pa, pb = drift(r, pa), drift(r, pb)
			}
			if r.IntN(2) == 0 && was.Exact {
				want := []float64{0, -1e-4, -1e-5, -1e-7, 1e-7, 5e-7, -1e-13, 1e-3, -3e-3}[r.IntN(9)]
				pb.Pos = pb.Pos.AddScaled(want-was.Gap, was.Normal)
			}
			modes := slices.Clone(list.Basic)
			var x, y Answer
			var initial ContactList
			s.in.FastDirect(a, pa, b, pb, 0, dtol, &list, &x)
			fresh.in.FastDirect(a, pa, b, pb, 0, dtol, &initial, &y)
			levels[x.AnsweredBy]++
			for i := range list.Basic {
				c := list.Basic[i]
				k := slices.IndexFunc(modes, func(d BasicContact) bool { return d.Type == c.Type && d.A == c.A && d.B == c.B })
				if k >= 0 && c.Mode != modes[k].Mode || k < 0 && c.Mode != Open {
					t.Fatalf("step %d: mode %v of %+v, before %+v", step, c.Mode, c, modes)
				}
				list.Basic[i].Mode = Open
			}
			if !x.Exact || !y.Exact {
				bounds++
				if x.Status != y.Status || list.Type != NoType || initial.Type != NoType {
					t.Fatalf("step %d:\n%+v %v\n%+v %v", step, x, list.Type, y, initial.Type)
				}
				continue
			}
			if !sameContacts(&x, &y, &list, &initial) {
				t.Fatalf("run %d, step %d, %d and %d vertices\n%+v %+v\nupdated %+v\n%v %+v\ninitial %+v\n%v %+v",
					run, step, a.NVerts, b.NVerts, pa, pb, x, list.Type, list.Basic, y, initial.Type, initial.Basic)
			}
			for i := range list.Basic {
				list.Basic[i].Mode = Mode(r.IntN(3))
			}
		}
	}
	t.Logf("answers by level %v, %d bounds", levels, bounds)
	if total := runs * steps; levels[ByFeature] < total/6 || levels[ByAxis] < total/20 || levels[BySearch] < total/10 {
		t.Errorf("levels %v: the motion does not try all ways", levels)
	}
}

// TestSwapOfFeatures tests the case in which the number of vertices near the contact plane
// misleads. A corner on a triangle, 1 and 3 vertices, slips over a side of the triangle, and an
// edge crosses the side, 2 and 2 vertices. The contact becomes two crossing edges: by identity, and
// by count because the corner is no longer on the face.
func TestSwapOfFeatures(t *testing.T) {
	a, b := solidTetra(t, 1), solidTetra(t, 0.5)
	onFace, onSide := slip(t, a, b)
	s := NewSearch()
	var truth, identity, count ContactList
	var out Answer
	dtol := Dtol(a, b)
	for i, pb := range []vec.Pose{onFace, onSide} {
		s.in.Direct(a, at(0, 0, 0), b, pb, 0, dtol, &truth, &out)
		want := []Type{TypeFaceVertex, TypeEdgeEdge}[i]
		if truth.Type != want || truth.Kept.Count != 4 {
			t.Fatalf("place %d is %v with %d vertices, expected %v with 4", i, truth.Type, truth.Kept.Count, want)
		}
		s.in.FastDirect(a, at(0, 0, 0), b, pb, 0, dtol, &identity, &out)
		if identity.Type != want || !sameFeatures(identity.Basic, truth.Basic) {
			t.Errorf("place %d by identity: %v %+v, expected %v", i, identity.Type, identity.Basic, want)
		}
		s.in.FastDirectPaper(a, at(0, 0, 0), b, pb, 0, dtol, &count, &out)
	}
	if count.Type != TypeEdgeEdge || out.AnsweredBy != ByWalk || s.in.Paper.Checks.FaceVertex == 0 {
		t.Errorf("by count: %v by %v, expected e-e by the local lists", count.Type, out.AnsweredBy)
	}
}

// slip returns two poses of B a small step apart: a corner of B on a face of A near a side, and an
// edge at that corner across the side.
func slip(t *testing.T, a, b *soa.View) (onFace, onSide vec.Pose) {
	t.Helper()
	r := rand.New(rand.NewPCG(43, 44))
	fa := featureOf(a, 2, 0, r)
	h := b.Edge[0]
	fb := featureOf(b, 2, 0, r)
	v := b.Vert(b.Tail[h])
	fb.At = v.AddScaled(0.04, fb.Along.Scale(math.Copysign(1, fb.Along.Dot(b.Vert(b.Head(h)).Sub(v)))))
	f := a.Face[a.Edge[0]]
	n := a.Normal(f)
	s := NewSearch()
	for spin := 0.1; spin < 6.2; spin += 0.1 {
		onSide = meet.Pose(fa, fb, spin)
		corner := onSide.Rot.Rotate(v).Add(onSide.Pos)
		onFace = onSide
		onFace.Pos = onFace.Pos.AddScaled(a.D[f]-n.Dot(corner), n).AddScaled(0.06, fa.At.AddScaled(-fa.At.Dot(n), n).Unit().Neg())
		var list ContactList
		var out Answer
		if s.in.Direct(a, at(0, 0, 0), b, onFace, 0, Dtol(a, b), &list, &out); list.Type == TypeFaceVertex && math.Abs(out.Gap) < 1e-12 {
			return onFace, onSide
		}
	}
	t.Fatal("no turn puts the corner on the face")
	return
}

// TestContactsEnd checks that a pair that separates loses its contacts, and that a pair that
// returns has new ones, which are open.
func TestContactsEnd(t *testing.T) {
	s := NewSearch()
	c := solidBox(t, 1, 1, 1)
	var list ContactList
	var out Answer
	z := []float64{1, 0.999, 1.2, 1.3, 0.9995}
	for i, z := range z {
		s.in.FastDirect(c, at(0, 0, 0), c, at(0.2, 0.1, z), 0, 1e-6, &list, &out)
		if want := z <= 1; (list.Type == TypeFaceFace) != want || (len(list.Basic) == 4) != want {
			t.Fatalf("at %g: %v %+v", z, list.Type, list.Basic)
		}
		if i == 3 && out.AnsweredBy != ByAxis {
			t.Errorf("apart for the second time: %v", out.AnsweredBy)
		}
		for k := range list.Basic {
			if want := Mode(0); i == 1 {
				want = Stick
				if list.Basic[k].Mode != want {
					t.Fatalf("at %g: %+v, expected to stick", z, list.Basic[k])
				}
			} else if list.Basic[k].Mode != want {
				t.Fatalf("at %g: %+v, expected to be open", z, list.Basic[k])
			}
			list.Basic[k].Mode = Stick
		}
	}
}

// TestDirectNoAnswer tests pairs without an answer or without features.
func TestDirectNoAnswer(t *testing.T) {
	s := NewSearch()
	c, ball, f := solidBox(t, 1, 1, 1), ballOf(t, 1), facetOf(t, vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0))
	for _, m := range contactMethods[:4] {
		var list ContactList
		var out Answer
		m.call(s, c, at(0, 0, 0), c, at(0, 0, 0.9), 1e-6, &list, &out)
		if m.call(s, c, at(math.NaN(), 0, 0), c, at(0, 0, 0.9), 1e-6, &list, &out); out.Status != Degenerate || list.Type != NoType || len(list.Basic) != 0 {
			t.Errorf("%s: %+v %+v", m.name, out, list)
		}
		for _, dtol := range []float64{0, -1, math.NaN()} {
			if m.call(s, c, at(0, 0, 0), c, at(0, 0.25, 1), dtol, &list, &out); list.Type != TypeFaceFace {
				t.Errorf("%s, tolerance %g: %v", m.name, dtol, list.Type)
			}
		}
		// Use a list of large shapes for small ones.
		big := geometryRock(t, 6, 128)
		m.call(s, big, at(0, 0, 0), big, at(0.5, 0.5, 1), 1e-6, &list, &out)
		m.call(s, c, at(0, 0, 0), c, at(0.5, 0, 0.99), 1e-6, &list, &out)
	}
	for m := SAT; m < NMethods; m++ {
		var mem Memory
		var out Answer
		s.By(m, c, at(0, 0, 0), c, at(0, 0, 0.9), 0, 1e-6, &mem, &out)
		if s.By(m, ball, at(0, 0, 0), c, at(0, 0, 1.25), 0, 1e-6, &mem, &out); out.Gap != -0.25 || mem.List.Type != NoType {
			t.Errorf("%v, a ball: %+v %+v", m, out, mem.List)
		}
		if s.By(m, f, at(0, 0, 0), f, at(0, 0, 0), 0, 1e-6, &mem, &out); out.Status != Degenerate {
			t.Errorf("%v, two facets: %+v", m, out)
		}
	}
}

// TestContactsOfOthers checks that a pair without features to type leaves the list empty.
func TestContactsOfOthers(t *testing.T) {
	s := NewSearch()
	c, ball := solidBox(t, 1, 1, 1), ballOf(t, 1)
	var touching, far, bound Answer
	s.Pair(c, at(0, 0, 0), c, at(0, 0, 0.9), 1, &touching)
	s.Pair(c, at(0, 0, 0), c, at(0, 0, 1.5), 1, &far)
	s.Pair(c, at(0, 0, 0), c, at(0, 0, 9), 1, &bound)
	for name, k := range map[string]struct {
		a      *soa.View
		z      float64
		answer Answer
		want   Type
	}{
		"touching": {c, 0.9, touching, TypeFaceFace}, "far": {c, 1.5, far, NoType}, "a bound": {c, 9, bound, NoType},
		"a ball": {ball, 0.9, touching, NoType}, "no answer": {c, 0.9, Answer{Status: NotConverged, Exact: true, Facet: touching.Facet}, NoType},
		"a pose that is none": {c, math.NaN(), touching, NoType},
	} {
		list := ContactList{Type: TypeVertexVertex, Basic: make([]BasicContact, 1)}
		if s.Contacts(k.a, at(0, 0, 0), c, at(0, 0, k.z), 1e-6, &k.answer, &list); list.Type != k.want || (len(list.Basic) != 0) != (k.want != NoType) {
			t.Errorf("%s: %v %+v", name, list.Type, list.Basic)
		}
	}
}

// TestDirectAllocs checks that no method allocates once the list has seen a pair.
func TestDirectAllocs(t *testing.T) {
	s := NewSearch()
	for name, shapes := range pairsOfV12(t) {
		for _, want := range typesOfPairs {
			p := posedAs(rand.New(rand.NewPCG(45, 46)), want, shapes[0], shapes[1])
			for _, m := range contactMethods {
				var list ContactList
				var out Answer
				dtol := Dtol(p.a, p.b)
				call := func() { m.call(s, p.a, p.pa, p.b, p.pb, dtol, &list, &out) }
				call()
				call()
				if k := testing.AllocsPerRun(5, call); k != 0 {
					t.Errorf("%s, %v, %s: %g allocations", name, want, m.name, k)
				}
			}
		}
	}
}
