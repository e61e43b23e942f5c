package scene

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// stage is one checked [[stage]] table.
type stage struct {
	key         string
	span, until float64 // s: of for, and of until; 0: none
	rest        bool    // until = "rest"
	speed       float64 // m/s; 0: any
	ratio       float64 // 0: any
	atMost      float64 // s
	dt          float64 // s
	damping     float64 // local, of bodies without their own
	laws        laws
	output      output
	settings    []effect         // what acts from its start on
	axes        map[int]vec.Vec3 // along which walls follow a load, by their number
}

// effect is one thing that a stage or a changed scene may set.
type effect struct {
	key   string // "walls.top.servo"
	at    string // the key in the file, for messages
	text  string // the value, to tell whether it differs
	apply func(s *Scene, b *Built, start float64) error
}

// rank orders what a stage sets: walls come before a servo names them, and go after it has ended.
func (e *effect) rank() int {
	switch {
	case strings.HasSuffix(e.key, ".add"):
		return 0
	case strings.HasSuffix(e.key, ".remove"):
		return 2
	}
	return 1
}

// laws is a table of laws and their kinds: what contacts remember has a meaning under laws of one kind.
type laws struct {
	table *force.Table
	kinds map[string]string // by the names of two materials, and of the others by ""
	text  string
}

// kindOf returns the kind of the law of two materials of a scene.
func (l *laws) kindOf(s *Scene, a, b soa.Material) string {
	if kind, ok := l.kinds[pairName(s.materials[a], s.materials[b])]; ok {
		return kind
	}
	return l.kinds[""]
}

func pairName(a, b string) string { return fmt.Sprintf("%q %q", min(a, b), max(a, b)) }

// restSteps is the number of steps in a row for which a stage must be at rest before it ends.
const restSteps = 100

// servoTol is how far a servo may miss its target at rest.
// Smaller: stages end later. Larger: the load of a sample at rest is less exact.
const servoTol = 0.01

// checkStages reads the stages. dt, laws and output of a stage are those of the one before unless it gives them.
func (s *checks) checkStages(d *document) {
	s.base = s.baseSettings(d)
	last := stage{dt: s.Dt, damping: s.localDamping, laws: s.laws, output: s.output}
	law, time := d.Law, 0.0 // time: when the stage begins; negative after one that ends at rest
	held := make([]engine.Fixed, len(s.groups))
	for i := range s.groups {
		if fixed := s.groups[i].course.fixed; fixed != nil {
			held[i] = *fixed
		}
	}
	courses := make([]wallCourse, len(s.walls))
	for i := range s.walls {
		courses[i] = s.walls[i].course
		s.checkAcross(s.walls[i].key, courses[i])
	}
	total, latest, shortest := int64(0), 0.0, math.Inf(1) // steps and the end at the latest, s; time step, s
	for i := range d.Stage {
		t, key := &d.Stage[i], fmt.Sprintf("stage[%d]", i)
		g := stage{axes: map[int]vec.Vec3{}, key: key, span: t.For, speed: t.Speed, ratio: t.Ratio, atMost: t.AtMost, dt: last.dt, damping: last.damping, laws: last.laws, output: last.output}
		g.until, _ = oneNumber(t.Until)
		g.rest = t.Until == "rest"
		s.demand(key+".until", g.until, !(g.until > 0 && time < 0), "for: the time at which a stage that ends at rest has ended is not known")
		s.demand(key+".until", g.until, g.until == 0 || time < 0 || g.until > time, fmt.Sprintf("a time after %g s, when the stage begins", time))
		if g.rest {
			s.demand(key+".until", "rest", g.atMost > 0, "at_most beside it: the time after which the stage ends in any case")
			s.demand(key+".until", "rest", g.speed > 0 || g.ratio > 0, "speed or ratio beside it: what counts as rest")
		} else if name := firstOf(map[string]float64{"speed": g.speed, "ratio": g.ratio, "at_most": g.atMost}); name != "" {
			s.fault(key+"."+name, `is given without until = "rest", expected both or neither`)
		}
		if t.Law != nil {
			if s.at.has(key + ".law.normal") {
				law.Normal = t.Law.Normal
			}
			if len(t.Law.Keys) > 0 {
				law.Keys = t.Law.Keys
			}
			if t.Law.Pair != nil {
				law.Pair = t.Law.Pair
			}
			g.laws = s.lawTables(key+".law", &law, d)
			g.settings = append(g.settings, effect{key: "law", at: key + ".law", text: g.laws.text})
		}
		if s.first == nil && t.Dt != nil {
			if g.dt, _ = oneNumber(t.Dt); t.Dt == "auto" {
				g.dt = s.advised(key+".dt", g.laws.table)
			}
		}
		if t.Dt != nil {
			g.settings = append(g.settings, effect{key: "dt", at: key + ".dt", text: fmt.Sprint(g.dt)})
		}
		if t.Output != nil {
			g.output = s.outputOf(key+".output", t.Output, g.dt)
			for name, given := range map[string]bool{"bodies": t.Output.Bodies != nil, "fields": t.Output.Fields != nil, "wrap": s.at.has(key + ".output.wrap")} {
				if given {
					s.fault(key+".output."+name, "is given in a stage, expected it in [output]: a stage replaces intervals alone")
				}
			}
		}
		s.stageSettings(key, t, &g, held, courses)
		if s.first != nil {
			return
		}
		length := g.span
		switch {
		case g.rest:
			length, time = g.atMost, math.Inf(-1)
		case g.until > 0:
			length, time = g.until-time, g.until
		default:
			time += g.span
		}
		latest, shortest = latest+length, min(shortest, g.dt)
		steps := math.Ceil(length / g.dt * (1 - 1e-12))
		if total += int64(min(steps, maxSteps)); total > maxSteps {
			s.fault(key, fmt.Sprintf("ends after %d steps, expected at most %d", total, int64(maxSteps)))
		}
		s.stages = append(s.stages, g)
		last = g
	}
	if n := len(s.stages); n > 0 {
		if s.end = d.Time.End; s.end > 0 {
			if s.Steps = int64(min(math.Ceil(s.end/shortest*(1-1e-12)), maxSteps)); s.end > latest*(1+1e-9) {
				s.warn("time.end", fmt.Sprintf("found %g s, and the stages end at %.6g s at the latest: they end the run", s.end, latest))
			}
		}
		s.Steps = min(cmp.Or(s.Steps, total), total)
		s.tryStages()
	}
}

// firstOf returns the first name, in order, whose number is not 0, or "".
func firstOf(of map[string]float64) string {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if of[name] != 0 {
			return name
		}
	}
	return ""
}

// baseSettings returns what acts from the start of the run on.
func (s *checks) baseSettings(d *document) (all []effect) {
	add := func(key, at, text string, apply func(*Scene, *Built, float64) error) {
		all = append(all, effect{key, at, text, apply})
	}
	gravity := s.fall
	if gravity == nil {
		gravity = engine.Constant(s.gravity)
	}
	add("gravity", "gravity.vector", timedVector{gravity}.String(), gravityTo(gravity))
	add("law", "law", s.laws.text, nil)
	add("dt", "time.dt", fmt.Sprint(s.Dt), nil)
	add("local_damping", "time.local_damping", s.dampingText(d.Time.LocalDamping), dampingTo(d.Time.LocalDamping))
	if s.isPeriodic() {
		all = append(all, s.cell.settings("domain", true)...)
	}
	for i := range s.walls {
		w := &s.walls[i]
		all = append(all, wallSettings(w.key, i, w.name, &w.course, true)...)
	}
	for i := range s.groups {
		g := &s.groups[i]
		c := g.course
		if c.fixed == nil {
			c.fixed = new(engine.Fixed)
		}
		c.force, c.torque = cmp.Or(c.force, engine.Constant(vec.Vec3{})), cmp.Or(c.torque, engine.Constant(vec.Vec3{}))
		all = append(all, bodySettings(g.key, i, cmp.Or(g.name, fmt.Sprint(i+1)), &c)...)
	}
	return all
}

// stageSettings appends what a stage sets. held are the components of each entry of bodies that are fixed, and courses
// what moves each wall, before and after.
func (s *checks) stageSettings(key string, t *stageTable, g *stage, held []engine.Fixed, courses []wallCourse) {
	if t.Gravity != nil {
		table := t.Gravity.Vector.table
		for _, v := range t.Gravity.Vector.values() {
			s.inPlane(key+".gravity.vector", v)
		}
		s.demand(key+".gravity", "no vector", table != nil, "vector")
		s.tooStrong(key+".gravity.vector", t.Gravity.Vector, s.leastOfAll(), g.dt)
		g.settings = append(g.settings, effect{"gravity", key + ".gravity", t.Gravity.Vector.String(), gravityTo(table)})
	}
	if t.LocalDamping != nil {
		g.damping = *t.LocalDamping
		g.settings = append(g.settings, effect{"local_damping", key + ".local_damping", s.dampingText(*t.LocalDamping), dampingTo(*t.LocalDamping)})
	}
	if t.Domain != nil {
		s.demand(key+".domain", plain("a table"), s.domain != engine.Domain{}, "a scene with [domain]")
		c := s.cellCourse(key+".domain", t.Domain.Rate, t.Domain.Servo)
		s.checkSides(key+".domain", &c, s.leastOfAll(), g.dt)
		g.settings = append(g.settings, c.settings(key+".domain", false)...)
	}
	first := len(g.settings)
	for _, name := range inOrder(t.Walls) {
		of, at := t.Walls[name], joined(key+".walls", name)
		i := s.wallNamed(at, name)
		if s.first != nil {
			return
		}
		c := s.wallCourse(at, of.Motion, of.Servo, of.Load, &s.walls[i])
		g.axes[i] = c.axis()
		courses[i] = c.after(courses[i])
		s.checkAcross(at, courses[i])
		if of.Add && of.Remove {
			s.fault(at+".remove", "is given beside add, expected one of them")
		}
		if of.Add {
			g.settings = append(g.settings, effect{joined("walls", name) + ".add", at + ".add", "true", func(s *Scene, b *Built, _ float64) error { return s.bringWall(b, i) }})
		}
		g.settings = append(g.settings, wallSettings(at, i, name, &c, false)...)
		if of.Remove {
			g.settings = append(g.settings, effect{joined("walls", name) + ".remove", at + ".remove", "true",
				func(s *Scene, b *Built, _ float64) error { return b.World.RemoveBody(b.walls[i]) }})
		}
	}
	slices.SortStableFunc(g.settings[first:], func(a, b effect) int { return a.rank() - b.rank() })
	for _, name := range inOrder(t.Bodies) {
		of, at := t.Bodies[name], joined(key+".bodies", name)
		i := slices.IndexFunc(s.groups, func(g bodyEntry) bool { return g.name == name })
		if i < 0 {
			var known []string
			for k := range s.groups {
				if s.groups[k].name != "" {
					known = append(known, s.groups[k].name)
				}
			}
			s.fault(at, found(name, cmp.Or("the name of an entry of [[bodies]]: "+among(known), "")))
			return
		}
		c := s.bodyCourse(at, of.Fixed, of.Velocity, of.Spin, of.Force, of.Torque, held[i])
		if c.fixed != nil {
			held[i] = *c.fixed
		}
		s.tooFast(at, of.Velocity, of.Spin, s.least(&s.groups[i]), g.dt)
		g.settings = append(g.settings, bodySettings(at, i, name, &c)...)
	}
}

func gravityTo(table *engine.TimeTable[vec.Vec3]) func(*Scene, *Built, float64) error {
	return func(_ *Scene, b *Built, start float64) error { return b.World.SetGravity(startingAt(table, start)) }
}

// dampingTo sets the local damping of all bodies: their own, or else share.
func dampingTo(share float64) func(*Scene, *Built, float64) error {
	return func(s *Scene, b *Built, _ float64) error {
		for i := range s.groups {
			for _, id := range s.idsOf(b, i) {
				if _, there := b.World.Bodies().Row(id); there {
					if err := b.World.SetLocalDamping(id, cmp.Or(s.groups[i].damping, share)); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}
}

// dampingText is the text of dampingTo.
func (s *Scene) dampingText(share float64) string {
	all := []float64{share}
	for i := range s.groups {
		if own := s.groups[i].damping; own > 0 {
			all = append(all, float64(i), own)
		}
	}
	return fmt.Sprint(all)
}

// wallSettings returns the settings of a wall. all includes those that are not given, which end what there was.
func wallSettings(at string, i int, name string, c *wallCourse, all bool) (list []effect) {
	for _, of := range []struct {
		name  string
		given bool
		only  wallCourse
	}{
		{"motion", c.motion != nil || c.off.motion, wallCourse{motion: c.motion, off: struct{ motion, servo, load bool }{motion: c.motion == nil}}},
		{"servo", c.servo != nil || c.off.servo, wallCourse{servo: c.servo, off: struct{ motion, servo, load bool }{servo: c.servo == nil}}},
		{"load", c.load != nil || c.off.load, wallCourse{load: c.load, off: struct{ motion, servo, load bool }{load: c.load == nil}}},
	} {
		if of.given || all {
			only := of.only
			list = append(list, effect{joined("walls", name) + "." + of.name, at + "." + of.name, c.texts[of.name],
				func(_ *Scene, b *Built, start float64) error { return only.apply(b, i, start) }})
		}
	}
	return list
}

// bodySettings returns the settings of an entry of bodies that are given.
func bodySettings(at string, i int, name string, c *bodyCourse) (list []effect) {
	for _, of := range []struct {
		name  string
		given bool
		only  bodyCourse
	}{
		{"fixed", c.fixed != nil, bodyCourse{fixed: c.fixed, vel: c.vel, spin: c.spin}}, {"velocity", c.fixed == nil && c.vel != nil, bodyCourse{vel: c.vel}},
		{"spin", c.fixed == nil && c.spin != nil, bodyCourse{spin: c.spin}}, {"force", c.force != nil, bodyCourse{force: c.force}},
		{"torque", c.torque != nil, bodyCourse{torque: c.torque}},
	} {
		if of.given {
			only := of.only
			list = append(list, effect{joined("bodies", name) + "." + of.name, at + "." + of.name, c.texts[of.name],
				func(s *Scene, b *Built, start float64) error { return only.apply(b.World, s.idsOf(b, i), start) }})
		}
	}
	return list
}

// tryStages applies the stages to small worlds, so that what the engine refuses is refused before the run.
func (s *checks) tryStages() {
	for n := 0; n < len(s.stages) && s.first == nil; n++ {
		s.tryStage(n)
	}
}

// tryStage moves the walls of sample as the scene does from the start through stage n, and checks the time step.
func (s *checks) tryStage(n int) {
	g := &s.stages[n]
	w, err := s.sample(g.laws.table, true)
	if err != nil {
		s.failAt(g.key, err)
		return
	}
	defer w.Close()
	b := &Built{World: w, walls: w.Walls()}
	for i := range s.walls {
		if s.walls[i].absent {
			_ = w.RemoveBody(b.walls[i]) // It was added just now.
		} else if s.walls[i].course.apply(b, i, 0) != nil {
			return // Build refuses it.
		}
	}
	apply := func(list []effect, check bool) {
		for _, to := range list {
			i := slices.IndexFunc(s.walls, func(v wall) bool { return strings.HasPrefix(to.key, joined("walls", v.name)+".") })
			if i < 0 {
				continue
			}
			err := to.apply(s.Scene, b, 0)
			if check && err == nil {
				_, err = w.CheckTimeStep(g.dt)
			}
			if err != nil {
				s.failAt(to.at, err)
				return
			}
		}
	}
	for k := range n {
		apply(s.stages[k].settings, false)
	}
	_, early := w.CheckTimeStep(g.dt)
	apply(g.settings, early == nil)
	if _, err := w.CheckTimeStep(g.dt); early != nil && err != nil { // The walls as they were are too fast or too light, and still are.
		for _, key := range []string{g.key + ".dt", g.key + ".law"} {
			if s.at.has(key) {
				s.failAt(key, err)
			}
		}
	}
}

// settingsUpTo returns the last setting of each key from the start through stage n, and the stage it is of.
func (s *Scene) settingsUpTo(n int) (all map[string]effect, of map[string]int) {
	all, of = map[string]effect{}, map[string]int{}
	for _, to := range s.base {
		all[to.key] = to
	}
	for k := range min(n, len(s.stages)) {
		for _, to := range s.stages[k].settings {
			all[to.key], of[to.key] = to, k+1
		}
	}
	return all, of
}

// lawsOf returns the laws of stage n, or those before the first.
func (s *Scene) lawsOf(n int) *laws {
	if n = min(n, len(s.stages)); n > 0 {
		return &s.stages[n-1].laws
	}
	return &s.laws
}

// differing returns the keys of settings whose texts differ, in order.
func differing(now map[string]effect, was map[string]string) (list []string) {
	for _, key := range inOrder(now) {
		if now[key].text != was[key] {
			list = append(list, key)
		}
	}
	return list
}

// joinedKeys returns keys as in a sentence.
func joinedKeys(list []string) string { return keys.Joined(list, " and ") }
