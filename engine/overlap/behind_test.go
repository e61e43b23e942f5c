package overlap

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// under is the prism under the square from -half to half of the plane z = 0.
func under(half float64) Prism {
	p := Prism{Corner: vec.V(-half, -half, 0), Normal: vec.V(0, 0, 1)}
	for _, n := range []vec.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		p.Sides = append(p.Sides, Side{Normal: n, Offset: half - n.Dot(p.Corner)})
	}
	return p
}

// TestPressKnown has overlaps that one can work out by hand.
func TestPressKnown(t *testing.T) {
	p := NewPresser()
	cube, prism := view(t, boxBody(1, 1, 1)), under(0.3)
	const depth = 0.01
	p.Load(cube, at(0.1, 0, 0.5-depth))
	r, ok := p.Press(&prism, 0.5)
	if !ok {
		t.Fatal("the cube is not in the prism")
	}
	unit := math.Ldexp(1, r.Exp)
	h := depth / unit
	near(t, "depth", r.Deepest, depth, 1e-15)
	near(t, "volume", r.Volume, 0.36*depth, 1e-15)
	near(t, "power", r.Power*unit, 0.36*depth*math.Pow(h, DepthPower)/(DepthPower+1)*unit, 1e-16)
	nearVec(t, "push", r.Push, vec.V(0, 0, -0.36*math.Pow(h, DepthPower)), 1e-14)
	nearVec(t, "turn", r.Turn, vec.V(0, -0.1*0.36*math.Pow(h, DepthPower), 0), 1e-14)
	nearVec(t, "centroid", r.First.Scale(1/r.Volume), vec.V(-0.1, 0, -0.5+depth/2), 1e-13)
	near(t, "clear inside", p.Clear(&prism, 0.5), -depth, 1e-15)

	// A prism no deeper than half of the overlap feels no face in it.
	if r, ok = p.Press(&prism, depth/2); !ok || r.Push.Norm() > 1e-14 {
		t.Errorf("half as deep: push %v, ok %t", r.Push, ok)
	}
	near(t, "depth of half", r.Deepest, depth/2, 1e-15)

	// Beside the prism and over it.
	p.Load(cube, at(1, 0, 0.4))
	if _, ok := p.Press(&prism, 0.5); ok {
		t.Error("a cube beside the prism is in it")
	}
	near(t, "clear beside", p.Clear(&prism, 0.5), 0.2, 1e-15)
	p.Load(cube, at(0, 0, 0.7))
	if _, ok := p.Press(&prism, 0.5); ok {
		t.Error("a cube over the prism is in it")
	}
	near(t, "clear over", p.Clear(&prism, 0.5), 0.2, 1e-15)
	p.Load(cube, at(0, 0, -1.2))
	near(t, "clear below", p.Clear(&prism, 0.5), 0.2, 1e-15)

	p.Load(cube, turned(about(vec.V(1, 2, 3), 20), 0.1, 0, 0.5))
	if n := testing.AllocsPerRun(100, func() { p.Press(&prism, 0.5) }); n > 0 {
		t.Errorf("Press allocates %g times", n)
	}
}
