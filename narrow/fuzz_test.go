package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// byteSource converts fuzz bytes to small numbers on a coarse grid. Ties, parallel faces,
// coincident corners and exact contact are then common.
type byteSource struct {
	b []byte
	i int
}

func (s *byteSource) next() int {
	if s.i >= len(s.b) {
		s.i++
		return 0
	}
	s.i++
	return int(s.b[s.i-1])
}

// grid returns a multiple of 1/8 in [-4, 4).
func (s *byteSource) grid() float64 { return float64(int8(s.next()>>2-32)) / 8 }

// rotation returns the identity, a quarter turn, a small rotation or any rotation.
func (s *byteSource) rotation() vec.Quat {
	k := s.next()
	axis := []vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {X: 1, Y: 1, Z: 1}}[k>>2&3]
	angle := 0.0
	switch k & 3 {
	case 1:
		angle = math.Pi / 2 * float64(k>>4)
	case 2:
		angle = math.Pow(10, -float64(k>>4))
	case 3:
		angle = float64(s.next()) / 40
	}
	return vec.FromRotationVector(axis.Unit().Scale(angle))
}

var fuzzShapes []*soa.View

// fuzzPair returns two shapes and poses. The offset of the second is on the coarse grid, plus a
// tiny step.
func fuzzPair(t testing.TB, b []byte) (a *soa.View, pa vec.Pose, c *soa.View, pc vec.Pose) {
	if fuzzShapes == nil {
		_, fuzzShapes = menagerie(t)
		fuzzShapes = append(fuzzShapes, box(t, 2, 2, 2), box(t, 1, 1, 3),
			facetOf(t, vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0)),
			facetOf(t, vec.V(-2, -1, 0), vec.V(2, -1, 0), vec.V(0, 2, 0)),
			facetOf(t, vec.V(0, 0, 0), vec.V(3, 0, 0), vec.V(1, 0.001, 0)))
	}
	s := &byteSource{b: b}
	blocks := len(fuzzShapes) - 3
	a, c = fuzzShapes[s.next()%blocks], fuzzShapes[s.next()%len(fuzzShapes)]
	pa.Rot = s.rotation()
	pc.Rot = pa.Rot.Mul(s.rotation())
	pc.Pos = pa.Rot.Rotate(vec.V(s.grid(), s.grid(), s.grid()))
	k := s.next()
	tiny := math.Ldexp(float64(k&3-1), -(k >> 2))
	pc.Pos = pc.Pos.Add(pa.Rot.Rotate(vec.V(s.grid(), s.grid(), s.grid()).Scale(tiny)))
	if s.next()&1 == 1 {
		shift := vec.V(s.grid(), s.grid(), s.grid()).Scale(1024)
		pa.Pos, pc.Pos = pa.Pos.Add(shift), pc.Pos.Add(shift)
	}
	return a, pa, c, pc
}

// checkPair answers a pair by both methods and compares them with brute force and one another.
func checkPair(t *testing.T, s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) (lost bool) {
	t.Helper()
	truth := bruteGap(a, pa, b, pb)
	size := max(a.Radius, b.Radius)
	// Coordinates around b's origin are accurate to an ulp of the distance only. Beyond a few sizes
	// the tolerance is therefore relative to the distance.
	size = max(size, pb.Pos.Sub(pa.Pos).Norm()/2)
	var x, y Answer
	s.Pair(a, pa, b, pb, math.Inf(1), &x)
	s.Exhaustive(a, pa, b, pb, math.Inf(1), &y)
	if err := judge(a, pa, b, pb, truth, size, &y); err != nil {
		t.Fatalf("exhaustive: %v\nA %d verts %+v, B %d verts %+v", err, a.NVerts, pa, b.NVerts, pb)
	}
	if x.Status == NotConverged {
		return true
	}
	if err := judge(a, pa, b, pb, truth, size, &x); err != nil {
		t.Fatalf("gjk-epa: %v\nA %d verts %+v, B %d verts %+v", err, a.NVerts, pa, b.NVerts, pb)
	}
	if x.Facet == y.Facet && x.Exact && (x.Gap != y.Gap || x.Normal != y.Normal) {
		t.Fatalf("one facet, two answers:\n%+v\n%+v", x, y)
	}
	// With reach 0 the answer is the same, or a lower bound.
	s.Pair(a, pa, b, pb, 0, &y)
	if y.Exact && y != x || !y.Exact && !(y.Gap > 0 && y.Gap <= truth+1e-12*size) {
		t.Fatalf("reach 0:\n%+v\nreach infinite:\n%+v", y, x)
	}
	return false
}

func FuzzPair(f *testing.F) {
	f.Add([]byte{1, 1, 0, 0, 168, 128, 128, 0})
	f.Add([]byte{1, 2, 0x15, 0x2a, 160, 128, 130, 0x81, 3, 9, 200})
	f.Add([]byte{0, 0, 3, 77, 3, 99, 128, 130, 120, 66, 1, 2, 3, 1, 200, 100, 50})
	s := NewSearch()
	f.Fuzz(func(t *testing.T, b []byte) {
		a, pa, c, pc := fuzzPair(t, b)
		checkPair(t, s, a, pa, c, pc)
	})
}

// drawCoarse fills b for fuzzPair, with bodies closer than uniform bytes would place them.
func drawCoarse(r *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
		if i >= 4 && i <= 7 {
			b[i] = byte(128 + (int(b[i])-128)/4)
		}
	}
}

// TestCoarsePairs runs the fuzz target's pairs, which have many ties, from a fixed seed.
func TestCoarsePairs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	s := NewSearch()
	n, lost := require.Rounds(500, 2500, 6000), 0
	b := make([]byte, 20)
	for range n {
		drawCoarse(r, b)
		a, pa, c, pc := fuzzPair(t, b)
		if checkPair(t, s, a, pa, c, pc) {
			lost++
		}
	}
	t.Logf("%d of %d pairs fell back to the exhaustive search", lost, n)
	if lost > n/100 {
		t.Errorf("%d of %d pairs did not converge", lost, n)
	}
}
