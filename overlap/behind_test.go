package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// under returns the prism under the square from -half to half of the plane z = 0.
func under(half float64) Backing {
	p := Backing{Corner: vec.V(-half, -half, 0), Normal: vec.V(0, 0, 1)}
	for _, n := range []vec.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		p.Sides = append(p.Sides, HalfSpace{Normal: n, Offset: half - n.Dot(p.Corner)})
	}
	return p
}

// TestPressKnown tests overlaps with analytic results.
func TestPressKnown(t *testing.T) {
	p := NewBackingClipper()
	cube, prism := view(t, boxBody(1, 1, 1)), under(0.3)
	const depth = 0.01
	p.Load(cube, at(0.1, 0, 0.5-depth))
	r, ok := p.Overlap(&prism, 0.5)
	if !ok {
		t.Fatal("the cube is not in the prism")
	}
	unit := math.Ldexp(1, r.Exp)
	h := depth / unit
	near(t, "depth", r.Deepest, depth, 1e-15)
	near(t, "volume", r.Volume, 0.36*depth, 1e-15)
	near(t, "power", r.Power*unit, 0.36*depth*math.Pow(h, DepthPower)/(DepthPower+1)*unit, 1e-16)
	nearVec(t, "gradient", r.Gradient, vec.V(0, 0, -0.36*math.Pow(h, DepthPower)), 1e-14)
	nearVec(t, "turn", r.Turn, vec.V(0, -0.1*0.36*math.Pow(h, DepthPower), 0), 1e-14)
	nearVec(t, "centroid", r.First.Scale(1/r.Volume), vec.V(-0.1, 0, -0.5+depth/2), 1e-13)
	near(t, "clear inside", p.Clear(&prism, 0.5), 0, 0)

	// A prism no deeper than half of the overlap contains no face of the block.
	if r, ok = p.Overlap(&prism, depth/2); !ok || r.Gradient.Norm() > 1e-14 {
		t.Errorf("half as deep: gradient %v, ok %t", r.Gradient, ok)
	}
	near(t, "depth of half", r.Deepest, depth/2, 1e-15)

	// Beside the prism and above it.
	p.Load(cube, at(1, 0, 0.4))
	if _, ok := p.Overlap(&prism, 0.5); ok {
		t.Error("a cube beside the prism is in it")
	}
	near(t, "clear beside", p.Clear(&prism, 0.5), 0.2, 1e-15)
	p.Load(cube, at(0, 0, 0.7))
	if _, ok := p.Overlap(&prism, 0.5); ok {
		t.Error("a cube over the prism is in it")
	}
	near(t, "clear over", p.Clear(&prism, 0.5), 0.2, 1e-15)
	p.Load(cube, at(0, 0, -1.2))
	near(t, "clear below", p.Clear(&prism, 0.5), 0.2, 1e-15)

	p.Load(cube, turned(about(vec.V(1, 2, 3), 20), 0.1, 0, 0.5))
	if n := testing.AllocsPerRun(100, func() { p.Overlap(&prism, 0.5) }); n > 0 {
		t.Errorf("Press allocates %g times", n)
	}
}

// TestPressCutsEitherWay presses blocks into a prism twice: with its sides marked as upright, so
// that faces are cut one by one, and without these marks, so that the whole block is cut. Both
// results must agree. They must also agree with volume, centroid and spread of the overlap with an
// equal box.
func TestPressCutsEitherWay(t *testing.T) {
	p, c, r := NewBackingClipper(), NewClipper(), rand.New(rand.NewPCG(3, 4))
	slow := under(0.3)
	fast := Backing{Corner: slow.Corner, Normal: slow.Normal}
	for _, s := range slow.Sides {
		s.Orthogonal = true
		fast.Sides = append(fast.Sides, s)
	}
	const tall = 2.0
	box := view(t, boxBody(0.6, 0.6, tall))
	for k, v := range []*soa.View{view(t, boxBody(1, 1, 1)), view(t, boxBody(0.4, 0.3, 0.5)), view(t, rockBody(r, 14)), view(t, rockBody(r, 40))} {
		for n := range 6 {
			turn := about(vec.V(1, float64(n), 2), 7*float64(n))
			pose := turned(turn, 0.15*float64(n%3), -0.1*float64(n%2), 0)
			low := 0.0
			for i := range v.NVerts {
				low = min(low, turn.Rotate(v.Vert(soa.Vertex(i))).Z)
			}
			depth := 0.02 * float64(1+n)
			pose.Pos.Z = -low - depth
			p.Load(v, pose)
			a, okA := p.Overlap(&fast, 1)
			b, okB := p.Overlap(&slow, 1)
			want, ok := c.Share(v, pose, box, at(0, 0, -tall/2), vec.V(0, 0, -1))
			if okA != ok || okB != ok {
				t.Fatalf("block %d, pose %d: found %t and %t, the box says %t", k, n, okA, okB, ok)
			}
			if !ok {
				continue
			}
			near(t, "power", b.Power, a.Power, 1e-12*a.Power)
			nearVec(t, "gradient", b.Gradient, a.Gradient, 1e-12*a.Gradient.Norm())
			nearVec(t, "turn", b.Turn, a.Turn, 1e-12*a.Gradient.Norm())
			for _, r := range [2]BackingOverlap{a, b} {
				at := r.First.Scale(1 / r.Volume)
				near(t, "volume", r.Volume, want.Volume, 1e-11*want.Volume)
				nearVec(t, "centroid", at, want.Centroid, 1e-11)
				spread := r.Second.Scale(1 / r.Volume).Add(at.Outer().Scale(-1)).Add(want.Spread.Scale(-1))
				near(t, "spread", max(math.Abs(spread.XX), math.Abs(spread.YY), math.Abs(spread.ZZ), math.Abs(spread.XY), math.Abs(spread.XZ), math.Abs(spread.YZ)), 0, 1e-11)
			}
		}
	}
}

// TestPressPartsMakeTheLeastDepth presses rocks into a square whose material begins at the facet
// and at some sides, in several pieces, and adds up the parts. With h the least depth under these
// planes, ∫h^q dV is ∫ q·t^(q-1)·V(t) dt, where V(t) is the volume at least t deep under all of
// them. V(t) is computed with a prism whose planes are moved inwards by t.
func TestPressPartsMakeTheLeastDepth(t *testing.T) {
	p, r := NewBackingClipper(), rand.New(rand.NewPCG(8, 9))
	const limit, layers = 0.1, 400
	for n := range 12 {
		whole := under(0.3)
		for k := range whole.Sides {
			s := &whole.Sides[k]
			edge := s.Normal.Scale(0.3).Sub(whole.Corner)
			s.Normal = s.Normal.AddScaled(-[4]float64{1, 0.3, 2.5, 0}[(k+n)%4], whole.Normal).Unit()
			s.Offset, s.IsEntry = s.Normal.Dot(edge), (k+n)%4 != 3
		}
		// Another piece of the same edge, up to rounding.
		again := whole.Sides[n%4]
		again.Offset += 1e-17 * float64(n%3-1)
		whole.Sides = append(whole.Sides, again)
		turn := about(vec.V(1, float64(n), -2), 0.2*float64(n))
		pose := turned(turn, 0.2*r.NormFloat64(), 0.2*r.NormFloat64(), 0.35+0.05*r.Float64())
		p.Load(view(t, rockBody(r, 8+n)), pose)

		sum, deepest := 0.0, 0.0
		for k := UnderFacet; k < len(whole.Sides); k++ {
			if k != UnderFacet && !whole.Sides[k].IsEntry {
				continue
			}
			if part, ok := p.OverlapPart(&whole, k, limit); ok {
				sum += part.Power * math.Pow(math.Ldexp(1, part.Exp), DepthPower)
				deepest = max(deepest, part.Deepest)
			}
		}
		want := 0.0
		for i := range layers {
			mid := deepest * (float64(i) + 0.5) / layers
			for _, g := range []float64{-1, 1} {
				depth := mid + g*deepest/layers/(2*math.Sqrt(3))
				deep := Backing{Corner: whole.Corner.AddScaled(-depth, whole.Normal), Normal: whole.Normal}
				for _, s := range whole.Sides {
					s.Offset += depth * s.Normal.Dot(whole.Normal)
					if s.IsEntry {
						s.Offset -= depth
					}
					s.IsEntry = false
					deep.Sides = append(deep.Sides, s)
				}
				if v, ok := p.Overlap(&deep, limit-depth); ok {
					want += DepthPower * math.Pow(depth, DepthPower-1) * v.Volume * deepest / layers / 2
				}
			}
		}
		if (sum == 0) != (want == 0) {
			t.Fatalf("pose %d: the parts make %g, the layers %g", n, sum, want)
		}
		near(t, "power", sum/want, 1, 1e-5)
	}
}
