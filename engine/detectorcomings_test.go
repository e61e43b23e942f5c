package engine

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

var soakDetector = flag.Int("soak.detector", 0, "number of random changes of a Detector that are compared with a fresh one")

// hostBody is a body of a host that comes and goes.
type hostBody struct {
	id    soa.ID
	parts []Part
	fixed bool
	pose  vec.Pose
}

// comingHost is a host that lets bodies come, go and move as a source of numbers says.
type comingHost struct {
	needs  force.Needs
	d      *Detector
	shapes []*soa.Template
	kinds  [][]Part // the first three of which are bodies that AddFixed alone takes
	bodies []hostBody
	rows   map[string]int // of the last call, by pieces
	bits   func(n int) int
	calls  int
	most   int     // number of bodies
	size   float64 // m, of the cube in which they come
}

// newComingHost returns a host with balls, cubes, rocks, a clump, a bowl, a floor and a plane.
func newComingHost(t testing.TB, needs force.Needs, bits func(n int) int) *comingHost {
	h := &comingHost{needs: needs, bits: bits, most: 30, size: 2.5}
	cube, marble, pebble, large := box(t, 0.3, 0.25, 0.2), ball(t, 0.15), rock(t, 3, 14, 0.17), box(t, 0.9, 0.6, 0.7)
	slab := []*soa.Template{facet(t, vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(1, 1, 0)), facet(t, vec.V(-1, -1, 0), vec.V(1, 1, 0), vec.V(-1, 1, 0)),
		facet(t, vec.V(1, -1, 0), vec.V(2, -1, 0.4), vec.V(1, 1, 0))}
	h.shapes = append([]*soa.Template{cube, marble, pebble, large, PlaneTemplate()}, slab...)
	mesh := []Part{{Shape: 5}, {Shape: 6}, {Shape: 7}}
	h.kinds = [][]Part{{{Shape: 4}}, mesh, one(3, 1), one(0, 1), one(1, 1), one(2, 1), mesh, one(3, 1),
		{{Shape: 0, Density: 1000, Local: at(0.1, 0, 0)}, {Shape: 1, Density: 2000, Local: at(-0.12, 0.05, 0)}}}
	h.d = h.fresh(t, 2)
	return h
}

// fresh returns a Detector with the bodies of the host, which get new ids, in the same order.
func (h *comingHost) fresh(t testing.TB, workers int) *Detector {
	d, err := NewDetector(DetectorConfig{Needs: h.needs, Workers: workers, TilePairs: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range h.shapes {
		if _, err := d.AddShape(s); err != nil {
			t.Fatal(err)
		}
	}
	for i := range h.bodies {
		h.add(t, d, &h.bodies[i])
	}
	return d
}

func (h *comingHost) add(t testing.TB, d *Detector, b *hostBody) soa.ID {
	id, err := soa.ID(0), error(nil)
	if b.fixed {
		id, err = d.AddFixed(b.pose, b.parts...)
	} else {
		id, err = d.Add(b.parts...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (h *comingHost) draw(size float64) vec.Vec3 {
	x := func() float64 { return size * (float64(h.bits(1024))/1024 - 0.5) }
	return vec.V(x(), x(), x())
}

// change lets a body come or go, moves some, or calls Detect and compares what it finds with a fresh Detector.
func (h *comingHost) change(t testing.TB) {
	switch op := h.bits(16); {
	case op < 3 && len(h.bodies) < h.most:
		kind := h.bits(len(h.kinds))
		b := hostBody{parts: h.kinds[kind], fixed: kind < 3, pose: vec.Pose{Pos: h.draw(h.size), Rot: vec.FromRotationVector(h.draw(4))}}
		if kind == 0 {
			b.pose = PlanePose(vec.V(0, 0, -0.9), vec.V(0, 0, 1))
		}
		b.id = h.add(t, h.d, &b)
		h.bodies = append(h.bodies, b)
	case op < 5 && len(h.bodies) > 0:
		k := h.bits(len(h.bodies))
		if err := h.d.Remove(h.bodies[k].id); err != nil {
			t.Fatal(err)
		}
		h.bodies = append(h.bodies[:k:k], h.bodies[k+1:]...)
	case op < 12:
		size := 0.02
		if op == 11 {
			size = 1
		}
		for i := range h.bodies {
			if b := &h.bodies[i]; !b.fixed && h.bits(3) > 0 {
				b.pose.Pos = b.pose.Pos.Add(h.draw(size))
				b.pose.Rot = vec.FromRotationVector(h.draw(size)).Mul(b.pose.Rot).Normalized()
			}
		}
	default:
		h.compare(t)
	}
}

func (h *comingHost) poses() (p Poses) {
	for i := range h.bodies {
		if b := &h.bodies[i]; !b.fixed {
			p.X, p.Y, p.Z = append(p.X, b.pose.Pos.X), append(p.Y, b.pose.Pos.Y), append(p.Z, b.pose.Pos.Z)
			p.QW, p.QX, p.QY, p.QZ = append(p.QW, b.pose.Rot.W), append(p.QX, b.pose.Rot.X), append(p.QY, b.pose.Rot.Y), append(p.QZ, b.pose.Rot.Z)
		}
	}
	return p
}

// found describes the contacts of a call, with bodies and pieces counted among those that there are.
func (h *comingHost) found(t testing.TB, d *Detector) (text string, c *DetectorContacts) {
	c, err := d.Detect(h.poses())
	if err != nil {
		t.Fatal(err)
	}
	b, p := d.w.Bodies(), d.w.Pieces()
	body, piece := map[soa.ID]int{}, map[soa.Number]int{}
	for i, id := range b.ID {
		if !b.Gone[i] {
			body[id] = len(body)
		}
	}
	for i, n := range p.Number {
		if !b.Gone[p.Body[i]] {
			piece[n] = len(piece)
		}
	}
	for k := range c.Len() {
		text += fmt.Sprintf("%d %d %d %d %b %b %b", body[c.A[k]], body[c.B[k]], piece[c.PieceA[k]], piece[c.PieceB[k]], c.Gap[k], c.Normal.At(k), c.Point.At(k))
		switch {
		case h.needs.Overlap:
			text += fmt.Sprintf(" %b", c.Overlap[k])
		case h.needs.Section:
			text += fmt.Sprintf(" %b", c.Section[k])
		case h.needs.Points:
			for _, p := range c.Points[k] {
				text += fmt.Sprintf(" %b %b", p.Gap, p.Arm)
			}
		}
		text += "\n"
	}
	return text, c
}

func (h *comingHost) compare(t testing.TB) {
	got, c := h.found(t, h.d)
	fresh := h.fresh(t, 1)
	want, _ := h.found(t, fresh)
	fresh.Close()
	if h.calls++; got != want {
		t.Fatalf("call %d, %d bodies: the contacts are\n%sof a fresh Detector\n%s", h.calls, len(h.bodies), got, want)
	}
	if _, _, err := h.d.w.space.Internals().Keys(); err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for k := range c.Len() {
		key := fmt.Sprint(c.PieceA[k], c.PieceB[k])
		rows[key] = k
		row, _ := h.d.w.Bodies().Row(c.B[k])
		if was, known := h.rows[key]; known != (c.Was[k] >= 0) || known && c.Was[k] != was {
			if h.d.w.Bodies().InvMass[row] != 0 { // with walls, another facet may have it, or a normal may turn
				t.Fatalf("call %d: contact %s was row %d, expected row %d (%v)", h.calls, key, c.Was[k], was, known)
			}
		}
	}
	h.rows = rows
}

// TestDetectorComings lets bodies of a host come, go and move at random. After each change the contacts must be those of a
// fresh Detector, bit for bit.
func TestDetectorComings(t *testing.T) {
	n := max(1500, *soakDetector)
	for seed, needs := range comingNeeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		h := newComingHost(t, needs, rng.IntN)
		for range n {
			h.change(t)
		}
		h.d.Close()
		if h.calls < n/5 || len(h.d.w.bodies.ID) > 100 {
			t.Errorf("%d calls, %d rows", h.calls, len(h.d.w.bodies.ID))
		}
	}
}

var comingNeeds = []force.Needs{{}, {Reach: 0.01}, {Overlap: true}, {Section: true}, {Points: true}}

// TestDetectorComingsOfMany is TestDetectorComings with so many bodies that comers and goers change the pairs of their
// neighbours alone. Clumps come late.
func TestDetectorComingsOfMany(t *testing.T) {
	for seed, needs := range comingNeeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		h := newComingHost(t, needs, rng.IntN)
		defer h.d.Close()
		h.most, h.size = 500, 5
		for i := range 400 {
			kind := []int{1, 3, 4, 5}[min(i, 1+i%3)]
			b := hostBody{parts: h.kinds[kind], fixed: kind < 3, pose: vec.Pose{Pos: h.draw(h.size), Rot: vec.FromRotationVector(h.draw(4))}}
			b.id = h.add(t, h.d, &b)
			h.bodies = append(h.bodies, b)
		}
		h.compare(t)
		before := h.d.AnsweredBy()
		for range 150 {
			if op := rng.IntN(16); op >= 5 && op < 12 { // a few bodies move, so that no search for all pairs is due
				for range 3 {
					if b := &h.bodies[rng.IntN(len(h.bodies))]; !b.fixed {
						b.pose.Pos = b.pose.Pos.Add(h.draw(0.3))
					}
				}
				h.compare(t)
				continue
			}
			h.change(t)
		}
		if after := h.d.AnsweredBy(); after.Updates < before.Updates+20 || after.Active < 1000 {
			t.Errorf("%+v: %d updates, %d searches, %d contacts", needs, after.Updates-before.Updates, after.Rebuilds-before.Rebuilds, after.Active)
		}
	}
}

func FuzzDetectorComings(f *testing.F) {
	f.Add(uint8(0), []byte("0123456789abcdefghijklmnopqrstuvwxyz"))
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		if len(data) > 2000 {
			return
		}
		h := newComingHost(t, comingNeeds[int(kind)%len(comingNeeds)], func(n int) int {
			if len(data) == 0 {
				return 0
			}
			x := int(data[0])
			if data = data[1:]; n > 256 && len(data) > 0 {
				x += int(data[0]) << 8
				data = data[1:]
			}
			return x % n
		})
		defer h.d.Close()
		for len(data) > 0 {
			h.change(t)
		}
		h.compare(t)
	})
}
