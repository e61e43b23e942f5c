package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// distanceTol is the tolerance of a distance, in length scales of the pair: the one that
// FacetsAnswer allows close to contact, which is more than Answers allows.
const distanceTol = ProofTol / 2

// distanceMethods holds the methods that measure a distance. Those after the second are tested on
// one pair in four.
var distanceMethods = []Method{Auto, GJKEPA, SAT, DS, FDS, NMethods}

// TestDistances checks the distances of bodies whose faces and edges are nearly parallel.
// Distances, and gaps along the normal of an answer, must be accurate to distanceTol, although many
// features are nearly as near as the nearest.
//
//	go test ./narrow -run TestDistances -args -soak.pairs 1000000 -soak.seed 2    # on more
func TestDistances(t *testing.T) {
	pairs := require.Rounds(1000, 1500, 4000)
	if *soakPairs > 0 {
		pairs = *soakPairs
	}
	shapes := distanceShapes(t)
	r := rand.New(rand.NewPCG(*soakSeed, 41))
	k := newDistanceJudge()
	for i := range pairs {
		p := drawDistance(r, k.s, shapes)
		methods := distanceMethods
		if i%4 > 0 || len(p.a.Edge)*len(p.b.Edge) > agreeFew && i%32 > 0 {
			methods = methods[:2]
		}
		k.judge(&p, k.truth.gap(p.a, p.pa, p.b, p.pb), methods)
	}
	t.Logf("%d pairs, %d answers by features apart, worst error %.3f of ProofTol, along the normal %.3f; %d fell back",
		pairs, k.apart, k.worst, k.worstAlong, k.fellBack)
	for i, f := range k.faults {
		if i < 5 {
			t.Error(f)
		}
	}
	if len(k.faults) > 5 {
		t.Errorf("and %d more", len(k.faults)-5)
	}
}

// distancePair is two bodies at their poses.
type distancePair struct {
	a, b   *soa.View
	pa, pb vec.Pose
}

// distanceJudge tests distances and records faults.
type distanceJudge struct {
	s                 *Search
	truth             allFacets
	mem               Memory
	apart, fellBack   int
	worst, worstAlong float64 // relative to ProofTol
	faults            []string
}

func newDistanceJudge() *distanceJudge { return &distanceJudge{s: NewSearch()} }

// judge tests the methods on a pair whose distance is truth.
func (k *distanceJudge) judge(p *distancePair, truth float64, methods []Method) {
	unit := max(p.a.Radius, p.b.Radius, p.pa.Rot.RotateInv(p.pb.Pos.Sub(p.pa.Pos)).MaxAbs())
	k.truth.gap(p.a, p.pa, p.b, p.pb) // stores the vertices that height reads
	for _, m := range methods {
		var out Answer
		name := "exhaustive"
		if k.mem.Reset(); m == NMethods {
			k.s.Exhaustive(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
		} else if name = m.String(); k.s.By(m, p.a, p.pa, p.b, p.pb, math.Inf(1), Dtol(p.a, p.b), &k.mem, &out) {
			k.fellBack++
		}
		if !out.Exact && out.Status == Separated {
			continue
		}
		off := math.Abs(out.Gap-truth) / unit
		along := math.Abs(out.Gap+k.truth.height(out.Normal)) / unit
		if out.Status == Separated {
			k.apart++
		}
		k.worst, k.worstAlong = max(k.worst, off/ProofTol), max(k.worstAlong, along/ProofTol)
		if out.Status > Penetrating || !(off <= distanceTol) || !(along <= distanceTol) {
			k.faults = append(k.faults, fmt.Sprintf("%s: %v %v, off by %.3f of ProofTol, along its normal by %.3f; gap %.17g, expected %.17g, unit %.3g\na has %d vertices, radius %g; b %d, %g\npa=%#v\npb=%#v",
				name, out.Status, out.Facet, off/ProofTol, along/ProofTol, out.Gap, truth, unit, p.a.NVerts, p.a.Radius, p.b.NVerts, p.b.Radius, p.pa, p.pb))
			return
		}
	}
}

// distanceShapes returns boxes and a prism of 32 sides, each in three sizes.
func distanceShapes(t testing.TB) (shapes []*soa.View) {
	prism, err := geometry.Prism(32, 0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []float64{1e-3, 1, 1e3} {
		for _, v := range []*soa.View{
			box(t, 1, 1, 1), box(t, 1, 0.5, 0.25), box(t, 1, 0.9, 1e-3), addTemplate(t, prism.Template()),
		} {
			shapes = append(shapes, scaled(t, v, k))
		}
	}
	return shapes
}

// drawDistance returns a pair of one shape or two, with the same orientation up to 1e-14 to 1e-6,
// about 1e-9 to 1e-3 of a radius apart.
func drawDistance(r *rand.Rand, s *Search, shapes []*soa.View) distancePair {
	var p agreePair
	a := shapes[r.IntN(len(shapes))]
	b := a
	if r.IntN(2) == 0 {
		b = shapes[r.IntN(len(shapes))]
	}
	small := min(a.Radius, b.Radius)
	gap := math.Pow(10, -9+float64(6*r.Float64())) * small
	p.a.view, p.b.view, p.pa.Rot, p.place = a, b, randomRot(r), placeAligned
	placeAlike(r, &p, gap)
	tilt := math.Pow(10, -14+float64(8*r.Float64()))
	p.pb.Rot = vec.FromRotationVector(randomUnit(r).Scale(tilt)).Mul(p.pb.Rot).Normalized()
	if r.IntN(2) == 0 {
		p.pb.Pos = p.pb.Pos.AddScaled(r.Float64()*small, randomUnit(r))
	}
	if r.IntN(2) == 0 {
		var out Answer
		for range 2 {
			s.Resolve(a, p.pa, b, p.pb, math.Inf(1), &out)
			p.pb.Pos = p.pb.Pos.AddScaled(gap-out.Gap, out.Normal)
		}
	}
	return distancePair{a, b, p.pa, p.pb}
}

// TestDistancesFound repeats pairs whose distances, or gaps along their normals, once were off by
// more than half of ProofTol. The expected values are exact.
func TestDistancesFound(t *testing.T) {
	cube, brick := box(t, 1, 1, 1), box(t, 1, 0.5, 0.25)
	q := func(w, x, y, z float64) vec.Quat { return vec.Quat{W: w, X: x, Y: y, Z: z} }
	for _, c := range []struct {
		name       string
		v          *soa.View
		rotA, rotB vec.Quat
		posB       vec.Vec3
	}{
		{"cubes, edges next to parallel", cube,
			q(0.40981451624212495, -0.63653926164500663, -0.18334371050358825, 0.62710040223272001),
			q(0.35236636589821846, 0.84695128417084486, -0.39813498518095575, 1.5966876934879365e-13),
			vec.V(0.2815968490718454, 0.59609098323483156, 0.75191803973254767)},
		{"bricks, another crossing of edges", brick,
			q(-0.8111577856996318, 0.5579427961414236, 0.046844170991223205, 0.16890383825391642),
			q(-0.6066990018462326, 0.2750920852702407, -0.5404513399135432, 0.5139581840637538),
			vec.V(0.032474194875687715, -0.6187481684362588, -0.15762494577448652)},
		{"bricks, the gap of an edge and a vertex along another normal", brick,
			q(0.12122696634251512, -0.2444705465441196, -0.7701580110299456, 0.5765369134324431),
			q(0.12122696634253749, -0.24447054654416767, -0.7701580110297701, 0.5765369134326523),
			vec.V(-0.9387509333105394, 0.259751989119744, -0.703301395072107)},
	} {
		p := distancePair{c.v, c.v, vec.Pose{Rot: c.rotA}, vec.Pose{Pos: c.posB, Rot: c.rotB}}
		k := newDistanceJudge()
		k.judge(&p, oracle.ExactGap(p.a, p.pa, p.b, p.pb), distanceMethods)
		for _, f := range k.faults {
			t.Errorf("%s: %s", c.name, f)
		}
	}
}
