package force_test

import (
	"fmt"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// Pads is a law with a spring of Stiffness, N/m, at each point of a contact.
type Pads struct{ Stiffness float64 }

func (l Pads) Law() (force.Law, error)        { return l, nil }
func (l Pads) Needs() force.Needs             { return force.Needs{Points: true} }
func (l Pads) Held(history []float64) float64 { return 0 }

func (l Pads) Apply(c *force.Contact, _ []float64, r *force.Result) {
	*r = force.Result{}
	for i := range c.Points {
		p := &c.Points[i]
		normalForce := l.Stiffness * max(-p.Gap, 0)
		f := c.Normal.Scale(-normalForce)
		r.Force, r.Moment = r.Force.Add(f), r.Moment.Add(p.Arm.Cross(f))
		r.Stored += 0.5 * float64(normalForce*max(-p.Gap, 0))
	}
}

func (l Pads) Springs(_, _ float64) force.Springs {
	return force.Springs{Normal: force.MaxPoints * l.Stiffness}
}

// A law with Needs.Points gets the corners of the common area of two faces, each with its own gap.
// Here A stands on B at four corners, deeper on one side.
func ExamplePoint() {
	law, _ := Pads{1000}.Law()
	c := force.Contact{Normal: vec.V(0, 0, -1), Points: []force.Point{
		{Gap: -0.002, Arm: vec.V(0.5, 0.5, 0), Feature: 1}, {Gap: -0.002, Arm: vec.V(0.5, -0.5, 0), Feature: 2},
		{Gap: -0.001, Arm: vec.V(-0.5, 0.5, 0), Feature: 3}, {Gap: -0.001, Arm: vec.V(-0.5, -0.5, 0), Feature: 4},
	}}
	var r force.Result
	law.Apply(&c, nil, &r)
	fmt.Printf("force %.0f N, moment %.0f N·m\n", r.Force.Z, r.Moment.Y)
	// Output: force 6 N, moment -1 N·m
}
