package force

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// tally is a law that counts the steps of each point, and reports that number as the point's
// energy, J.
type tally struct{ needs Needs }

func (l tally) Law() (Law, error) { return l, nil }
func (l tally) Needs() Needs      { return l.needs }
func (l tally) Apply(c *Contact, history []float64, r *Result) {
	*r = Result{}
	for i := range c.Points {
		p := &c.Points[i]
		r.Force = r.Force.Sub(c.Normal.Scale(-p.Gap))
		p.History[0]++
		p.History[l.needs.History-1] = float64(p.Feature)
	}
}
func (l tally) Held(history []float64) float64 { return history[0] }
func (l tally) Springs(_, _ float64) Springs   { return Springs{Normal: 1} }

// TestPointsKeepTheirHistory checks that the history of a point follows its Feature, whatever the
// order and number of points. A new point starts with zeros, and the energy of a point that ends is
// in HeldRise.
func TestPointsKeepTheirHistory(t *testing.T) {
	table, err := NewTable(1, tally{Needs{Points: true, History: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if n := table.History(); n != MaxPoints*4 {
		t.Fatalf("%d values are remembered, expected %d", n, MaxPoints*4)
	}
	bodies, contacts := &soa.Bodies{}, newRows(table.History())
	bodies.Resize(2)
	bodies.InvMass[0], bodies.InvMass[1] = 1, 1
	contacts.resize(3)
	var b Batch
	r := rand.New(rand.NewPCG(2, 3))
	lasted := [3]map[uint64]float64{{}, {}, {}}
	for step := range 400 {
		b.Clear(table)
		var rise [3]float64
		for row := range lasted {
			now := map[uint64]float64{}
			for _, k := range r.Perm(12)[:1+r.IntN(MaxPoints)] {
				name := uint64(1) << (4 * k)
				now[name] = lasted[row][name] + 1
				rise[row] += now[name]
				b.AddPoint(Point{Gap: -1, Feature: name})
			}
			for _, held := range lasted[row] {
				rise[row] -= held
			}
			lasted[row] = now
			b.Add(&LawContact{A: 0, B: 1, Row: uint32(row), Normal: vec.V(0, 0, 1)})
		}
		b.Apply(&Step{Bodies: bodies, From: *contacts, To: *contacts, Dt: 1, Accounted: true})
		for row, now := range lasted {
			places := map[uint64]float64{}
			for i := 0; i < len(contacts.History); i += 4 {
				if name := contacts.History[i][row]; name != 0 {
					places[uint64(name)] = contacts.History[i+1][row]
					if contacts.History[i+3][row] != name {
						t.Fatalf("step %d: the place of %g has what %g left", step, name, contacts.History[i+3][row])
					}
				}
			}
			held := 0.0
			for name, n := range now {
				if held += n; places[name] != n {
					t.Fatalf("step %d, row %d: point %d has lasted %g steps, expected %g", step, row, name, places[name], n)
				}
			}
			if got := energiesOf(&b)[uint32(row)].Shear; got != held || len(places) != len(now) || contacts.Shear[row] != rise[row] || contacts.Force.Z[row] != -float64(len(now)) {
				t.Fatalf("step %d, row %d: held %g, rise %g, force %g of %d points, expected %g, %g, of %d",
					step, row, got, contacts.Shear[row], contacts.Force.Z[row], len(places), held, rise[row], len(now))
			}
			history := make([]float64, MaxMemory)
			for i, column := range contacts.History {
				history[i] = column[row]
			}
			if got := table.Held(0, history); got != held {
				t.Fatalf("step %d, row %d: the history holds %g J, expected %g", step, row, got, held)
			}
		}
	}
}

// TestPointsRefused checks that laws with invalid Needs are rejected.
func TestPointsRefused(t *testing.T) {
	for _, n := range []Needs{
		{Points: true, Overlap: true}, {Points: true, Section: true}, {Overlap: true, Section: true}, {Points: true, History: MaxHistory + 1}, {Points: true, History: -1},
	} {
		if _, err := NewTable(1, tally{n}); !errors.Is(err, ErrLaw) {
			t.Errorf("%+v: %v, expected an error that wraps %v", n, err, ErrLaw)
		}
	}
}
