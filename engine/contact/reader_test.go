package contact

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// host is a client that moves bodies on prescribed ways and computes no forces. It gives each contact a
// number when the contact begins.
type host struct {
	*Space
	bodies  soa.Bodies
	laws    *force.Table
	into    []force.Batch
	number  []float64 // column of the client: the number of each contact
	law     []float64 // column of the client: the row of its law
	mutex   sync.Mutex
	handed  int
	numbers float64
	active  map[float64]bool // numbers of the active contacts
	begun   int
	ended   int
	faults  []string
}

// Lend implements Reader.
func (h *host) Lend(_, worker int) Lent {
	h.Reserve(&h.into[worker])
	return Lent{Needs: h.laws.AllNeeds(), Into: &h.into[worker], Thick: math.Inf(1)}
}

// Read implements Reader.
func (h *host) Read(found *TileContacts, worker int) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.end(&found.Ended)
	for _, i := range found.Begun {
		if h.number[i] != 0 {
			h.faults = append(h.faults, "a contact begins in a row that has a number")
		}
		h.numbers++
		h.begun++
		h.number[i], h.active[h.numbers] = h.numbers, true
		h.law[i] = float64(h.LawOf(int(i)))
	}
	for _, o := range found.Handovers {
		if h.handed++; h.law[o.Row] != float64(o.From) || o.From == o.To {
			h.faults = append(h.faults, "a contact passes from a law that it has not")
		}
		h.law[o.Row] = float64(o.To)
	}
	h.into[worker].StoreNormals(&h.Contacts.Normal)
	for _, i := range found.Active {
		if !h.active[h.number[i]] {
			h.faults = append(h.faults, "a contact is active that has not begun, or has ended")
		}
		if h.law[i] != float64(h.LawOf(int(i))) {
			h.faults = append(h.faults, "a contact has another law than when it began")
		}
	}
}

// Drop implements Reader.
func (h *host) Drop(ended *Ended, _ int) { h.end(ended) }

func (h *host) end(ended *Ended) {
	for k := range ended.Laws {
		n, law := ended.Values(k)[0], ended.Values(k)[1]
		if law != float64(ended.Laws[k]) {
			h.faults = append(h.faults, "a contact ends under a law that it has not")
		}
		if !h.active[n] {
			h.faults = append(h.faults, "a contact ends that is not active")
		}
		delete(h.active, n)
		h.ended++
	}
}

// add adds a body of one piece. Bodies whose inverse mass is 0 are walls.
func (h *host) add(t *testing.T, template *soa.Template, at vec.Vec3, inverseMass float64) soa.Body {
	t.Helper()
	shape, err := h.Shapes.Add(template)
	if err != nil {
		t.Fatal(err)
	}
	id := h.bodies.Len()
	h.bodies.Resize(id + 1)
	h.bodies.Pos.Set(id, at)
	h.bodies.InvMass[id], h.bodies.Radius[id] = inverseMass, max(h.Shapes.Radius[shape], 1e-3)
	h.AddPiece(soa.Body(id), shape, soa.Material(id%2), vec.IdentityPose)
	h.bodies.FirstPiece[id+1] = soa.Piece(h.Pieces.Len())
	return soa.Body(id)
}

// TestReaderIsToldWhatBeginsAndEnds lets cubes and balls go to and fro over a floor of facets and
// through each other, slowly and by jumps. Each contact must begin once and end once, with the client's
// column, and the active contacts must be those between.
func TestReaderIsToldWhatBeginsAndEnds(t *testing.T) {
	gaps, overlaps := force.Linear{Kn: 1}, force.Thickness{Stiffness: 1, Restitution: 1}
	for name, parameters := range map[string][2]force.Parameters{
		"gaps": {gaps, gaps}, "overlaps": {overlaps, overlaps}, "gaps, some overlaps": {gaps, overlaps}, "overlaps, some gaps": {overlaps, gaps},
	} {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s, %d workers", name, workers), func(t *testing.T) {
				laws, err := force.NewTable(2, parameters[0])
				if err != nil {
					t.Fatal(err)
				}
				if err := laws.Set(0, 1, parameters[1]); err != nil {
					t.Fatal(err)
				}
				pool, err := sched.Open(workers, false)
				if err != nil {
					t.Fatal(err)
				}
				defer pool.Close()
				h := &host{laws: laws, into: make([]force.Batch, workers), active: map[float64]bool{}}
				h.bodies.FirstPiece = []soa.Piece{0}
				h.Space = New(Config{Laws: laws, TilePairs: 16}, &h.bodies, pool, h)
				h.Register([]*[]float64{&h.number, &h.law}, nil)
				cube, err := geometry.Box(0.3, 0.3, 0.3)
				if err != nil {
					t.Fatal(err)
				}
				ball, err := geometry.BallTemplate(0.15)
				if err != nil {
					t.Fatal(err)
				}
				for i := range 36 {
					h.add(t, []*soa.Template{cube.Template(), ball}[i%2], vec.V(0.33*float64(i%6)-1, 0.33*float64(i/6)-1, 0.2), 1)
				}
				floor := h.bodies.Len()
				h.bodies.Resize(floor + 1)
				h.bodies.Radius[floor] = 3
				for i := range 8 {
					x, y := float64(i%4)-2, float64(i/4*2)-2
					for _, corners := range [][]vec.Vec3{
						{{X: x, Y: y}, {X: x + 1, Y: y}, {X: x + 1, Y: y + 2}}, {{X: x, Y: y}, {X: x + 1, Y: y + 2}, {X: x, Y: y + 2}},
					} {
						facet, err := geometry.FacetPolygonTemplate(corners)
						if err != nil {
							t.Fatal(err)
						}
						shape, err := h.Shapes.Add(facet)
						if err != nil {
							t.Fatal(err)
						}
						h.AddPiece(soa.Body(floor), shape, soa.Material(i%2), vec.Pose{Pos: h.Shapes.Origin(shape), Rot: vec.Identity})
					}
				}
				h.bodies.FirstPiece[floor+1] = soa.Piece(h.Pieces.Len())
				if err := h.AddWall(soa.Body(floor), nil); err != nil {
					t.Fatal(err)
				}
				if _, err := h.Prepare(); err != nil {
					t.Fatal(err)
				}
				h.Renew()
				for step := range 400 {
					for i := range floor {
						p, u := h.bodies.Pos.At(i), 0.05*float64(step)+0.7*float64(i)
						s, c := vec.Sincos(u)
						p = p.Add(vec.V(0.004*s, 0.003*c, 0.006*s))
						if step%97 == 96 {
							p = p.Add(vec.V(0.4*c, 0.4*s, 0)) // a jump, past other bodies and facets
						}
						kernels.Move(&h.bodies, soa.Body(i), vec.Pose{Pos: p, Rot: vec.FromRotationVector(vec.V(0.2*s, 0.1*c, u))})
					}
					h.NoteLate(0, floor, 0)
					h.Update()
					h.Find()
					if n, _ := h.Deepest(); n != len(h.active) || len(h.faults) > 0 {
						t.Fatalf("step %d: %d contacts, expected %d; %v", step, n, len(h.active), h.faults)
					}
					for i, active := range h.Contacts.Active {
						if active != (h.number[i] != 0) {
							t.Fatalf("step %d: row %d is active: %v, with the number %g", step, i, active, h.number[i])
						}
					}
				}
				for i := range floor { // on the floor, with small overlaps
					kernels.Move(&h.bodies, soa.Body(i), vec.Pose{Pos: vec.V(0.31*float64(i%6)-0.9, 0.31*float64(i/6)-0.9, 0.1495), Rot: vec.Identity})
				}
				h.NoteLate(0, floor, 0)
				h.Update()
				h.Find()
				begun, ended := h.begun, h.ended
				if len(h.active) < floor {
					t.Errorf("%d of %d bodies rest on the floor", len(h.active), floor)
				}
				for range 20 { // at rest
					h.Update()
					for i := range h.Pairs.Len() {
						h.Pairs.Expiry[i] = soa.Expired // so that every pair is evaluated
					}
					h.Find()
				}
				if h.begun != begun || h.ended != ended {
					t.Errorf("at rest %d contacts begin and %d end", h.begun-begun, h.ended-ended)
				}
				if laws.Row(0, 1) != laws.Row(0, 0) && h.handed == 0 {
					t.Error("no contact has passed to a facet with another law")
				}
				if h.ended < 50 || h.begun != h.ended+len(h.active) {
					t.Errorf("%d contacts have begun, %d have ended, %d are left", h.begun, h.ended, len(h.active))
				}
			})
		}
	}
}
