package engine

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// TimeStep holds the limits of the time step, s, that follow from stiffnesses, dashpots and masses.
// A limit is infinite if no two bodies can meet.
type TimeStep struct {
	// Contact is the shortest duration of a head-on impact, π·√(m/k)/√(1−ζ²), over all pairs of
	// materials that may meet. Each impact is between the lightest bodies of the two materials.
	Contact float64
	// Stable is the step above which a single contact gains energy without bound. The contact is a
	// spring and dashpot in a head-on impact, or a spring where the bodies' inverse effective
	// masses are largest. Step rejects longer steps.
	Stable float64
	// Packed is the stable limit for bodies with six evenly spread, sticking contacts each, where
	// the bodies' inverse effective masses are largest, and for clumps that lie on all of their pieces. It includes springs and dashpots. Bodies in
	// a dense heap have about that many contacts. CheckTimeStep warns of a longer step.
	Packed float64
	// Advised is the step above which CheckTimeStep warns, in addition to Packed. For a law with a
	// potential it is advisedFine of the duration of a head-on impact without dashpots, π·√(m/k).
	// For other laws it is advisedShare of Contact. It is at most Stable.
	Advised float64

	fine, pathwise float64 // s, shortest impacts: without dashpots, of laws with a potential; with dashpots, of other laws
	wrong          string  // the first result of a law's Springs that is negative or NaN; empty if there is none
}

// advisedShare is the share of the contact time above which CheckTimeStep warns.
// Another value: only the warning.
const advisedShare = 0.1

// advisedFine is the same share for laws with a potential. Such a step conserves the energy of an
// impact to about 1e-4. The error of the time step is the only error of such a law, and it falls
// with the square of the step.
// Another value: only the warning.
const advisedFine = 1.0 / 50

// chatterShare bounds µ·ω·dt, with ω = √(k/m), for contacts whose tangential dashpot is too strong
// for the step. Such a dashpot reverses the slip in every step, but friction limits its force to
// µ·f. The energy of this chatter is (µ·ω·dt/2)² of the energy in the normal spring: a hundredth if
// µ·ω·dt equals chatterShare.
// Smaller: steps that friction makes harmless are refused. Larger: sticking contacts shake.
const chatterShare = 0.2

// expectedOverlap is the overlap, as a share of the thinnest body's size, at which TimeStep
// evaluates laws that stiffen with overlap. A run in which bodies overlap more no longer simulates
// rigid bodies.
const expectedOverlap = 0.01

// packedContacts is the number of contacts per body in TimeStep.Packed. It is Maxwell's count for
// balls without friction: two contacts for each of three translations. Packings of balls have 6
// contacts per ball, heaps with friction 4 to 6.
// Another value: only the warning.
const packedContacts = 6

// TimeStep returns the limits of the time step for the present bodies and laws.
//
// A step is stable if 4M − 2dt·C − dt²·K is positive definite. M, C and K are the matrices of
// masses, dashpots and springs; C and K are symmetric and positive semidefinite. Proof: the step
// computes x₊ − 2x + x₋ = −M⁻¹·(dt²·K·x + dt·C·(x − x₋)). A mode u grows unless both roots of mλ² +
// (dt²k + dt·c − 2m)·λ + m − dt·c lie in the unit circle, where m, c and k are uᵀMu, uᵀCu and uᵀKu.
// The condition is 4m − 2dt·c − dt²·k ≥ 0.
//
// A contact of spring k and dashpot c therefore counts as D = dt²·k + 2dt·c, and a single contact
// is stable up to D/m = 4. With c = 2ζ·√(k·m) the limit is dt = 2·(√(1+ζ²) − ζ)·√(m/k). 1/m is the
// sum of the inverse masses of both bodies.
func (w *World) TimeStep() TimeStep {
	t := noLimit()
	overlap := expectedOverlap * stepBounds{w}.thinnest()
	t.overPairs(w.law, func(growth float64) []lightest { return stepBounds{w}.lightestOf(growth, overlap) }, overlap)
	stepBounds{w}.packClumps(&t, overlap)
	return t
}

// packClumps adds to Packed the limits of clumps that lie on all of their pieces. Clumps of the same number of pieces, mass
// and first material, one behind the other, count once.
func (w stepBounds) packClumps(t *TimeStep, overlap float64) {
	type kind struct {
		pieces   int
		inverse  float64
		material soa.Material
	}
	last, b := kind{}, &w.bodies
	for i, inverse := range b.InvMass {
		first := b.FirstPiece[i]
		k := kind{int(b.FirstPiece[i+1] - first), inverse, 0}
		if k.pieces <= packedContacts/3 || inverse == 0 {
			continue
		}
		if k.material = w.space.Pieces.Material[first]; k == last {
			continue
		}
		last = k
		for other := range soa.Material(min(w.law.Materials(), squareMaterials)) {
			s := t.springs(w.law.At(k.material, other), 1/inverse, overlap)
			all := float64(float64(k.pieces) * inverse)
			t.Packed = min(t.Packed, longest(float64(s.Normal*all), float64(s.NormalDashpot*all)), longest(float64(s.Tangent*all), float64(s.TangentDashpot*all)))
		}
	}
}

// noLimit returns the limits of a world without contacts.
func noLimit() TimeStep {
	never := math.Inf(1)
	return TimeStep{Contact: never, Stable: never, Packed: never, Advised: never, fine: never, pathwise: never}
}

// springs returns Springs of a law, and records in t.wrong a result that is negative or NaN.
func (t *TimeStep) springs(l force.Law, mass, overlap float64) force.Springs {
	s := l.Springs(mass, overlap)
	if t.wrong == "" && !(s.Normal >= 0 && s.NormalDashpot >= 0 && s.Tangent >= 0 && s.TangentDashpot >= 0 && s.Friction >= 0) {
		t.wrong = fmt.Sprintf("Springs of the law %T gives %+v for a mass of %.3g kg and an overlap of %.3g m, expected numbers ≥ 0", l, s, mass, overlap)
	}
	return s
}

// impact adds the limits of a head-on impact of the given effective mass.
func (t *TimeStep) impact(l force.Law, mass, overlap float64) {
	s := t.springs(l, mass, overlap)
	swing := math.Sqrt(mass / s.Normal)
	zeta := s.NormalDashpot / (2 * math.Sqrt(float64(s.Normal*mass)))
	contact := math.Pi * swing
	if zeta < 1 {
		contact /= math.Sqrt(1 - float64(zeta*zeta))
	}
	if l.Needs().Potential {
		t.fine = min(t.fine, math.Pi*swing)
	} else {
		t.pathwise = min(t.pathwise, contact)
	}
	t.Contact = min(t.Contact, contact)
}

// add adds the limits of the contacts of two bodies.
func (t *TimeStep) add(l force.Law, a, b inverseMass, overlap float64) {
	inverse, normal, tangent := a.inverse+b.inverse, a.normal+b.normal, a.tangent+b.tangent
	s := t.springs(l, 1/inverse, overlap)
	kn, dn, kt, dt := s.Normal, s.NormalDashpot, s.Tangent, s.TangentDashpot
	t.Stable = min(t.Stable, longest(float64(kn*inverse), float64(dn*inverse)),
		longest(float64(kn*(a.tilted+b.tilted)), 0), longest(float64(kt*tangent), 0))
	if bound := chatterShare / s.Friction / math.Sqrt(float64(kn*normal)); dt > 0 {
		t.Stable = min(t.Stable, max(longest(float64(kt*tangent), float64(dt*tangent)), bound))
	}
	// Each of three translations and three rotations gets a third of the sum over the contacts.
	const share = packedContacts / 3
	lever, turning := normal-inverse, a.turning+b.turning
	turned := s
	if l.Needs().Overlap {
		turned = t.springs(l, 1/normal, overlap) // dashpots for the effective mass along the normal
	}
	dnTurned, dtTurned := turned.NormalDashpot, turned.TangentDashpot
	t.Packed = min(t.Packed,
		longest(share*float64((kn+kt+kt)*inverse), share*float64((dn+dt+dt)*inverse)),
		longest(share*(float64(kn*lever)+float64(kt*turning)), share*(float64(dnTurned*lever)+float64(dtTurned*turning))))
	t.Advised = min(advisedShare*t.pathwise, advisedFine*t.fine, t.Stable)
}

// longest returns the step dt for which dt²·k + 2dt·c is 4, where k and c are the stiffness and the
// damping divided by the mass.
func longest(k, c float64) float64 {
	// 4/(c + √(c² + 4k)) is the form of the root without cancellation.
	if dt := 4 / (c + math.Sqrt(float64(c*c)+float64(4*k))); dt == dt {
		return dt
	}
	return 0 // the arguments are infinite or NaN
}

// CheckTimeStep returns an error for a step above the stable limit, or one in which a wall could
// pass through a body. It returns a warning, or "", for a step above the advised one and for a step
// too long for bodies with many contacts. An error wraps ErrTimeStep, or force.ErrLaw if Springs of
// a law returns negative numbers or NaN.
func (w *World) CheckTimeStep(dt float64) (warning string, err error) {
	t := w.TimeStep()
	if err := (stepBounds{w}).refuseStep(dt, t); err != nil {
		return "", err
	}
	var parts []string
	if dt > advisedShare*t.pathwise {
		parts = append(parts, fmt.Sprintf("is %.3g %% of the shortest contact time %.3g s, at most 10 %% is advised", 100*dt/t.pathwise, t.pathwise))
	}
	if dt > advisedFine*t.fine {
		parts = append(parts, fmt.Sprintf("is %.3g %% of the contact time of the lightest bodies, %.3g s without dashpots: at most 2 %%, %s s, is "+
			"advised, which keeps the energy of an impact to 1e-4", 100*dt/t.fine, t.fine, mark.Limit(advisedFine*t.fine)))
	}
	if dt > t.Packed {
		parts = append(parts, fmt.Sprintf("is above %s s, the stable limit of bodies held by %d contacts each, and of clumps by one a piece: a heap may gain energy",
			mark.Limit(t.Packed), packedContacts))
	}
	if len(parts) == 0 {
		return "", nil
	}
	return fmt.Sprintf("time step %g s %s", dt, strings.Join(parts, "; and ")), nil
}

// stepLimits caches the longest step that Step accepts.
type stepLimits struct {
	known   bool
	longest float64 // s
	// What the limits are computed from. It grows when a body comes, and is forgotten when one goes.
	lightest map[float64]*lightestCache
	thinnest float64 // m, of the first pieces
	pieces   int
}

// stepBounds computes the limits of the time step from the bodies that may touch.
type stepBounds struct{ *World }

// findLimits finds the longest step that refuseStep accepts, if it is not known.
func (w stepBounds) findLimits() {
	l := &w.limits
	if l.known {
		return
	}
	t := w.TimeStep()
	if l.known, l.longest = true, 0; t.wrong != "" {
		return
	}
	l.longest = min(t.Stable, math.MaxFloat64)
	thinnest := w.thinnest()
	for i := range w.walls {
		if speed := w.wallSpeed(i); speed > 0 {
			l.longest = min(l.longest, thinnest/speed, 0.5/math.Abs(w.walls[i].Motion.Frequency))
		}
		if v := w.walls[i].Load; v != nil && v.Damping > 0 {
			l.longest = min(l.longest, v.Mass/v.Damping)
		}
	}
}

// refuseStep returns an error that describes what is wrong with a time step, or nil.
func (w stepBounds) refuseStep(dt float64, t TimeStep) error {
	if !(dt > 0) || math.IsInf(dt, 0) {
		return mark.Errorf(ErrTimeStep, "engine: time step %g s, expected > 0 and finite", dt)
	}
	if t.wrong != "" {
		return mark.Errorf(force.ErrLaw, "engine: %s", t.wrong)
	}
	if dt > t.Stable {
		return mark.Errorf(ErrTimeStep, "engine: time step %g s, expected at most %s s, the stable limit; %s s is advised", dt, mark.Limit(t.Stable),
			mark.Limit(min(t.Advised, t.Packed)))
	}
	thinnest := w.thinnest()
	for i := range w.walls {
		row, m := w.walls[i].body, &w.walls[i].Motion
		id := w.bodies.ID[row]
		if speed := w.wallSpeed(i); speed > 0 && dt > thinnest/speed {
			return &WallError{Wall: id, text: fmt.Sprintf("%s moves at up to %.3g m/s, expected at most %.3g m/s: in a time step of %g s it would "+
				"pass the thinnest body, of %.3g m", w.nameOf(row), speed, thinnest/dt, dt, thinnest)}
		}
		if f := math.Abs(m.Frequency); dt > 0.5/f {
			return &WallError{Wall: id, text: fmt.Sprintf("%s oscillates at %g 1/s, expected at most %.3g 1/s: two time steps of %g s a period",
				w.nameOf(row), f, 0.5/dt, dt)}
		}
		if v := w.walls[i].Load; v != nil && float64(dt*v.Damping) > v.Mass {
			return &WallError{Wall: id, text: fmt.Sprintf("%s has a load with a dashpot of %g N·s/m, expected at most %.3g N·s/m: it would stop %g kg within a time step of %g s",
				w.nameOf(row), v.Damping, v.Mass/dt, v.Mass, dt)}
		}
	}
	return nil
}

// WallError reports that a wall's motion is too fast for the time step. It wraps ErrTimeStep.
type WallError struct {
	Wall  soa.ID // the wall that is too fast, or that a periodic side cuts
	text  string
	cause error // nil: ErrTimeStep
}

// Error returns the value that was found and the value that was expected.
func (e *WallError) Error() string { return "engine: " + e.text }

// Unwrap returns ErrTimeStep, or ErrDomain for a wall that does not fit the domain.
func (e *WallError) Unwrap() error { return cmp.Or(e.cause, ErrTimeStep) }
