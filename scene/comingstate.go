package scene

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/scree-dem/scree/soa"
)

// comingsColumn is the column of bodies that come and go.
const comingsColumn = runPrefix + "comings"

func (r *runner) saveComings() soa.Column {
	r.b.comings.forget(r.w)
	text, _ := json.Marshal(r.b.comings) // Masses are finite.
	return soa.Column{Name: comingsColumn, U8: text}
}

// recallComings restores what saveComings has saved.
func (r *runner) recallComings(kept []uint8) error {
	t := r.s.newComings()
	if t == nil {
		return errors.New("is of a scene in which bodies come or go, expected one without")
	}
	if f := readObject(kept, t); f != nil {
		return fmt.Errorf("has a column %q that cannot be read: %s", comingsColumn, f.what)
	}
	if len(t.Poured) != len(r.s.groups) || len(t.Removed) != len(r.s.removes) {
		return fmt.Errorf("has %d entries of bodies and %d of remove in column %q, expected %d and %d",
			len(t.Poured), len(t.Removed), comingsColumn, len(r.s.groups), len(r.s.removes))
	}
	for i := range t.Poured {
		p, pours := &t.Poured[i], r.s.groups[i].kind == "pour"
		if n := p.Bodies; n < 0 || n > r.s.groups[i].inflow.count || !pours && n > 0 || p.Tries < 0 || !(p.Mass >= 0) || int64(len(p.There)) > n {
			return fmt.Errorf("has %d bodies of %g kg, %d tries and %d ids of %s in column %q, expected at most %d bodies", n, p.Mass, p.Tries, len(p.There), r.s.groups[i].key,
				comingsColumn, r.s.groups[i].inflow.count)
		}
		for _, id := range p.There {
			if _, there := r.w.Bodies().Row(id); !there {
				return fmt.Errorf("has a body %d in column %q, which is not there", id, comingsColumn)
			}
		}
	}
	for _, a := range t.Removed {
		if a.Bodies < 0 || !(a.Mass >= 0) {
			return fmt.Errorf("has %d removed bodies of %g kg in column %q, expected no negative numbers", a.Bodies, a.Mass, comingsColumn)
		}
	}
	r.b.comings = t
	return nil
}

// ComingSummary is a number of bodies of an entry that came, wait or went.
type ComingSummary struct {
	Of     string  `json:"of"`               // name of the pour, or key of the entry
	Bodies int64   `json:"bodies"`           // number of bodies
	Mass   float64 `json:"mass"`             // kg, of them
	Reason string  `json:"reason,omitempty"` // why bodies wait
}

// summariseComings adds to a summary what came, waits and went.
func (r *runner) summariseComings(s *Summary) {
	t := r.b.comings
	if n, mass := r.w.Destroyed(); n > 0 {
		s.Removed = append(s.Removed, ComingSummary{Of: "domain", Bodies: int64(n), Mass: mass})
	}
	if t == nil {
		return
	}
	for i := range r.s.groups {
		g, p := &r.s.groups[i], &t.Poured[i]
		if g.kind != "pour" {
			continue
		}
		of := g.key
		if g.name != "" {
			of = g.name
		}
		s.Poured = append(s.Poured, ComingSummary{Of: of, Bodies: p.Bodies, Mass: p.Mass})
		waits := ComingSummary{Of: of}
		for k, mass := p.Bodies, p.Mass; ; k++ {
			h, _ := g.next(k)
			if mass += r.s.shapes[h].kilograms(); !g.inflow.isDue(k, mass, r.w.Time()) {
				break
			}
			waits.Bodies, waits.Mass = k+1-p.Bodies, mass-p.Mass
		}
		if waits.Bodies == 0 {
			continue
		}
		switch {
		case p.Tries == 0:
			waits.Reason = fmt.Sprintf("due after the last time at which bodies come, every %d steps", g.inflow.every)
		case p.Walls:
			waits.Reason = fmt.Sprintf("no free place for body %d in %d tries: walls are in the region", p.Bodies, p.Tries)
		default:
			waits.Reason = fmt.Sprintf("no free place for body %d in %d tries: bodies are in the region", p.Bodies, p.Tries)
		}
		s.Waiting = append(s.Waiting, waits)
	}
	for i, a := range t.Removed {
		s.Removed = append(s.Removed, ComingSummary{Of: fmt.Sprintf("remove[%d]", i), Bodies: a.Bodies, Mass: a.Mass})
	}
}
