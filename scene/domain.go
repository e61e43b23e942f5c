package scene

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

type domainTable struct {
	Box   *[2]vec.Vec3    `key:"box" unit:"m" default:"required" doc:"the least corner and the greatest. Along a periodic axis at least twice the diameter of the largest body"`
	X     string          `key:"x" words:"sides" default:"open" doc:"what the two sides across x do"`
	Y     string          `key:"y" words:"sides" default:"open" doc:"likewise"`
	Z     string          `key:"z" words:"sides" default:"open" doc:"likewise"`
	Rate  *cellRateTable  `key:"rate" form:"a table { xx, yy, zz }" doc:"changes the lengths of the box along periodic axes"`
	Servo *cellServoTable `key:"servo" form:"a table { stress, max_rate }" doc:"changes the lengths of the box until the bodies press on its sides with given stresses"`
}

// cellRateTable has the rates of engine.World.SetCellRate.
type cellRateTable struct {
	Off bool        // rate = false
	XX  timedNumber `key:"xx" unit:"1/s" default:"0" doc:"rate at which the length along x grows, of the present length"`
	YY  timedNumber `key:"yy" unit:"1/s" default:"0" doc:"likewise along y"`
	ZZ  timedNumber `key:"zz" unit:"1/s" default:"0" doc:"likewise along z"`
}

// rateKeys are the keys of the rates, by axis.
var rateKeys = [...]string{"xx", "yy", "zz"}

// cellServoTable has the fields of engine.CellServo.
type cellServoTable struct {
	Off     bool       // servo = false
	Stress  cellStress `key:"stress" unit:"Pa" default:"required" doc:"along x, y and z; > 0 presses. A free axis follows rate"`
	Gain    float64    `key:"gain" default:"0.5" bounds:"> 0 and ≤ 0.999" doc:"share of what is missing that a step makes up for"`
	MaxRate float64    `key:"max_rate" unit:"1/s" default:"required" bounds:"> 0" doc:"highest rate, and the rate while no contact is across the sides"`
}

func (t *cellRateTable) end()         { t.Off = true }
func (t *cellServoTable) end()        { t.Off = true }
func (t *cellRateTable) ended() bool  { return t.Off }
func (t *cellServoTable) ended() bool { return t.Off }

// stageDomainTable is what a stage changes of the domain.
type stageDomainTable struct {
	Rate  *cellRateTable  `key:"rate" form:"as [domain.rate], or false" doc:"replaces the rates; false ends them"`
	Servo *cellServoTable `key:"servo" form:"as [domain.servo], or false" doc:"replaces the servo; false ends it"`
}

// cellStress is a list of three: a number, a table of time or "free".
type cellStress struct {
	axes [3]timedNumber // without a table: free
}

// free is the word for an axis without a stress.
const free = "free"

// Form returns the form of the value, for messages.
func (cellStress) Form() string {
	return `a list of three [sx, sy, sz], each a number, a table of time [[t, number], …], or "free"`
}

// String returns all points.
func (v cellStress) String() string { return fmt.Sprint(v.axes) }

// read implements timedValue.
func (v *cellStress) read(c *decoder, l location, k *keys.Key, n *unstable.Node) error {
	i := 0
	if n.Kind == unstable.Array {
		for it := n.Children(); it.Next(); i++ {
			of, at := it.Node(), l.entry(i)
			if i >= len(v.axes) || of.Kind == unstable.String && string(of.Data) == free {
				continue
			}
			if err := v.axes[i].read(c, at, k, of); err != nil {
				return err
			}
		}
	}
	if i != len(v.axes) {
		return c.fault(l.path(), found(plain("another value"), k.Wants()))
	}
	return nil
}

// cellCourse is what deforms the domain, from the start of the run or of a stage on. A nil field leaves what there is.
type cellCourse struct {
	rate  *[3]*engine.TimeTable[float64]
	servo *engine.CellServo // its maximal rate is 0 if it ends
}

// checkDomain reads the domain.
func (s *checks) checkDomain(d *document) {
	t := d.Domain
	if t == nil {
		return
	}
	s.domain.Box = s.box("domain.box", t.Box)
	size := s.domain.Box.Size()
	s.demand("domain.box", [][]float64{asList(t.Box[0]), asList(t.Box[1])}, size.X > 0 && size.Y > 0 && (size.Z > 0 || s.planar), "two corners with a volume between them")
	for axis, side := range [...]string{t.X, t.Y, t.Z} {
		for k, name := range engine.Sides() {
			if name == side {
				s.domain.Sides[axis] = engine.Side(k)
			}
		}
	}
	if s.planar {
		s.demand("domain.z", t.Z, s.domain.Sides[2] == engine.Open, `"open" with dim = 2`)
		s.domain.Box.Min.Z, s.domain.Box.Max.Z = 0, 0
	}
	if s.hasSides() {
		s.demand("time.integrator", d.Time.Integrator, d.Time.Integrator != engine.PositionVerlet.String(), `"verlet" with sides of the domain`)
		s.demand("contact.method", d.Contact.Method, d.Contact.Method != "fds-paper", "another method with sides of the domain")
	}
	s.cell = s.cellCourse("domain", t.Rate, t.Servo)
}

// inDomain rejects a region of generated bodies beyond a side of the domain that does something with them.
func (s *checks) inDomain(key string, g *region) {
	for axis, side := range s.domain.Sides {
		lo, hi := asList(s.domain.Box.Min)[axis], asList(s.domain.Box.Max)[axis]
		if side == engine.Open && s.hasSides() && (asList(g.box.Min)[axis] > hi || asList(g.box.Max)[axis] < lo) ||
			side != engine.Open && !(asList(g.box.Min)[axis] >= lo && asList(g.box.Max)[axis] <= hi) {
			s.fault(key+"."+g.key, fmt.Sprintf("reaches from %.6g m to %.6g m along %c, expected it in the domain, whose sides are %v at %.6g m and %.6g m",
				asList(g.box.Min)[axis], asList(g.box.Max)[axis], "xyz"[axis], side, lo, hi))
			return
		}
	}
}

// cellCourse checks the tables that deform the domain.
func (s *checks) cellCourse(key string, rate *cellRateTable, servo *cellServoTable) (c cellCourse) {
	periodic := func(key string, axis int, given bool) {
		if side := s.domain.Sides[axis]; given && side != engine.Periodic {
			s.fault(key, fmt.Sprintf("deforms the domain along %c, where its sides are %v, expected %q", "xyz"[axis], side, engine.Periodic))
		}
	}
	if rate != nil {
		c.rate = &[3]*engine.TimeTable[float64]{}
		for axis, v := range [...]timedNumber{rate.XX, rate.YY, rate.ZZ} {
			if periodic(key+".rate."+rateKeys[axis], axis, v.table != nil); !rate.Off {
				c.rate[axis] = v.table
			}
		}
	}
	if rate != nil && servo != nil && !rate.Off && !servo.Off {
		for axis, v := range [...]timedNumber{rate.XX, rate.YY, rate.ZZ} {
			if v.table != nil && servo.Stress.axes[axis].table != nil {
				s.fault(key+".rate."+rateKeys[axis], fmt.Sprintf("is given beside a stress along %c, expected one of them, or %q in servo.stress", "xyz"[axis], free))
			}
		}
	}
	if rate != nil && !rate.Off && rate.XX.table == nil && rate.YY.table == nil && rate.ZZ.table == nil {
		s.fault(key+".rate", missing("xx, yy or zz"))
	}
	if servo != nil && !servo.Off && servo.Stress.axes == [3]timedNumber{} {
		s.fault(key+".servo.stress", fmt.Sprintf("is %q along all axes, expected a stress along one at least", free))
	}
	if servo != nil {
		c.servo = &engine.CellServo{Gain: servo.Gain, MaxRate: servo.MaxRate}
		for axis, v := range servo.Stress.axes {
			periodic(entry(key+".servo.stress", axis), axis, v.table != nil)
			c.servo.Stress[axis] = v.table
		}
		if servo.Off {
			c.servo.MaxRate = 0
		}
	}
	return c
}

// checkSides rejects a box too far out for the smallest body, of the given size, and sides that move by it in a time step.
func (s *checks) checkSides(key string, c *cellCourse, size, dt float64) {
	box := s.domain.Box
	if far := max(box.Min.MaxAbs(), box.Max.MaxAbs()); far > farSizes*size {
		s.fault("domain.box", atMost(far, farSizes*size, fmt.Sprintf("m from the origin, for a smallest body of %.3g m", size)))
	}
	check := func(key string, rate, length float64) {
		if most := size / (dt * length); math.Abs(rate) > most {
			s.fault(key, atMost(math.Abs(rate), most, fmt.Sprintf("1/s: in a time step of %g s the sides would move by the size of the smallest body, %.3g m", dt, size)))
		}
	}
	lengths := asList(box.Size())
	for axis, length := range lengths {
		if c.rate != nil {
			for _, rate := range (timedNumber{c.rate[axis]}).values() {
				check(key+".rate."+rateKeys[axis], rate, length)
			}
		}
		if c.servo != nil && c.servo.Stress[axis] != nil {
			check(key+".servo.max_rate", c.servo.MaxRate, length)
		}
	}
}

// keyOfWall returns the key of the wall that an error names, or that of the domain.
func (s *Scene) keyOfWall(b *Built, err error) string {
	if wall := (*engine.WallError)(nil); errors.As(err, &wall) {
		if i := slices.Index(b.walls, wall.Wall); i >= 0 && s.walls[i].plane {
			return s.walls[i].key + ".plane.normal"
		} else if i >= 0 {
			return s.walls[i].key + ".file"
		}
	}
	return "domain"
}

// inPeriod rejects a region to measure that reaches beyond a periodic side, where no images are.
func (s *checks) inPeriod(key string, b vec.Box) {
	for axis, side := range s.domain.Sides {
		lo, hi := asList(s.domain.Box.Min)[axis], asList(s.domain.Box.Max)[axis]
		if from, to := asList(b.Min)[axis], asList(b.Max)[axis]; side == engine.Periodic && !(from >= lo && to <= hi) {
			s.fault(key, fmt.Sprintf("reaches from %.6g m to %.6g m along %c, expected it in the box of the domain, from %.6g m to %.6g m: it sees the images there", from, to, "xyz"[axis], lo, hi))
			return
		}
	}
}

// settings returns what a course sets. all includes what is not given, which ends what there was.
func (c *cellCourse) settings(at string, all bool) (list []effect) {
	if c.rate != nil || all {
		rate, text := [3]*engine.TimeTable[float64]{}, ""
		if c.rate != nil {
			rate = *c.rate
			for _, table := range rate {
				text += timedNumber{table}.String() + " "
			}
		}
		list = append(list, effect{"domain.rate", at + ".rate", text, func(_ *Scene, b *Built, start float64) error {
			return b.World.SetCellRate(allStartingAt(rate, start))
		}})
	}
	if c.servo != nil || all {
		servo, text := c.servo, ""
		if servo != nil && servo.MaxRate > 0 {
			text = fmt.Sprint(servo.Gain, servo.MaxRate)
			for _, table := range servo.Stress {
				text += " " + timedNumber{table}.String()
			}
		}
		list = append(list, effect{"domain.servo", at + ".servo", text, func(_ *Scene, b *Built, start float64) error {
			if text == "" {
				return b.World.SetCellServo(nil)
			}
			v := *servo
			v.Stress = allStartingAt(v.Stress, start)
			return b.World.SetCellServo(&v)
		}})
	}
	return list
}

func allStartingAt(tables [3]*engine.TimeTable[float64], start float64) [3]*engine.TimeTable[float64] {
	for i, b := range tables {
		tables[i] = startingAt(b, start)
	}
	return tables
}

// hasSides reports whether some sides of the domain do something.
func (s *Scene) hasSides() bool { return s.domain.Sides != [3]engine.Side{} }

// destroys reports whether some sides of the domain remove bodies.
func (s *Scene) destroys() bool { return slices.Contains(s.domain.Sides[:], engine.Destroy) }

// isPeriodic reports whether some sides of the domain are periodic.
func (s *Scene) isPeriodic() bool { return slices.Contains(s.domain.Sides[:], engine.Periodic) }

// addDomain adds the columns of a periodic domain: the lengths of its box.
func (r *runner) addDomain() {
	if r.s.isPeriodic() {
		r.means.add("domain", []string{"domain_x", "domain_y", "domain_z"}, sample, func(to []float64) {
			for axis, a := range r.w.Cell() {
				to[axis] = a.Length
			}
		})
	}
}

// home returns how far frames displace a body, m: into the box of the domain.
func (r *runner) home(id soa.ID) vec.Vec3 {
	if !r.s.wrap {
		return vec.Vec3{}
	}
	return r.w.ToBox(id)
}
