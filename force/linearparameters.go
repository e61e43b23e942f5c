package force

// Linear is the linear spring and dashpot of Muth et al. 2007, eq. (1)–(2), with Coulomb friction,
// for one pair of materials.
type Linear struct {
	Kn float64 // N/m, normal stiffness, > 0
	Kt float64 // N/m, tangential stiffness, ≥ 0
	Mu float64 // friction coefficient, ≥ 0

	// Normal damping. If ByRestitution is set, the ratio ζ to critical damping follows from
	// Restitution. Otherwise Dn is the coefficient, N·s/m.
	ByRestitution bool
	// Restitution is that of a head-on impact, 0 < e ≤ 1; used if ByRestitution is set. Without
	// Tension, a value below 6.1e-5 has the effect of 6.1e-5.
	Restitution float64
	Dn          float64 // N·s/m, ≥ 0; used if ByRestitution is not set
	Dt          float64 // N·s/m, tangential dashpot, acts while the contact sticks, ≥ 0

	// ReferenceGap is the gap, m, at which the spring is unloaded; 0 means that the spring starts
	// where the surfaces meet. Interaction is the largest gap, m, at which a contact is active; it
	// must be at least ReferenceGap.
	ReferenceGap float64
	Interaction  float64

	// Tension allows the dashpot to pull at the end of an impact, as in the unclipped oscillator.
	// By default the normal force is never attractive.
	Tension bool

	zeta float64 // damping ratio for Restitution; set by prepare
}

// Law implements Parameters.
func (l Linear) Law() (Law, error) {
	if err := l.prepare(); err != nil {
		return nil, err
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

func (l *Linear) prepare() error {
	if err := checkParameters([]parameter{
		{"normal stiffness", l.Kn, l.Kn > 0, "> 0 N/m"},
		{"tangential stiffness", l.Kt, l.Kt >= 0, "≥ 0 N/m"},
		{"friction", l.Mu, l.Mu >= 0, "≥ 0"},
		{"normal damping", l.Dn, l.Dn >= 0, "≥ 0 N·s/m"},
		{"tangential damping", l.Dt, l.Dt >= 0, "≥ 0 N·s/m"},
		{"restitution", l.Restitution, !l.ByRestitution || l.Restitution > 0 && l.Restitution <= 1, "> 0 and ≤ 1"},
		{"interaction distance", l.Interaction, l.Interaction >= 0, "≥ 0 m"},
		{"reference gap", l.ReferenceGap, l.ReferenceGap <= l.Interaction, "at most the interaction distance"},
	}, l.Mu, l.Kt); err != nil {
		return err
	}
	if l.ByRestitution {
		l.zeta = DampingForRestitution(l.Restitution, l.Tension)
	}
	return nil
}
