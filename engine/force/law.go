package force

import (
	"errors"
	"fmt"
	"math"

	"github.com/scree-dem/scree/soa"
)

// ErrLaw marks parameters that describe no physical contact.
var ErrLaw = errors.New("contact law not physical")

// Linear is the linear spring–dashpot of Muth et al. 2007, eq. (1)–(2), with Coulomb friction, for
// one pair of materials.
type Linear struct {
	Kn float64 // N/m, normal stiffness, > 0
	Kt float64 // N/m, tangential stiffness, ≥ 0
	Mu float64 // friction coefficient, ≥ 0

	// Normal damping: the ratio to critical ζ of the pair, which follows from Restitution when
	// ByRestitution is set, and else the coefficient Dn in N·s/m.
	ByRestitution bool
	Restitution   float64 // 0 < e ≤ 1, of a head-on impact
	Dn            float64
	Dt            float64 // N·s/m, tangential dashpot while the contact sticks, ≥ 0

	// ReferenceGap is the gap, m, at which the spring is unloaded; 0 for bodies that meet at their
	// surfaces. Interaction is the gap, m, up to which a contact is active; at least ReferenceGap.
	ReferenceGap float64
	Interaction  float64

	// Tension lets the dashpot pull at the end of an impact, as the unclipped oscillator does. By
	// default the normal force is never negative.
	Tension bool

	zeta float64 // damping ratio that gives Restitution; set by prepare
}

// Reach returns the gap, m, up to which the pair matters.
func (l *Linear) Reach() float64 { return max(l.Interaction, l.ReferenceGap, 0) }

// DampingRatio returns ζ, the damping over the critical damping, for a pair of effective mass m, kg.
func (l *Linear) DampingRatio(m float64) float64 {
	if l.ByRestitution {
		return l.zeta
	}
	return l.Dn / (2 * math.Sqrt(float64(l.Kn*m)))
}

func (l *Linear) prepare() error {
	for _, c := range []struct {
		name string
		v    float64
		ok   bool
		want string
	}{
		{"normal stiffness", l.Kn, l.Kn > 0, "> 0 N/m"},
		{"tangential stiffness", l.Kt, l.Kt >= 0, "≥ 0 N/m"},
		{"friction", l.Mu, l.Mu >= 0, "≥ 0"},
		{"normal damping", l.Dn, l.Dn >= 0, "≥ 0 N·s/m"},
		{"tangential damping", l.Dt, l.Dt >= 0, "≥ 0 N·s/m"},
		{"restitution", l.Restitution, !l.ByRestitution || l.Restitution > 0 && l.Restitution <= 1, "> 0 and ≤ 1"},
		{"interaction distance", l.Interaction, l.Interaction >= 0, "≥ 0 m"},
		{"reference gap", l.ReferenceGap, l.ReferenceGap <= l.Interaction, "at most the interaction distance"},
	} {
		if !c.ok || math.IsInf(c.v, 0) || math.IsNaN(c.v) {
			return fmt.Errorf("%s is %g, expected %s: %w", c.name, c.v, c.want, ErrLaw)
		}
	}
	if l.Mu > 0 && l.Kt == 0 {
		return fmt.Errorf("friction is %g but tangential stiffness is 0, expected > 0 N/m: %w", l.Mu, ErrLaw)
	}
	if l.ByRestitution {
		l.zeta = DampingForRestitution(l.Restitution, l.Tension)
	}
	return nil
}

// Table holds the law of every pair of materials.
type Table struct {
	n       int
	laws    []Linear
	columns lawColumns // of laws
}

// NewTable returns the laws for n materials, all equal to base.
func NewTable(n int, base Linear) (*Table, error) {
	if n < 1 || n > math.MaxUint16 {
		return nil, fmt.Errorf("force: %d materials, expected 1 to %d: %w", n, math.MaxUint16, ErrLaw)
	}
	if err := base.prepare(); err != nil {
		return nil, fmt.Errorf("force: %w", err)
	}
	t := &Table{n: n, laws: make([]Linear, n*n), columns: newLawColumns(n * n)}
	for i := range t.laws {
		t.laws[i] = base
		t.columns.set(i, &base)
	}
	return t, nil
}

// Set gives a pair of materials its own law.
func (t *Table) Set(a, b soa.Material, l Linear) error {
	if int(a) >= t.n || int(b) >= t.n {
		return fmt.Errorf("force: materials %d and %d, expected below %d: %w", a, b, t.n, ErrLaw)
	}
	if err := l.prepare(); err != nil {
		return fmt.Errorf("force: materials %d and %d: %w", a, b, err)
	}
	for _, i := range []uint32{t.Row(a, b), t.Row(b, a)} {
		t.laws[i] = l
		t.columns.set(int(i), &l)
	}
	return nil
}

// Materials returns the number of materials.
func (t *Table) Materials() int { return t.n }

// At returns the law of a pair of materials, for reading.
func (t *Table) At(a, b soa.Material) *Linear { return &t.laws[int(a)*t.n+int(b)] }

// Reach returns the largest gap, m, up to which any pair matters.
func (t *Table) Reach() float64 {
	r := 0.0
	for i := range t.laws {
		r = max(r, t.laws[i].Reach())
	}
	return r
}
