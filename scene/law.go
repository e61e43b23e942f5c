package scene

import (
	"fmt"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// tangentialShare is the default ratio of tangential to normal stiffness: 2(1−ν)/(2−ν) of Mindlin
// 1949 for bodies with Poisson's ratio ν = 1/3.
// Another value: scenes without one behave otherwise.
const tangentialShare = 0.8

func (s *checks) checkLaw(d *document) {
	if d.Law.Stiffness == nil && d.Law.Modulus == nil {
		s.fault("law.stiffness", missing("a stiffness > 0 N/m"))
	}
	start := law{Linear: force.Linear{Restitution: 1, ByRestitution: true, Kt: tangentialShare, Kn: 1}, normal: thicknessLaw}
	base := s.readLaw("law", &d.Law.lawKeys, start, d)
	var err error
	if s.law, err = force.NewTable(len(s.materials), base.parameters()); err != nil {
		s.fail(s.at.because("law", err))
	}
	given := map[[2]int]int{}
	for i := range d.Law.Pair {
		key := fmt.Sprintf("law.pair[%d]", i)
		p := &d.Law.Pair[i]
		s.demand(key+".materials", p.Materials, len(p.Materials) == 2, "the names of two materials")
		if s.first != nil {
			return
		}
		m := [2]int{s.material(key+".materials", p.Materials[0]), s.material(key+".materials", p.Materials[1])}
		slices.Sort(m[:])
		if other, ok := given[m]; ok {
			s.fault(key+".materials", found(p.Materials, fmt.Sprintf("a pair other than that of law.pair[%d]", other)))
		}
		given[m] = i
		l := s.readLaw(key, &p.lawKeys, base, d)
		if err := s.law.Set(soa.Material(m[0]), soa.Material(m[1]), l.parameters()); err != nil {
			s.fail(s.at.because(key, err))
		}
	}
}

// law holds the law of a scene: the name of the law, and the parameters of all laws in the fields
// of force.Linear.
type law struct {
	force.Linear
	normal string
	area   float64 // exponent of the patch area; if not 0, Kn and Kt are moduli
}

// The values of the key normal.
const (
	linearLaw    = "linear"
	thicknessLaw = "thickness"
)

// wantExponent is the text on valid values of area_exponent.
const wantExponent = "0.5, for a modulus in Pa, or 1, for one in Pa/m"

// parameters returns the law for the engine.
func (l *law) parameters() force.Parameters {
	if l.normal == thicknessLaw {
		e := l.Restitution
		if !l.ByRestitution {
			e = 1 // the scene has damping = 0
		}
		return force.Thickness{
			Stiffness: l.Kn, Tangential: l.Kt, Friction: l.Mu, Restitution: e, AreaExponent: l.area, ReferenceGap: l.ReferenceGap, Interaction: l.Interaction,
		}
	}
	return l.Linear
}

// checkThickness rejects the keys that the thickness law does not have. It also rejects a positive
// reference gap with a modulus.
func (s *checks) checkThickness(key string, l *law) {
	none := func(name string, value any, has bool) {
		if has {
			s.fault(key+"."+name, found(value, fmt.Sprintf("normal = %q beside it: the law of %s has only stiffness, tangential_stiffness, "+
				"friction, restitution and reference_gap, or modulus and area_exponent", linearLaw, thicknessLaw)))
		}
	}
	none("damping", l.Dn, l.Dn != 0)
	none("tangential_damping", l.Dt, l.Dt != 0)
	none("tension", l.Tension, l.Tension)
	s.demand(key+".reference_gap", l.ReferenceGap, l.ReferenceGap <= 0 || l.area == 0, "at most 0 m beside a modulus: bodies that are apart have no patch")
}

// checkModulus rejects a modulus or an area exponent without the other, a modulus with a stiffness,
// and a modulus in a law without one.
func (s *checks) checkModulus(key string, k *lawKeys, l *law) {
	switch {
	case k.Modulus != nil && k.Stiffness != nil:
		s.fault(key+".modulus", "is given beside stiffness, expected one of the two")
	case k.AreaExponent != nil && k.Modulus == nil:
		s.fault(key+".area_exponent", "is given without modulus, expected both")
	case k.Modulus != nil && l.area == 0:
		s.fault(key+".area_exponent", missing(wantExponent))
	case k.Modulus != nil && s.planar:
		s.fault(key+".modulus", "is given with dim = 2, expected stiffness: a patch has no area in two dimensions")
	case l.area != 0 && l.normal != thicknessLaw && k.Modulus != nil:
		s.fault(key+".modulus", fmt.Sprintf("is given with normal = %q, expected normal = %q, or stiffness", l.normal, thicknessLaw))
	case l.area != 0 && l.normal != thicknessLaw:
		s.fault(key+".stiffness", missing(fmt.Sprintf("a stiffness > 0 N/m: the law of other pairs has a modulus, normal = %q none", l.normal)))
	}
}

// readLaw returns the law base with the given keys replaced. A stiffness without a tangential
// stiffness preserves their ratio. A damping replaces a restitution, and a restitution replaces a
// damping.
func (s *checks) readLaw(key string, k *lawKeys, base law, d *document) law {
	if k.Normal != nil {
		s.choice(key+".normal", *k.Normal, thicknessLaw, linearLaw)
	}
	positive, notNegative := func(x float64) bool { return x > 0 }, func(x float64) bool { return x >= 0 }
	given := func(name string, x *float64, ok func(x float64) bool, want string) {
		if x != nil {
			s.demand(key+"."+name, *x, ok(*x), want)
		}
	}
	given("stiffness", k.Stiffness, positive, "a stiffness > 0 N/m")
	given("modulus", k.Modulus, positive, "a modulus > 0 Pa, or Pa/m with area_exponent = 1")
	given("area_exponent", k.AreaExponent, func(x float64) bool { return x == 0.5 || x == 1 }, wantExponent)
	given("tangential_stiffness", k.TangentialStiffness, notNegative, "a stiffness ≥ 0 N/m")
	given("friction", k.Friction, notNegative, "a coefficient ≥ 0")
	given("restitution", k.Restitution, func(x float64) bool { return x > 0 && x <= 1 }, "a restitution > 0 and ≤ 1")
	given("damping", k.Damping, notNegative, "a coefficient ≥ 0 N·s/m")
	given("tangential_damping", k.TangentialDamping, notNegative, "a coefficient ≥ 0 N·s/m")
	if k.Restitution != nil && k.Damping != nil {
		s.fault(key+".damping", found(*k.Damping, "none beside restitution: one of the two"))
	}
	l := base
	set(&l.normal, k.Normal)
	switch {
	case k.Modulus != nil:
		l.Kn, l.Kt = *k.Modulus, *k.Modulus*(base.Kt/base.Kn)
		set(&l.area, k.AreaExponent)
	case k.Stiffness != nil:
		l.Kn, l.Kt, l.area = *k.Stiffness, *k.Stiffness*(base.Kt/base.Kn), 0
	}
	s.checkModulus(key, k, &l)
	set(&l.Kt, k.TangentialStiffness)
	set(&l.Mu, k.Friction)
	set(&l.Dt, k.TangentialDamping)
	set(&l.ReferenceGap, k.ReferenceGap)
	if k.Restitution != nil {
		l.ByRestitution, l.Restitution, l.Dn = true, *k.Restitution, 0
	}
	if k.Damping != nil {
		l.ByRestitution, l.Restitution, l.Dn = false, 0, *k.Damping
	}
	set(&l.Tension, k.Tension)
	s.demand(key+".tangential_stiffness", l.Kt, l.Mu <= 0 || l.Kt != 0, "a stiffness > 0 N/m where there is friction")
	l.Interaction = max(d.Contact.Interaction, l.ReferenceGap)
	if l.normal == thicknessLaw {
		s.checkThickness(key, &l)
	}
	return l
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// elsewhere lists values of keys that only later releases have.
var elsewhere = map[string][]string{
	"contact.location": {"potential"},
}

// choice checks that word is one of the known values. An absent key stands for the first value.
func (s *checks) choice(key, word string, known ...string) {
	switch {
	case word == "" && !s.at.has(key) || slices.Contains(known, word):
	case slices.Contains(elsewhere[key], word):
		s.fault(key, unavailable(fmt.Sprintf("%q", word)))
	default:
		s.fault(key, found(word, inWords(known, " or ")))
	}
}

func (s *checks) checkContact(d *document) {
	c := &d.Contact
	s.choice("contact.method", c.Method, narrow.MethodNames()...)
	s.choice("contact.location", c.Location, "reduced", "full", "none")
	notNegative := func(key string, x float64) { s.demand(key, x, x >= 0, "a number ≥ 0") }
	notNegative("contact.interaction", c.Interaction)
	notNegative("contact.relief.cap", c.Relief.Cap)
	timed := c.Relief.Time > 0 || c.Relief.Time == 0 && (c.Relief.Cap == 0 || !s.at.has("contact.relief.time"))
	s.demand("contact.relief.time", c.Relief.Time, timed, "a time > 0 s, or 0 beside a cap of 0")
	notNegative("broad.skin", d.Broad.Skin)
	notNegative("broad.horizon", d.Broad.Horizon)
	if depth, time := s.at.has("contact.relief.cap"), s.at.has("contact.relief.time"); depth != time {
		key := "contact.relief.time"
		if time {
			key = "contact.relief.cap"
		}
		s.fault(key, missing("both cap and time: without cap all of an overlap is forgiven, without time nothing"))
	}
	if c.Method != "" {
		s.method, _ = narrow.ParseMethod(c.Method)
		published := s.method == narrow.FDSPaper
		s.demand("output.checkpoint_every", d.Output.CheckpointEvery, !published || d.Output.CheckpointEvery == 0,
			`0 with contact.method = "fds-paper", whose lists of contacts are in no checkpoint`)
		s.demand("contact.method", c.Method, !published || s.law == nil || !s.law.Overlaps() && s.law.Reach() == 0,
			`a law that reads gaps with "fds-paper": [law] normal = "linear", without an interaction distance`)
	}
	s.location = map[string]engine.Location{"none": engine.Witness, "full": engine.Full}[c.Location]
	if s.at.has("contact.location") && !s.law.UsesLocation() {
		s.warn("contact.location", fmt.Sprintf("has no effect, for all laws are %q: they act at the centroid of the overlap", thicknessLaw))
	}
	s.relief = engine.Relief{Cap: c.Relief.Cap, Time: c.Relief.Time}
	s.skin, s.horizon = d.Broad.Skin, d.Broad.Horizon
}
