package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/meet"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// featureOf returns feature k of a body. size is 1, 2 or 3: the dimension of the feature plus one.
func featureOf(v *soa.View, size, k int, r *rand.Rand) meet.Feature {
	return meet.Of(v, size, uint64(k), func(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() })
}

// placement is a pair with a contact of a given type.
type placement struct {
	want   Type
	a, b   *soa.View
	pa, pb vec.Pose
	n      vec.Vec3 // a direction that separates the pair, world axes
}

// posedAs draws features and rotations until the pair has a contact of the given type and no other
// contact.
func posedAs(r *rand.Rand, want Type, a, b *soa.View) placement {
	size := map[Type][2]int{
		TypeVertexVertex: {1, 1}, TypeVertexEdge: {1, 2}, TypeVertexFace: {1, 3}, TypeEdgeVertex: {2, 1}, TypeFaceVertex: {3, 1},
		TypeEdgeEdge: {2, 2}, TypeEdgeParallel: {2, 2}, TypeEdgeFace: {2, 3}, TypeFaceEdge: {3, 2}, TypeFaceFace: {3, 3},
	}[want]
	fa, fb := featureOf(a, size[0], r.IntN(1000), r), featureOf(b, size[1], r.IntN(1000), r)
	spin := 2 * math.Pi * r.Float64()
	switch want {
	case TypeEdgeEdge:
		spin = 0.3 + 1.2*r.Float64()
	case TypeEdgeParallel:
		spin = math.Pi * float64(r.IntN(2))
	}
	pb := meet.Pose(fa, fb, spin)
	// Rotate and move both together.
	q := randomRot(r)
	shift := randomUnit(r).Scale(3)
	pa := vec.Pose{Rot: q, Pos: shift}
	pb = vec.Pose{Rot: q.Mul(pb.Rot).Normalized(), Pos: shift.Add(q.Rotate(pb.Pos))}
	return placement{want, a, b, pa, pb, q.Rotate(fa.Out)}
}

// typesOfPairs holds the seven types, in both orders where the order matters.
var typesOfPairs = []Type{TypeVertexVertex, TypeVertexEdge, TypeVertexFace, TypeEdgeVertex, TypeFaceVertex, TypeEdgeEdge,
	TypeEdgeParallel, TypeEdgeFace, TypeFaceEdge, TypeFaceFace}

var swappedType = [NTypes]Type{TypeVertexVertex: TypeVertexVertex, TypeVertexEdge: TypeEdgeVertex, TypeVertexFace: TypeFaceVertex,
	TypeEdgeVertex: TypeVertexEdge, TypeFaceVertex: TypeVertexFace, TypeEdgeEdge: TypeEdgeEdge, TypeEdgeParallel: TypeEdgeParallel,
	TypeEdgeFace: TypeFaceEdge, TypeFaceEdge: TypeEdgeFace, TypeFaceFace: TypeFaceFace}

// cutBlocks returns a hexahedron cut in two by a slanting plane, and one of the halves cut again.
func cutBlocks(t testing.TB) []*soa.View {
	t.Helper()
	p, err := geometry.Box(1, 0.8, 0.6)
	if err != nil {
		t.Fatal(err)
	}
	below, above, err := p.Cut(vec.V(0.3, 0.2, 1).Unit(), 0.02)
	if err != nil {
		t.Fatal(err)
	}
	third, _, err := above.Cut(vec.V(1, 0.1, -0.2).Unit(), 0.05)
	return []*soa.View{solid(t, above, err), solid(t, below, err), solid(t, third, err)}
}

// pairsOfV12 returns the shapes for which V12 requires all types.
func pairsOfV12(t testing.TB) map[string][]*soa.View {
	return map[string][]*soa.View{
		"hexahedra": {solidBox(t, 1, 1, 1), solidBox(t, 1, 0.7, 0.5)}, "tetrahedra": {solidTetra(t, 1), hullOf(t, tetraPoints())},
		"cut": cutBlocks(t), "general": {frustum(t, 0.75), frustum(t, 0.6)}, "hulls": {box(t, 1, 1, 1), box(t, 0.5, 0.6, 0.7)},
	}
}

// frustum returns a hexahedron that is no box: its top is smaller than its bottom, and shifted.
func frustum(t testing.TB, top float64) *soa.View {
	t.Helper()
	var corners []vec.Vec3
	for i := range 8 {
		x, y, z := float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2)
		wide := 1 + z*(top-1)
		corners = append(corners, vec.V(x*wide+0.1*z, 0.75*y*wide, 0.5*z))
	}
	p, err := geometry.FromPoints("frustum", corners)
	return solid(t, p, err)
}

// samePlanes compares the points, normals and distances of two lists of the same features, of bodies
// of a size. They may differ by what a tilt within dtol makes.
func samePlanes(x, y []BasicContact, dtol, size float64) error {
	for i, c := range x {
		d := y[i]
		if c.Normal.Sub(d.Normal).Norm() > 8*dtol/size+1e-9 || math.Abs(c.Distance-d.Distance) > 2*dtol+1e-9*size ||
			c.Point.Sub(d.Point).Norm() > 8*dtol+1e-9*size {
			return fmt.Errorf("%+v\nexpected %+v", c, d)
		}
	}
	return nil
}

// incidences lists the basic contacts of two touching bodies by definition: all pairs of features
// within tol of each other. It lists larger features only if no smaller ones meet there.
func incidences(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, tol float64) []BasicContact {
	va, vb := worldVerts(a, pa.Rot, vec.Vec3{}), worldVerts(b, pb.Rot, pb.Pos.Sub(pa.Pos))
	var list []BasicContact
	note := func(kind Type, i, j int) { list = append(list, BasicContact{Type: kind, A: uint16(i), B: uint16(j)}) }
	for i, p := range va {
		for j, q := range vb {
			if p.Sub(q).Norm() <= tol {
				note(TypeVertexVertex, i, j)
			}
		}
	}
	on := func(p, q, q1 vec.Vec3) bool {
		return pointToSegment(p, q, q1) <= tol && p.Sub(q).Norm() > tol && p.Sub(q1).Norm() > tol
	}
	within := func(v *soa.View, verts []vec.Vec3, f int, p vec.Vec3) bool {
		for k := range v.LoopLen[f] {
			h := v.LoopFirst[f] + k
			if pointToSegment(p, verts[v.Tail[h]], verts[v.Head(h)]) <= tol {
				return false
			}
		}
		return faceDistance(v, verts, f, p) <= tol
	}
	for i, p := range va {
		for e, h := range b.Edge {
			if on(p, vb[b.Tail[h]], vb[b.Head(h)]) {
				note(TypeVertexEdge, i, e)
			}
		}
	}
	for i, p := range va {
		for g := range b.NFaces {
			if within(b, vb, g, p) {
				note(TypeVertexFace, i, g)
			}
		}
	}
	for e, h := range a.Edge {
		for j, q := range vb {
			if on(q, va[a.Tail[h]], va[a.Head(h)]) {
				note(TypeEdgeVertex, e, j)
			}
		}
	}
	for f := range a.NFaces {
		for j, q := range vb {
			if within(a, va, f, q) {
				note(TypeFaceVertex, f, j)
			}
		}
	}
	for e, h := range a.Edge {
		p, p1 := va[a.Tail[h]], va[a.Head(h)]
		for f, k := range b.Edge {
			q, q1 := vb[b.Tail[k]], vb[b.Head(k)]
			ends := min(pointToSegment(p, q, q1), pointToSegment(p1, q, q1), pointToSegment(q, p, p1), pointToSegment(q1, p, p1))
			if ends > tol && segments(p, p1, q, q1) <= tol {
				note(TypeEdgeEdge, e, f)
			}
		}
	}
	return list
}

func sameFeatures(x, y []BasicContact) bool {
	return slices.EqualFunc(x, y, func(c, d BasicContact) bool { return c.Type == d.Type && c.A == d.A && c.B == d.B })
}

// contactMethods holds the methods that keep a list; the updated ones run a second step.
var contactMethods = []struct {
	name string
	call func(s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, list *ContactList, out *Answer)
}{
	{"ds", func(s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, list *ContactList, out *Answer) {
		s.in.Direct(a, pa, b, pb, 0, dtol, list, out)
	}},
	{"fds initial", func(s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, list *ContactList, out *Answer) {
		list.Reset()
		s.in.FastDirect(a, pa, b, pb, 0, dtol, list, out)
	}},
	{"fds", func(s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, list *ContactList, out *Answer) {
		s.in.FastDirect(a, pa, b, pb, 0, dtol, list, out)
		s.in.FastDirect(a, pa, b, pb, 0, dtol, list, out)
	}},
	{"fds-paper", func(s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, list *ContactList, out *Answer) {
		s.in.FastDirectPaper(a, pa, b, pb, 0, dtol, list, out)
		s.in.FastDirectPaper(a, pa, b, pb, 0, dtol, list, out)
	}},
	{"exhaustive", func(s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, list *ContactList, out *Answer) {
		s.Exhaustive(a, pa, b, pb, math.Inf(1), out)
		s.Contacts(a, pa, b, pb, dtol, out, list)
	}},
	{"gjk-epa", func(s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, list *ContactList, out *Answer) {
		s.Resolve(a, pa, b, pb, math.Inf(1), out)
		s.Contacts(a, pa, b, pb, dtol, out, list)
	}},
}

// typed answers a placement by all methods, which must agree on type, normal and basic contacts.
func (p *placement) typed(t *testing.T, s *Search, dtol float64) (Answer, ContactList) {
	t.Helper()
	var first Answer
	var list ContactList
	for i, m := range contactMethods {
		var out Answer
		var l ContactList
		m.call(s, p.a, p.pa, p.b, p.pb, dtol, &l, &out)
		if l.Type != p.want {
			t.Fatalf("%s: type %v, expected %v\n%+v\n%+v\n%+v %+v", m.name, l.Type, p.want, l.Basic, out, p.pa, p.pb)
		}
		if i == 0 {
			first, list = out, l
			continue
		}
		if !sameFeatures(l.Basic, list.Basic) || l.Basic[0].Normal.Sub(list.Basic[0].Normal).Norm() > 1e-9 && m.name != "fds-paper" {
			t.Fatalf("%s: %+v\nbut ds %+v", m.name, l.Basic, list.Basic)
		}
		// As published, each contact has its own planes, which differ by a tilt within the tolerance.
		if err := samePlanes(l.Basic, list.Basic, dtol, min(p.a.Radius, p.b.Radius)); err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
	}
	return first, list
}

// TestTypes is V12: every type between hexahedra, tetrahedra and blocks cut from a hexahedron,
// touching to rounding, a little apart and a little overlapping. All methods must return the type
// placed, the normal, and the basic contacts of the definition.
func TestTypes(t *testing.T) {
	s := NewSearch()
	rounds := 12
	if require.Quick() {
		rounds = 3
	}
	for name, shapes := range pairsOfV12(t) {
		for _, want := range typesOfPairs {
			t.Run(fmt.Sprintf("%s/%v", name, want), func(t *testing.T) {
				r := rand.New(rand.NewPCG(31, uint64(want)))
				for range rounds {
					a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
					p := posedAs(r, want, a, b)
					dtol := Dtol(a, b)
					for _, off := range []float64{0, 1e-13, -1e-13, 0.1 * dtol, -0.1 * dtol} {
						q := p
						q.pb.Pos = q.pb.Pos.AddScaled(off, p.n)
						_, list := q.typed(t, s, dtol)
						if incident := incidences(a, q.pa, b, q.pb, dtol); !sameFeatures(list.Basic, incident) {
							t.Fatalf("off %g: contacts %+v\nexpected %+v\n%+v %+v", off, list.Basic, incident, q.pa, q.pb)
						}
						unique := want != TypeVertexVertex && want != TypeVertexEdge && want != TypeEdgeVertex && want != TypeEdgeParallel
						if n := list.Basic[0].Normal; unique && n.Sub(p.n).Norm() > 1e-9 || n.Dot(p.n) < 0.5 {
							t.Fatalf("off %g: normal %v, expected %v", off, n, p.n)
						}
						for _, c := range list.Basic {
							if math.Abs(c.Distance-off) > 1e-9 && unique || math.Abs(c.Distance) > 1.01*math.Abs(off)+1e-9 {
								t.Fatalf("off %g: %+v", off, c)
							}
						}
						// n_j of the paper: one pair for basic types, two for a segment, three or
						// more for an area.
						switch nj := len(list.Basic); want {
						case TypeFaceFace:
							if nj < 3 {
								t.Fatalf("%d contacts: %+v", nj, list.Basic)
							}
						case TypeEdgeParallel, TypeEdgeFace, TypeFaceEdge:
							if nj != 2 {
								t.Fatalf("%d contacts: %+v", nj, list.Basic)
							}
						default:
							if nj != 1 || list.Basic[0].Type != want {
								t.Fatalf("%d contacts: %+v", nj, list.Basic)
							}
						}
						q.checkSwapped(t, s, dtol, list)
					}
				}
			})
		}
	}
}

// checkSwapped answers B and A: the type, the normal and every contact must be reversed.
func (p *placement) checkSwapped(t *testing.T, s *Search, dtol float64, list ContactList) {
	t.Helper()
	var out Answer
	var back ContactList
	s.in.Direct(p.b, p.pb, p.a, p.pa, 0, dtol, &back, &out)
	if back.Type != swappedType[p.want] || len(back.Basic) != len(list.Basic) {
		t.Fatalf("swapped: %v %+v\nexpected %v %+v", back.Type, back.Basic, list.Type, list.Basic)
	}
	if back.Basic[0].Normal.Add(list.Basic[0].Normal).Norm() > 1e-9 {
		t.Fatalf("swapped: normal %v, expected that of %v turned round", back.Basic[0].Normal, list.Basic[0].Normal)
	}
	for _, c := range list.Basic {
		if !slices.ContainsFunc(back.Basic, func(d BasicContact) bool {
			return d.Type == swappedType[c.Type] && d.A == c.B && d.B == c.A && math.Abs(d.Distance-c.Distance) < 1e-9
		}) {
			t.Fatalf("swapped: no %+v in %+v", c, back.Basic)
		}
	}
}

// TestTypesScaled is TestTypes in other units: by a power of two to the bit, by powers of ten in
// type and contacts.
func TestTypesScaled(t *testing.T) {
	s := NewSearch()
	r := rand.New(rand.NewPCG(33, 34))
	for name, shapes := range pairsOfV12(t) {
		for _, want := range typesOfPairs {
			p := posedAs(r, want, shapes[0], shapes[1])
			dtol := Dtol(p.a, p.b)
			_, list := p.typed(t, s, dtol)
			for _, k := range []float64{0x1p-20, 0x1p30, 0x1p-400, 1e-6, 1e6} {
				q := p
				q.a, q.b = scaled(t, p.a, k), scaled(t, p.b, k)
				q.pa.Pos, q.pb.Pos = p.pa.Pos.Scale(k), p.pb.Pos.Scale(k)
				_, big := q.typed(t, s, dtol*k)
				if !sameFeatures(big.Basic, list.Basic) {
					t.Fatalf("%s %v, times %g: %+v\nexpected %+v", name, want, k, big.Basic, list.Basic)
				}
				if frac, _ := math.Frexp(k); frac != 0.5 {
					continue
				}
				for i, c := range list.Basic {
					c.Point, c.Distance = c.Point.Scale(k), c.Distance*k
					if big.Basic[i] != c {
						t.Fatalf("%s %v, times %g: %+v\nexpected %+v", name, want, k, big.Basic[i], c)
					}
				}
			}
		}
	}
}

// TestTypesDeep checks that depth changes neither type nor normal if one facet is clearly the
// shallowest and the contact is well inside it.
func TestTypesDeep(t *testing.T) {
	s := NewSearch()
	r := rand.New(rand.NewPCG(35, 36))
	for _, shapes := range pairsOfV12(t) {
		for _, want := range []Type{TypeVertexFace, TypeFaceVertex, TypeEdgeEdge, TypeEdgeFace, TypeFaceEdge, TypeFaceFace} {
			for range 8 {
				p := posedAs(r, want, shapes[r.IntN(2)], shapes[r.IntN(2)])
				p.pb.Pos = p.pb.Pos.AddScaled(-1e-4, p.n)
				out, list := p.typed(t, s, Dtol(p.a, p.b))
				if math.Abs(out.Gap+1e-4) > 1e-12 || list.Basic[0].Normal.Sub(p.n).Norm() > 1e-9 {
					t.Fatalf("%v: gap %g, normal %v, expected %v", want, out.Gap, list.Basic[0].Normal, p.n)
				}
			}
		}
	}
}

// TestParallelBorder rotates crossing edges through an angle of one degree.
func TestParallelBorder(t *testing.T) {
	s := NewSearch()
	c := solidBox(t, 1, 1, 1)
	r := rand.New(rand.NewPCG(37, 38))
	fa, fb := featureOf(c, 2, 0, r), featureOf(c, 2, 5, r)
	for _, k := range []struct {
		degrees float64
		want    Type
	}{{0.5, TypeEdgeParallel}, {0.99, TypeEdgeParallel}, {1.01, TypeEdgeEdge}, {179.5, TypeEdgeParallel}, {178.9, TypeEdgeEdge}} {
		p := placement{want: k.want, a: c, b: c, pa: at(0, 0, 0), pb: meet.Pose(fa, fb, k.degrees*math.Pi/180)}
		if _, list := p.typed(t, s, Dtol(c, c)); len(list.Basic) != 1 || list.Basic[0].Type != TypeEdgeEdge {
			t.Errorf("%g degrees: %+v, expected one crossing", k.degrees, list.Basic)
		}
	}
}

// TestDtolDecides tilts a brick: by less than the tolerance it stands on its face, by more on an
// edge.
func TestDtolDecides(t *testing.T) {
	s := NewSearch()
	c := solidBox(t, 1, 1, 1)
	for _, k := range []struct {
		tilt float64
		want Type
	}{{0, TypeFaceFace}, {5e-7, TypeFaceFace}, {2e-6, TypeFaceEdge}, {1e-3, TypeFaceEdge}} {
		// The brick rotates about its lower edge at y = 0.2, which stays on A's face.
		q := vec.FromRotationVector(vec.V(k.tilt, 0, 0))
		pb := vec.Pose{Rot: q, Pos: vec.V(0.1, -0.3, 0.5).Sub(q.Rotate(vec.V(0, -0.5, -0.5)))}
		p := placement{want: k.want, a: c, b: c, pa: at(0, 0, 0), pb: pb}
		p.typed(t, s, Dtol(c, c))
	}
}

// TestEdgeAcrossFace: a leaning brick touches the end face of its neighbour with one edge, which crosses
// this face from side to side, below its upper edge. Half-way between the two faces there is a plane next
// to both upper edges, but these lie beside each other. So the type is of a face and an edge, with a
// contact on either side of the face; see docs/pairs.md.
func TestEdgeAcrossFace(t *testing.T) {
	brick := solidBox(t, 1, 0.5, 0.5)
	dtol := Dtol(brick, brick)
	s := NewSearch()
	for _, lean := range []float64{2e-5, 1.2e-4, 1e-3} { // rad about y
		for _, below := range []float64{10 * dtol, 200 * dtol} {
			for _, deep := range []float64{-0.3 * dtol, 0.3 * dtol, 12 * dtol} {
				edge := vec.V(-0.5, 0, 0.25) // the middle of the edge, in the brick
				twist := 0.02 * dtol / 0.5   // so little deeper is one end
				pb := vec.Pose{Rot: vec.FromRotationVector(vec.V(0, -lean, twist))}
				pb.Pos = vec.V(0.5-deep, 0, 0.25-below).Sub(pb.Rot.Rotate(edge))
				for _, m := range []Method{DS, FDS, FDSPaper} {
					var out Answer
					var mem Memory
					s.By(m, brick, vec.IdentityPose, brick, pb, 0, dtol, &mem, &out)
					if mem.List.Type != TypeFaceEdge || len(mem.List.Basic) != 2 {
						t.Fatalf("%v, lean %g, below %g, deep %g: %v %+v", m, lean, below, deep, mem.List.Type, mem.List.Basic)
					}
					for _, c := range mem.List.Basic {
						if c.Type != TypeEdgeVertex || math.Abs(c.Distance+deep) > 0.02*dtol || math.Abs(c.Point.Z-(0.25-below)) > 0.01*dtol {
							t.Fatalf("%v, lean %g, below %g, deep %g: %+v", m, lean, below, deep, c)
						}
					}
				}
			}
		}
	}
}
