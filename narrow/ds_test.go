package narrow

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// solid returns a shape as users have it, with an inscribed ball and caps, which the hulls of the
// tests lack.
func solid(t testing.TB, p *geometry.Polyhedron, err error) *soa.View {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var s soa.Shapes
	id, err := s.Add(p.Template())
	if err != nil {
		t.Fatal(err)
	}
	return s.View(id)
}

func solidBox(t testing.TB, x, y, z float64) *soa.View {
	p, err := geometry.Box(x, y, z)
	return solid(t, p, err)
}

func solidTetra(t testing.TB, edge float64) *soa.View {
	p, err := geometry.Tetra(edge)
	return solid(t, p, err)
}

// solids returns the shapes of the tests of the direct searches: the menagerie, without inscribed
// balls, and some shapes as in a scene.
func solids(t testing.TB) []*soa.View {
	_, shapes := menagerie(t)
	return append(shapes, solidBox(t, 1, 1, 1), solidBox(t, 1, 0.5, 0.25), solidTetra(t, 1.5), geometryRock(t, 3, 8),
		geometryRock(t, 4, 20), geometryRock(t, 5, 40))
}

// sameContacts compares two results: the answers, to the bit if both are exact, the types and the
// basic contacts.
func sameContacts(x, y *Answer, lx, ly *ContactList) bool {
	if x.Exact && y.Exact && (x.Gap != y.Gap || x.Normal != y.Normal || x.Facet != y.Facet || x.ArmA != y.ArmA || x.ArmB != y.ArmB) {
		return false
	}
	return x.Status == y.Status && lx.Type == ly.Type && slices.Equal(lx.Basic, ly.Basic)
}

// checkDirect compares the direct search and both kinds of the fast one with the exhaustive search
// and the oracle's gap.
func checkDirect(t *testing.T, s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, truth, reach, dtol float64) (direct Answer, ld ContactList) {
	t.Helper()
	size := max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).Norm()/2)
	var want, initial Answer
	var li ContactList
	s.Exhaustive(a, pa, b, pb, math.Inf(1), &want)
	s.in.Direct(a, pa, b, pb, 0, dtol, &ld, &direct)
	s.in.FastDirect(a, pa, b, pb, reach, dtol, &li, &initial)
	fail := func(what string) {
		t.Helper()
		t.Fatalf("%s\nA %d vertices %+v\nB %d vertices %+v\nexhaustive %+v\ndirect %+v\n%v %+v\nfast %+v\n%v %+v",
			what, a.NVerts, pa, b.NVerts, pb, want, direct, ld.Type, ld.Basic, initial, li.Type, li.Basic)
	}
	if judge(a, pa, b, pb, truth, size, &want) != nil {
		return // FuzzPair tests these pairs
	}
	if err := judge(a, pa, b, pb, truth, size, &direct); err != nil {
		fail("direct: " + err.Error())
	}
	if direct.Facet == want.Facet && direct != want {
		fail("one facet, two answers")
	}
	if initial.Exact {
		if !sameContacts(&direct, &initial, &ld, &li) {
			fail("direct and fast differ")
		}
	} else if !(initial.Status == Separated && initial.Gap > max(reach, dtol) && initial.Gap <= truth+1e-12*size) || li.Type != NoType {
		fail("not a bound")
	}
	if (direct.Gap <= max(dtol, pair.CloseTol*size)) != (ld.Type != NoType) || (ld.Type == NoType) != (len(ld.Basic) == 0) {
		fail("contacts")
	}
	checkBasic(t, a, pa, b, pb, dtol, &direct, &ld)
	return direct, ld
}

// checkBasic checks the contacts of any pair: the points lie on the features, the distance is the
// one along the normal, and the order is by type, A, B.
func checkBasic(t *testing.T, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, out *Answer, l *ContactList) {
	t.Helper()
	size := max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).Norm()/2)
	for i, c := range l.Basic {
		if i > 0 && !l.Basic[i-1].Before(&l.Basic[i]) {
			t.Fatalf("contacts out of order: %+v", l.Basic)
		}
		if c.Normal != l.Basic[0].Normal || math.Abs(c.Normal.Norm()-1) > 1e-14 {
			t.Fatalf("normals: %+v", l.Basic)
		}
		// Points lie on the planes of A and B up to the tolerance and the depth.
		slack := 2*dtol + 2*math.Abs(out.Gap) + 1e-11*size
		if e := math.Abs(outside(a, pa.Rot.RotateInv(c.Point))); e > slack {
			t.Fatalf("point of %v is %g off A, gap %g; %+v\n%+v", c, e, out.Gap, *l, *out)
		}
		q := c.Point.AddScaled(c.Distance, c.Normal).Sub(pb.Pos.Sub(pa.Pos))
		if e := math.Abs(outside(b, pb.Rot.RotateInv(q))); e > slack {
			t.Fatalf("point of %v is %g off B, gap %g; %+v\n%+v", c, e, out.Gap, *l, *out)
		}
	}
}

// oracleGap returns the oracle's gap. bruteGap is faster, but errs between nearly parallel edges.
func oracleGap(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) float64 {
	return oracle.Gap(oracle.FromView(a, pa, pa.Pos), oracle.FromView(b, pb, pa.Pos)).Gap
}

// TestDirectRandom compares the direct searches with the exhaustive one and the oracle at every
// kind of gap.
func TestDirectRandom(t *testing.T) {
	shapes := solids(t)
	r := rand.New(rand.NewPCG(21, 22))
	s := NewSearch()
	n := require.Rounds(400, 500, 900)
	touching := 0
	for range n {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		want := []float64{0, 0, 1e-13, -1e-13, 1e-9, -1e-9, 3e-7, 1e-5, -1e-4, -0.01, -0.2, 0.01, 0.105, 0.3}[r.IntN(14)]
		pa, pb := placed(r, a, b, want)
		if r.IntN(3) == 0 {
			shift := randomUnit(r).Scale(1e3)
			pa.Pos, pb.Pos = pa.Pos.Add(shift), pb.Pos.Add(shift)
		}
		truth := oracleGap(a, pa, b, pb)
		dtol := Dtol(a, b) * []float64{0, 1, 1, 1e3, 3e5}[r.IntN(5)]
		out, list := checkDirect(t, s, a, pa, b, pb, truth, []float64{0, 0, 0.1, math.Inf(1)}[r.IntN(4)], dtol)
		// Bodies that touch have the contacts of the definition.
		if dtol == Dtol(a, b) && math.Abs(out.Gap) < 1e-3*dtol {
			touching++
			if incident := incidences(a, pa, b, pb, dtol); !sameFeatures(list.Basic, incident) {
				t.Fatalf("%v %+v\nexpected %+v\n%+v\nA %d vertices %+v\nB %d vertices %+v", list.Type, list.Basic, incident, out, a.NVerts, pa, b.NVerts, pb)
			}
		}
	}
	if touching < n/10 {
		t.Errorf("%d of %d pairs touch", touching, n)
	}
}

// TestDirectCoarse runs the fuzz target's pairs, which have many ties.
func TestDirectCoarse(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	s := NewSearch()
	n := 1500
	if require.Quick() {
		n = 300
	}
	b := make([]byte, 20)
	for range n {
		drawCoarse(r, b)
		a, pa, c, pc := fuzzPair(t, b)
		checkDirect(t, s, a, pa, c, pc, oracleGap(a, pa, c, pc), 0, Dtol(a, c))
	}
}

func FuzzDirect(f *testing.F) {
	f.Add([]byte{1, 1, 0, 0, 168, 128, 128, 0})
	f.Add([]byte{1, 2, 0x15, 0x2a, 160, 128, 130, 0x81, 3, 9, 200})
	f.Add([]byte{0, 0, 3, 77, 3, 99, 128, 130, 120, 66, 1, 2, 3, 1, 200, 100, 50})
	s := NewSearch()
	f.Fuzz(func(t *testing.T, b []byte) {
		a, pa, c, pc := fuzzPair(t, b)
		checkDirect(t, s, a, pa, c, pc, oracleGap(a, pa, c, pc), 0, Dtol(a, c))
	})
}
