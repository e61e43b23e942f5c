package force

// Linear is the linear spring and dashpot of Muth et al. 2007, eq. (1)–(2), with Coulomb friction,
// for one pair of materials.
type Linear struct {
	Kn float64 `key:"stiffness"`            // N/m, normal stiffness, > 0
	Kt float64 `key:"tangential_stiffness"` // N/m, tangential stiffness, ≥ 0
	Mu float64 `key:"friction"`             // friction coefficient, ≥ 0

	// Normal damping. If ByRestitution is set, the ratio ζ to critical damping follows from
	// Restitution. Otherwise Dn is the coefficient, N·s/m.
	ByRestitution bool `given:"restitution"`
	// Restitution is that of a head-on impact, 0 < e ≤ 1; used if ByRestitution is set. Without
	// Tension, a value below 6.1e-5 has the effect of 6.1e-5.
	Restitution float64 `key:"restitution"`
	// Dn, N·s/m, ≥ 0; used if ByRestitution is not set.
	Dn float64 `key:"damping" unit:"N·s/m" bounds:"≥ 0" group:"damping" doc:"coefficient of the normal dashpot"`
	// Dt, N·s/m, is the tangential dashpot, which acts while the contact sticks, ≥ 0.
	Dt float64 `key:"tangential_damping" unit:"N·s/m" default:"0" bounds:"≥ 0" doc:"coefficient of the dashpot while the contact sticks. It counts for the stable limit if friction is too high to bound the dashpot"`

	// ReferenceGap is the gap, m, at which the spring is unloaded; 0 means that the spring starts
	// where the surfaces meet. Interaction is the largest gap, m, at which a contact is active; it
	// must be at least ReferenceGap.
	ReferenceGap float64 `key:"reference_gap"`
	Interaction  float64 `key:"contact.interaction"`

	// Tension allows the dashpot to pull at the end of an impact, as in the unclipped oscillator.
	// By default the normal force is never attractive.
	Tension bool `key:"tension" default:"false" doc:"lets the dashpot pull at the end of an impact"`

	zeta float64 // damping ratio for Restitution; set by Law
}

// Law implements Parameters.
func (l Linear) Law() (Law, error) {
	checked := l
	if !l.ByRestitution {
		checked.Restitution = 1 // not used
	}
	if err := checkParameters("linear", checked, l.Mu, l.Kt, l.ReferenceGap, l.Interaction); err != nil {
		return nil, err
	}
	if l.ByRestitution {
		l.zeta = DampingForRestitution(l.Restitution, l.Tension)
	}
	return &l, nil
}

// Needs implements Law.
func (l *Linear) Needs() Needs {
	return Needs{Reach: max(l.Interaction, l.ReferenceGap, 0), Unloaded: l.ReferenceGap, Section: l.damped(), History: 3}
}

// Held implements Law.
func (l *Linear) Held(history []float64) float64 {
	return float64(0.5 * float64(l.Kt*slipOf(history).Norm2()))
}

// Springs implements Law.
func (l *Linear) Springs(mass, _ float64) Springs {
	s := Springs{Normal: l.Kn, NormalDashpot: l.normalDamping(mass), Friction: l.Mu}
	if l.Mu > 0 {
		s.Tangent, s.TangentDashpot = l.Kt, l.Dt
	}
	return s
}
