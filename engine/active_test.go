package engine

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestNothingIsMissed compares the active contacts of a heap that falls and is stirred with an
// exhaustive search over all pairs: neither cells nor odometers nor axes nor features may hide a
// contact.
func TestNothingIsMissed(t *testing.T) {
	w := heap(t, Config{}, 48)
	s := narrow.NewSearch()
	var ans narrow.Answer
	found, n := 0, 150
	if require.Quick() {
		n = 40
	}
	for round := range n {
		if round%30 == 15 {
			for i := range w.bodies.Len() { // kick all bodies, fast and in all directions
				if w.bodies.InvMass[i] > 0 {
					v := vec.V(float64(i%5)-2, float64(i%7)-3, float64(i%3)).Scale(1.5)
					w.bodies.Vel.Set(i, v)
				}
			}
		}
		steps(t, w, 7, heapStep)
		active, onWall := map[[2]soa.Piece]int{}, map[[2]int]int{}
		for i, a := range w.space.Contacts.Active {
			if a {
				onWall[[2]int{int(w.space.Pairs.A[w.space.Contacts.Pair[i]]), int(w.space.Pieces.Body[w.space.Pairs.B[w.space.Contacts.Pair[i]]])}] = i
				active[[2]soa.Piece{w.space.Pairs.A[w.space.Contacts.Pair[i]], w.space.Pairs.B[w.space.Contacts.Pair[i]]}] = i
			}
		}
		for p := range w.space.Pieces.Len() {
			for q := range w.space.Pieces.Len() {
				a, b := soa.Piece(p), soa.Piece(q)
				ka, kb := w.space.Pieces.Kind[a], w.space.Pieces.Kind[b]
				if ka > kb || ka == kb && p >= q || w.space.Pieces.Body[a] == w.space.Pieces.Body[b] {
					continue
				}
				if w.bodies.InvMass[w.space.Pieces.Body[a]]+w.bodies.InvMass[w.space.Pieces.Body[b]] == 0 {
					continue
				}
				s.Exhaustive(w.space.Shapes.View(w.space.Pieces.Shape[a]), w.space.Pieces.Pose(&w.bodies, a),
					w.space.Shapes.View(w.space.Pieces.Shape[b]), w.space.Pieces.Pose(&w.bodies, b), 0, &ans)
				i, is := active[[2]soa.Piece{a, b}]
				if kb == soa.Facet && ans.Gap <= 0 && !is { // the facets of one wall act together
					i, is = onWall[[2]int{p, int(w.space.Pieces.Body[b])}]
				}
				if (ans.Gap <= 0) != is && math.Abs(ans.Gap) > 1e-13 {
					t.Fatalf("round %d: pieces %d and %d have gap %g, active: %v", round, a, b, ans.Gap, is)
				}
				if is {
					found++
					if d := w.space.Contacts.Gap[i] - ans.Gap; d > 1e-13 || d < -1e-13 && kb != soa.Facet {
						t.Fatalf("round %d: pieces %d and %d have gap %g, the contact says %g", round, a, b, ans.Gap, w.space.Contacts.Gap[i])
					}
				}
			}
		}
	}
	if found < 3*n {
		t.Errorf("%d active contacts in %d rounds, expected a heap", found, n)
	}
	l := w.AnsweredBy()
	for _, k := range []narrow.AnsweredBy{narrow.ByOdometer, narrow.ByAxis, narrow.ByFeature, narrow.BySearch} {
		if l.By[k] == 0 {
			t.Errorf("level %v answered nothing", k)
		}
	}
}

func TestBodiesThatAreRefused(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	cube := addShape(t, w, box(t, 1, 1, 1))
	tri := addShape(t, w, facet(t, vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0)))
	good := BodySpec{Parts: one(cube, 1), Pose: vec.IdentityPose}
	for name, change := range map[string]func(b *BodySpec){
		"no parts":            func(b *BodySpec) { b.Parts = nil },
		"negative density":    func(b *BodySpec) { b.Parts = one(cube, -1) },
		"no density":          func(b *BodySpec) { b.Parts = one(cube, 0) },
		"density not finite":  func(b *BodySpec) { b.Parts = one(cube, math.Inf(1)) },
		"a facet that moves":  func(b *BodySpec) { b.Parts = one(tri, 1) },
		"shape out of range":  func(b *BodySpec) { b.Parts = one(7, 1) },
		"material":            func(b *BodySpec) { b.Parts = []Part{{Shape: cube, Density: 1, Material: 3}} },
		"pose not finite":     func(b *BodySpec) { b.Pose.Pos.X = math.NaN() },
		"quaternion far off":  func(b *BodySpec) { b.Pose.Rot = vec.Quat{W: 1.01} },
		"velocity not finite": func(b *BodySpec) { b.Vel.Y = math.Inf(-1) },
		"spin not finite":     func(b *BodySpec) { b.Spin.Z = math.NaN() },
		"local not unit":      func(b *BodySpec) { b.Parts[0].Local = vec.Pose{Rot: vec.Quat{W: 2}} },
	} {
		b := good
		b.Parts = append([]Part(nil), good.Parts...)
		change(&b)
		if _, err := w.AddBody(b); !errors.Is(err, ErrBody) {
			t.Errorf("%s: error %v, expected ErrBody", name, err)
		}
	}
	for name, s := range map[string]*soa.Template{"no shape": nil, "an empty shape": {}, "a ball of no size": {Kind: soa.Ball}} {
		if _, err := w.AddShape(s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	plane := []Part{{Shape: addShape(t, w, PlaneTemplate())}}
	if _, err := w.AddWall(WallSpec{Parts: plane, Pose: PlanePose(vec.Vec3{}, vec.Vec3{})}); !errors.Is(err, ErrBody) {
		t.Errorf("a plane without normal: error %v, expected ErrBody", err)
	}
	if w.bodies.Len() != 0 || w.space.Pieces.Len() != 0 {
		t.Error("refused bodies left rows behind")
	}
	turned := good
	turned.Pose.Rot = vec.Quat{} // a zero rotation means none
	if id := addBody(t, w, turned); w.bodies.Rot.At(id) != vec.Identity {
		t.Errorf("a zero rotation made %v", w.bodies.Rot.At(id))
	}
	steps(t, w, 1, 1e-3)
	if err := w.Step(0); !errors.Is(err, ErrTimeStep) {
		t.Errorf("a step of 0 s: error %v, expected ErrTimeStep", err)
	}
	if err := w.Restore(w.State()); !errors.Is(err, ErrState) {
		t.Errorf("restore after the first step: error %v, expected ErrState", err)
	}
}

// value returns a change of one float64 of a state.
func value(name string, at int, x float64) func([]Column) []Column {
	return func(cols []Column) []Column {
		cols[slices.IndexFunc(cols, func(c Column) bool { return c.Name == name })].F64[at] = x
		return cols
	}
}

// whole32 returns a change of a uint32 column of a state.
func whole32(name string, change func([]uint32) []uint32) func([]Column) []Column {
	return func(cols []Column) []Column {
		c := &cols[slices.IndexFunc(cols, func(c Column) bool { return c.Name == name })]
		c.U32 = change(slices.Clone(c.U32))
		return cols
	}
}

func TestStatesThatAreRefused(t *testing.T) {
	w := heap(t, Config{}, 8)
	steps(t, w, 1200, heapStep)
	whole := w.State()
	for name, change := range map[string]func(cols []Column) []Column{
		"column missing": func(c []Column) []Column { return c[1:] },
		"body missing":   func(c []Column) []Column { c[3].F64 = c[3].F64[1:]; return c },
		"not a number":   func(c []Column) []Column { c[4].F64[0] = math.NaN(); return c },
		"another version": func(c []Column) []Column {
			c[1].U32 = append([]uint32{}, c[1].U32...)
			c[1].U32[0]++
			return c
		},
		"contact cut": func(c []Column) []Column {
			last := &c[len(c)-2]
			last.F64 = last.F64[:len(last.F64)-1]
			return c
		},
		"contact of one piece":     whole32("contact.pieces", func(x []uint32) []uint32 { return x[:len(x)-1] }),
		"a piece with itself":      whole32("contact.pieces", func(x []uint32) []uint32 { x[1] = x[0]; return x }),
		"pieces in no order":       whole32("contact.pieces", func(x []uint32) []uint32 { x[0], x[1] = x[1], x[0]; return x }),
		"a step that is negative":  whole32("step", func(x []uint32) []uint32 { x[2] = 1 << 31; return x }),
		"a mark that is neither":   whole32("step", func(x []uint32) []uint32 { x[4] = warnedAll + 1; return x }),
		"no time":                  value("clock", 0, math.NaN()),
		"a negative time":          value("clock", 0, -1),
		"an endless time":          value("clock", 0, math.Inf(1)),
		"a large carry":            value("clock", 1, 1e-3),
		"no carry":                 value("clock", 1, math.NaN()),
		"a ledger without end":     value("ledger", 3, math.Inf(1)),
		"a datum that is none":     value("ledger", 5, math.NaN()),
		"an infinite ledger":       value("ledger", 0, math.Inf(1)),
		"a body that is far":       value("pos.x", 9, 1e30),
		"a body that is very far":  value("pos.y", 1, 1e300),
		"a body that is very fast": value("vel.z", 1, 1e300),
		"a large spin":             value("spin.x", 1, -1e200),
		"a large momentum":         value("angmom.x", 1, 1e200),
		"a large force":            value("force.x", 1, 1e308),
		"a long quaternion":        value("rot.w", 1, 3),
		"a way back":               value("odometer", 1, -1),
		"a large gap":              value("contact.answers", 0, 1e200),
		"no slip":                  value("contact.history", 0, math.NaN()),
		"a large slip":             value("contact.history", 1, 1e200),
		"features of no kind": func(c []Column) []Column {
			last := &c[len(c)-1]
			last.U16 = append([]uint16{7}, last.U16[1:]...)
			return c
		},
	} {
		cols := make([]Column, len(whole))
		for i, c := range whole {
			cols[i] = c
			cols[i].F64 = append([]float64(nil), c.F64...)
		}
		again := heap(t, Config{}, 8)
		before := again.bodies.Pos.At(9)
		if err := again.Restore(change(cols)); !errors.Is(err, ErrState) {
			t.Errorf("%s: error %v, expected ErrState", name, err)
		}
		if again.bodies.Pos.At(9) != before || again.Steps() != 0 {
			t.Errorf("%s: the refused state left traces", name)
		}
	}
}

func TestTimeStepIsChecked(t *testing.T) {
	const k = 1e6
	w := newWorld(t, Config{}, force.Linear{Kn: k, Kt: k, Mu: 0.5, ByRestitution: true, Restitution: 1})
	small := one(addShape(t, w, ball(t, 0.1)), 1000)
	addBody(t, w, BodySpec{Parts: small, Pose: vec.IdentityPose})
	addBody(t, w, BodySpec{Parts: small, Pose: at(0, 0, 1)})
	slab(t, w)
	m := w.bodies.Mass[0]
	ts := w.TimeStep()
	if want := pi * math.Sqrt(m/2/k); math.Abs(ts.Contact-want) > 1e-12 {
		t.Errorf("contact time %g, expected %g: two such balls", ts.Contact, want)
	}
	// Each ball has an inverse effective mass of 1/m + r²/I = 3.5/m in tangential directions.
	if want := 2 * math.Sqrt(m/7/k); math.Abs(ts.Stable-want) > 1e-12 {
		t.Errorf("stable limit %g, expected %g", ts.Stable, want)
	}
	// Without friction only the normal direction counts, with 1/m.
	smooth := newWorld(t, Config{}, force.Linear{Kn: k, Kt: k, ByRestitution: true, Restitution: 1})
	small[0].Shape = addShape(t, smooth, ball(t, 0.1))
	addBody(t, smooth, BodySpec{Parts: small, Pose: vec.IdentityPose})
	addBody(t, smooth, BodySpec{Parts: small, Pose: at(0, 0, 1)})
	if got, want := smooth.TimeStep().Stable, 2*math.Sqrt(m/2/k); math.Abs(got-want) > 1e-12 {
		t.Errorf("stable limit without friction %g, expected %g", got, want)
	}
	if _, err := w.CheckTimeStep(1.01 * ts.Stable); !errors.Is(err, ErrTimeStep) {
		t.Errorf("above the limit: error %v, expected ErrTimeStep", err)
	}
	if text, err := w.CheckTimeStep(0.11 * ts.Contact); err != nil || !strings.Contains(text, "contact time") {
		t.Errorf("above a tenth of the contact time: %q, %v, expected a warning", text, err)
	}
	if text, err := w.CheckTimeStep(0.09 * ts.Contact); err != nil || text != "" {
		t.Errorf("below a tenth of the contact time: %q, %v, expected nothing", text, err)
	}
}

func TestFaultNamesTheBody(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	s := addShape(t, w, ball(t, 1))
	addBody(t, w, BodySpec{Parts: one(s, 1), Pose: at(0, 0, 0)})
	id := addBody(t, w, BodySpec{Name: "loose", Parts: one(s, 1), Pose: at(5, 0, 0)})
	steps(t, w, 3, 1e-3)
	w.bodies.Force.X[id] = math.Inf(1)
	err := w.Step(1e-3)
	if !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), "body 1 (loose)") {
		t.Errorf("error %v, expected ErrFault with the body's name", err)
	}
	if again := w.Step(1e-3); again == nil || again.Error() != err.Error() {
		t.Errorf("the next step says %v, expected the same fault", again)
	}
}

// TestNothingIsLostInSilence brings bodies into situations that the engine cannot compute, and
// checks that each is reported as a fault.
func TestNothingIsLostInSilence(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  Config
		vel  vec.Vec3
		spin vec.Vec3
	}{
		"a skin that no cell can hold": {cfg: Config{Skin: 1e200}},
		"a spin of many turns a step":  {spin: vec.V(1e30, 0, 3)},
		"a spin that overflows":        {spin: vec.V(1e160, 1, 0)},
		"a velocity that leaves":       {vel: vec.V(0, 0, -1e300)},
	} {
		w := newWorld(t, c.cfg, force.Linear{Kn: 1e5})
		slab(t, w)
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 0.7, 0.4)), 1000), Pose: at(0, 0, 1), Vel: c.vel, Spin: c.spin})
		var err error
		for range 3 {
			if err = w.Step(1e-3); err != nil {
				break
			}
		}
		if !errors.Is(err, ErrFault) {
			t.Errorf("%s: error %v, expected ErrFault", name, err)
		}
	}
}

func TestTimeDoesNotDrift(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	steps(t, w, 100_000, 3e-5)
	if want := 3.0; math.Abs(w.Time()-want) > 1e-15 {
		t.Errorf("after 100000 steps of 3e-5 s it is %.17g s, expected %g", w.Time(), want)
	}
}

func TestDeepStartIsWarnedOf(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1})
	s := addShape(t, w, box(t, 1, 1, 1))
	addBody(t, w, BodySpec{Name: "a", Parts: one(s, 1), Pose: at(0, 0, 0)})
	addBody(t, w, BodySpec{Name: "b", Parts: one(s, 1), Pose: at(0, 0, 0.7)})
	addBody(t, w, BodySpec{Name: "c", Parts: one(s, 1), Pose: at(0, 0, 1.699)})
	steps(t, w, 1, 1e-3)
	text := strings.Join(w.Warnings(), "\n")
	if len(w.Warnings()) != 1 || !strings.Contains(text, "body 0 (a) and body 1 (b) start 0.3 m inside each other") {
		t.Errorf("warnings %q, expected one of bodies 0 and 1", text)
	}
}

func TestReliefForgivesAndTakesBack(t *testing.T) {
	const k = 1e6
	w := newWorld(t, Config{Relief: Relief{Cap: 1e-3, Time: 1}}, force.Linear{Kn: k, ByRestitution: true, Restitution: 0.1})
	s := addShape(t, w, box(t, 1, 1, 1))
	addBody(t, w, BodySpec{Parts: one(s, 1000), Pose: at(0, 0, 0)})
	addBody(t, w, BodySpec{Parts: one(s, 1000), Pose: at(0, 0, 0.9)})
	fastest := 0.0
	for range 12000 {
		steps(t, w, 1, 1e-4)
		fastest = max(fastest, w.Measure().MaxSpeed)
	}
	// Without relief the overlap of 0.1 m would separate the bodies at 0.1·√(k/2m)·√2 ≈ 2 m/s.
	// Relieved over 1 s, they reach about 0.1 m/s.
	if fastest > 0.2 {
		t.Errorf("the cubes part at %g m/s", fastest)
	}
	if z := w.bodies.Pos.Z[1] - w.bodies.Pos.Z[0]; z < 0.999 {
		t.Errorf("the cubes are %g m apart, expected 1: the relief has run out", z)
	}
}
