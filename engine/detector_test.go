package engine

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// hostScene is the bodies of a host, with their poses: rocks, cubes, balls and clumps in a box with a floor of
// facets and a plane, and a bowl of facets that the host turns.
type hostScene struct {
	shapes []*soa.Template
	bodies [][]Part // of the host
	floor  []Part
	poses  []vec.Pose
	bowl   int // the body of facets
}

func newHostScene(t testing.TB, rng *rand.Rand, n int) *hostScene {
	s := &hostScene{bowl: n / 2}
	add := func(template *soa.Template) soa.Shape {
		s.shapes = append(s.shapes, template)
		return soa.Shape(len(s.shapes) - 1)
	}
	cube, marble := add(box(t, 0.3, 0.25, 0.2)), add(ball(t, 0.15))
	for i := range 8 {
		x, y := float64(i%4)-2, float64(i/4*2)-2
		s.floor = append(s.floor, Part{Shape: add(facet(t, vec.V(x, y, 0), vec.V(x+1, y, 0), vec.V(x+1, y+2, 0)))},
			Part{Shape: add(facet(t, vec.V(x, y, 0), vec.V(x+1, y+2, 0), vec.V(x, y+2, 0)))})
	}
	for i := range n {
		parts := one(cube, 1000)
		switch {
		case i == s.bowl:
			parts = nil
			for k := range 6 {
				a, b := float64(k)*math.Pi/3, float64(k+1)*math.Pi/3
				sa, ca := vec.Sincos(a)
				sb, cb := vec.Sincos(b)
				parts = append(parts, Part{Shape: add(facet(t, vec.Vec3{}, vec.V(ca, sa, 0.3), vec.V(cb, sb, 0.3)))})
			}
		case i%4 == 1:
			parts = one(marble, 1000)
		case i%4 == 2:
			parts = one(add(rock(t, uint64(i), 14, 0.17)), 1000)
		case i%4 == 3:
			parts = []Part{{Shape: cube, Density: 1000, Local: at(0.1, 0, 0)}, {Shape: marble, Density: 2000, Local: at(-0.12, 0.05, 0)}}
		}
		s.bodies = append(s.bodies, parts)
		s.poses = append(s.poses, vec.Pose{
			Pos: vec.V(0.4*float64(i%5)-0.9, 0.4*float64(i/5%5)-0.9, 0.15+0.28*float64(i/25)), Rot: vec.FromRotationVector(vec.V(rng.Float64(), rng.Float64(), rng.Float64())),
		})
	}
	s.poses[s.bowl] = at(0, 0, -0.05)
	return s
}

// move moves the bodies by a little, and now and then by a jump.
func (s *hostScene) move(rng *rand.Rand) {
	draw := func(size float64) vec.Vec3 {
		return vec.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(size)
	}
	for i := range s.poses {
		size := 0.006
		if rng.IntN(60) == 0 {
			size = 0.5
		}
		p := &s.poses[i]
		p.Rot = vec.FromRotationVector(draw(size)).Mul(p.Rot).Normalized()
		if i != s.bowl {
			p.Pos = p.Pos.Add(draw(size))
			p.Pos.Z = max(p.Pos.Z, 0.1)
		}
	}
}

// detector returns a Detector of the scene.
func (s *hostScene) detector(t testing.TB, cfg DetectorConfig) *Detector {
	t.Helper()
	d, err := NewDetector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	for _, template := range s.shapes {
		if _, err := d.AddShape(template); err != nil {
			t.Fatal(err)
		}
	}
	plane, err := d.AddShape(PlaneTemplate())
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.AddFixed(vec.IdentityPose, s.floor...)
	if _, e := d.AddFixed(PlanePose(vec.V(-1.1, 0, 0), vec.V(1, 0, 0)), Part{Shape: plane}); err == nil {
		err = e
	}
	for _, parts := range s.bodies {
		if _, e := d.Add(parts...); err == nil {
			err = e
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// world returns a world of the same scene, in which the bowl is a wall.
func (s *hostScene) world(t testing.TB, law force.Parameters) *World {
	w := newWorld(t, Config{NoLedger: true}, law)
	for _, template := range s.shapes {
		addShape(t, w, template)
	}
	plane := addShape(t, w, PlaneTemplate())
	addWall(t, w, WallSpec{Parts: s.floor})
	addWall(t, w, WallSpec{Parts: []Part{{Shape: plane}}, Pose: PlanePose(vec.V(-1.1, 0, 0), vec.V(1, 0, 0))})
	for i, parts := range s.bodies {
		if i == s.bowl {
			addWall(t, w, WallSpec{Parts: parts, Pose: s.poses[i]})
		} else {
			addBody(t, w, BodySpec{Parts: parts, Pose: s.poses[i]})
		}
	}
	return w
}

// records returns the poses as records of 9 numbers.
func (s *hostScene) records() Poses {
	const stride = 9
	b := make([]float64, stride*len(s.poses))
	for i, p := range s.poses {
		copy(b[stride*i+1:], []float64{p.Pos.X, p.Pos.Y, p.Pos.Z, p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z})
	}
	return Poses{X: b[1:], Y: b[2:], Z: b[3:], QW: b[4:], QX: b[5:], QY: b[6:], QZ: b[7:], Stride: stride}
}

// TestDetectorIsAWorld feeds a Detector the poses that SetPose and SetWallPose give to the bodies of a world. Its contacts
// must be those of the world, bit for bit, on any number of workers.
func TestDetectorIsAWorld(t *testing.T) {
	for name, c := range map[string]struct {
		needs force.Needs
		law   force.Parameters
	}{
		"gaps":     {force.Needs{}, force.Linear{Kn: 1}},
		"reach":    {force.Needs{Reach: 0.01}, force.Linear{Kn: 1, Interaction: 0.01}},
		"overlaps": {force.Needs{Overlap: true}, force.Thickness{Stiffness: 1, Restitution: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 5))
			s := newHostScene(t, rng, 60)
			w := s.world(t, c.law)
			var ds []*Detector
			for _, workers := range []int{1, 3} {
				ds = append(ds, s.detector(t, DetectorConfig{Needs: c.needs, Workers: workers, TilePairs: 40}))
			}
			touched, stayed := 0, 0
			for frame := range 120 {
				for k, d := range ds {
					got, err := d.Detect(s.records())
					if err != nil {
						t.Fatal(err)
					}
					i := 0
					for want := range w.ActiveContacts() {
						if i == got.Len() {
							break
						}
						g := ActiveContact{A: got.A[i], B: got.B[i], PieceA: got.PieceA[i], PieceB: got.PieceB[i], Gap: got.Gap[i], Normal: got.Normal.At(i), Location: got.Point.At(i)}
						want.Row, want.Force, want.Sliding = 0, vec.Vec3{}, false
						if g != want {
							t.Fatalf("frame %d, detector %d: contact %d is\n%+v, of the world\n%+v", frame, k, i, g, want)
						}
						if c.needs.Overlap != (len(got.Overlap) > 0) || c.needs.Overlap && !(got.Overlap[i].Volume >= 0) {
							t.Fatalf("frame %d: overlap %+v", frame, got.Overlap)
						}
						i++
					}
					if n := w.Measure().Active; n != got.Len() {
						t.Fatalf("frame %d, detector %d: %d contacts, of the world %d", frame, k, got.Len(), n)
					}
					touched += i
					for _, was := range got.Was {
						if was >= 0 {
							stayed++
						}
					}
				}
				s.move(rng)
				for i := range s.bodies {
					id := soa.ID(i + 2)
					set := w.SetPose
					if i == s.bowl {
						set = w.SetWallPose
					}
					if err := set(id, s.poses[i]); err != nil {
						t.Fatal(err)
					}
				}
			}
			if touched < 5000 || stayed < touched/2 {
				t.Errorf("%d contacts, of which %d were there before", touched, stayed)
			}
		})
	}
}

// TestDetectorSaysWhatWas checks that Was names the row of the same two bodies in the last call, and -1 for
// contacts that begin.
func TestDetectorSaysWhatWas(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := newHostScene(t, rng, 60)
	d := s.detector(t, DetectorConfig{Workers: 2})
	before := map[string]int{}
	began := 0
	var of [][2]soa.ID
	for frame := range 60 {
		c, err := d.Detect(s.records())
		if err != nil {
			t.Fatal(err)
		}
		now := map[string]int{}
		used := map[int]bool{}
		for k := range c.Len() {
			key := fmt.Sprint(c.PieceA[k], c.PieceB[k])
			now[key] = k
			was, known := before[key]
			switch {
			case c.Was[k] >= 0:
				if used[c.Was[k]] || of[c.Was[k]] != [2]soa.ID{c.A[k], c.B[k]} {
					t.Fatalf("frame %d: contact %d of bodies %d and %d was row %d, of bodies %v", frame, k, c.A[k], c.B[k], c.Was[k], of[c.Was[k]])
				}
				used[c.Was[k]] = true
			case known && c.B[k] > 1 && int(c.B[k]) != s.bowl+2: // with walls, another facet may have it
				t.Fatalf("frame %d: contact %d was row %d, expected %d", frame, k, c.Was[k], was)
			default:
				began++
			}
		}
		of = of[:0]
		for k := range c.Len() {
			of = append(of, [2]soa.ID{c.A[k], c.B[k]})
		}
		before = now
		s.move(rng)
	}
	if began < 50 {
		t.Errorf("%d contacts have begun", began)
	}
}

// TestDetectorReadsWhatItNeeds checks the section and the points of a cube that lies flat on a floor.
func TestDetectorReadsWhatItNeeds(t *testing.T) {
	for _, needs := range []force.Needs{{Section: true}, {Points: true}, {Overlap: true}} {
		d, err := NewDetector(DetectorConfig{Needs: needs, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		cube, e1 := d.AddShape(box(t, 1, 1, 1))
		_, e2 := d.Add(Part{Shape: cube})
		_, e3 := d.AddFixed(at(0, 0, -0.99), Part{Shape: cube})
		c, e4 := d.Detect(Poses{X: []float64{0}, Y: []float64{0}, Z: []float64{0}, QW: []float64{1}, QX: []float64{0}, QY: []float64{0}, QZ: []float64{0}})
		if err := errors.Join(e1, e2, e3, e4); err != nil || c.Len() != 1 {
			t.Fatalf("%d contacts, error %v", c.Len(), err)
		}
		if math.Abs(c.Gap[0]+0.01) > 1e-8 || math.Abs(math.Abs(c.Normal.Z[0])-1) > 1e-12 || math.Abs(c.Point.Z[0]+0.495) > 1e-12 {
			t.Errorf("%+v: gap %g, normal %v, point %v", needs, c.Gap[0], c.Normal.At(0), c.Point.At(0))
		}
		switch {
		case needs.Section && math.Abs(c.Section[0].XX-1.0/12) > 1e-12, needs.Points && len(c.Points[0]) != 4, needs.Overlap && math.Abs(c.Overlap[0].Volume-0.01) > 1e-12:
			t.Errorf("%+v: section %v, points %v, overlap %+v", needs, c.Section, c.Points, c.Overlap)
		}
	}
}

// TestDetectorRefuses checks the errors of a Detector, and that they change nothing.
func TestDetectorRefuses(t *testing.T) {
	for _, needs := range []force.Needs{{Section: true, Overlap: true}, {History: 1}, {Growth: 1}, {Potential: true}, {Reach: -1}, {Points: true, Overlap: true}} {
		if _, err := NewDetector(DetectorConfig{Needs: needs}); !errors.Is(err, force.ErrLaw) {
			t.Errorf("%+v: error %v, expected ErrLaw", needs, err)
		}
	}
	if _, err := NewDetector(DetectorConfig{Search: "none"}); !errors.Is(err, ErrConfig) {
		t.Errorf("error %v, expected ErrConfig", err)
	}
	s := newHostScene(t, rand.New(rand.NewPCG(1, 1)), 12)
	d := s.detector(t, DetectorConfig{Workers: 1})
	first, err := d.Detect(s.records())
	if err != nil {
		t.Fatal(err)
	}
	gaps, odometer := append([]float64{}, first.Gap...), append([]float64{}, d.w.bodies.Odometer...)
	nan := math.NaN()
	for name, spoil := range map[string]func(p *Poses){
		"no number":    func(p *Poses) { p.Y[9*3] = nan },
		"no rotation":  func(p *Poses) { p.QW[9*3] = 2 },
		"too far":      func(p *Poses) { p.Z[9*3] = 1e12 },
		"too short":    func(p *Poses) { p.QZ = p.QZ[:20] },
		"no column":    func(p *Poses) { p.X = nil },
		"stride below": func(p *Poses) { p.Stride = -1 },
		"huge stride":  func(p *Poses) { p.Stride = 1 << 62 },
		"long stride":  func(p *Poses) { p.Stride = 1 << 30 },
	} {
		p := s.records()
		p.X[0] += 0.01 // must not reach the bodies
		spoil(&p)
		if _, err := d.Detect(p); !errors.Is(err, ErrBody) {
			t.Errorf("%s: error %v, expected ErrBody", name, err)
		} else {
			t.Log(err)
		}
		for i := range odometer {
			if d.w.bodies.Odometer[i] != odometer[i] {
				t.Fatalf("%s: body %d has moved", name, i)
			}
		}
	}
	again, err := d.Detect(s.records())
	if err != nil || again.Len() != len(gaps) {
		t.Fatalf("%d contacts, expected %d; error %v", again.Len(), len(gaps), err)
	}
	for k, gap := range gaps {
		if again.Gap[k] != gap || again.Was[k] != k {
			t.Fatalf("contact %d has gap %g and was %d, expected %g and the same row", k, again.Gap[k], again.Was[k], gap)
		}
	}
	d.Close()
	if _, err := d.Detect(s.records()); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// TestDetectorAllocatesNothing checks that calls of a warm Detector allocate nothing.
func TestDetectorAllocatesNothing(t *testing.T) {
	for _, needs := range []force.Needs{{}, {Overlap: true}} {
		rng := rand.New(rand.NewPCG(8, 1))
		s := newHostScene(t, rng, 60)
		d := s.detector(t, DetectorConfig{Needs: needs, Workers: 1})
		there := s.records()
		for i := range s.poses {
			if i != s.bowl {
				s.poses[i].Pos.Z += 1e-4
			}
		}
		back := s.records()
		call := func() {
			for _, p := range []Poses{there, back} {
				if _, err := d.Detect(p); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 5 {
			call()
		}
		if n := testing.AllocsPerRun(20, call); n > 0 {
			t.Errorf("%+v: %g allocations in two calls", needs, n)
		}
	}
}

// BenchmarkDetector measures a call beside the stages of pairs and contacts of a world on the same motion.
func BenchmarkDetector(b *testing.B) {
	for _, door := range []string{"detector", "world"} {
		b.Run("door="+door, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 5))
			s := newHostScene(b, rng, 900)
			frames := make([]Poses, 40)
			all := make([][]vec.Pose, len(frames))
			for k := range frames {
				frames[k], all[k] = s.records(), append([]vec.Pose{}, s.poses...)
				s.move(rng)
			}
			var d *Detector
			var w *World
			if door == "detector" {
				d = s.detector(b, DetectorConfig{Workers: 1})
			} else {
				w = s.world(b, force.Linear{Kn: 1})
				w.begin()
			}
			contacts := 0
			for k := 0; b.Loop(); k++ {
				at := k % len(frames)
				if d != nil {
					c, err := d.Detect(frames[at])
					if err != nil {
						b.Fatal(err)
					}
					contacts += c.Len()
					continue
				}
				b.StopTimer()
				for i, pose := range all[at] {
					set := w.SetPose
					if i == s.bowl {
						set = w.SetWallPose
					}
					if err := set(soa.ID(i+2), pose); err != nil {
						b.Fatal(err)
					}
				}
				b.StartTimer()
				w.space.Renew()
				w.findContacts()
			}
			if contacts > 0 {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(contacts), "ns/contact")
			}
		})
	}
}

// TestDetectorWorkersAgree compares what needs ask for on one and three workers, and of a fresh Detector: the
// same bits, the signs of zeros included.
func TestDetectorWorkersAgree(t *testing.T) {
	for _, needs := range []force.Needs{{Section: true}, {Points: true}, {Overlap: true}} {
		rng := rand.New(rand.NewPCG(4, 4))
		s := newHostScene(t, rng, 60)
		one, three := s.detector(t, DetectorConfig{Needs: needs, Workers: 1}), s.detector(t, DetectorConfig{Needs: needs, Workers: 3, TilePairs: 16})
		extras := func(d *Detector) (text string) {
			c, err := d.Detect(s.records())
			if err != nil {
				t.Fatal(err)
			}
			for k := range c.Len() {
				text += fmt.Sprintf("%d %d %b %b", c.PieceA[k], c.PieceB[k], c.Gap[k], c.Point.At(k))
				switch {
				case needs.Section:
					text += fmt.Sprintf(" %b\n", c.Section[k])
				case needs.Overlap:
					text += fmt.Sprintf(" %b\n", c.Overlap[k])
				default:
					text += fmt.Sprintf(" %b\n", c.Points[k])
				}
			}
			return text
		}
		for frame := range 40 {
			want := extras(one)
			if got := extras(three); got != want {
				t.Fatalf("%+v, frame %d: three workers find\n%s\none finds\n%s", needs, frame, got, want)
			}
			if frame%10 == 9 {
				if got := extras(s.detector(t, DetectorConfig{Needs: needs, Workers: 1})); got != want {
					t.Fatalf("%+v, frame %d: a fresh detector finds\n%s\nthe first one\n%s", needs, frame, got, want)
				}
			}
			s.move(rng)
		}
	}
}
