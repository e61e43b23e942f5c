package force

import (
	"math"

	"github.com/scree-dem/scree/soa"
)

// linearColumns holds the parameters of the linear laws of a table as columns, for the kernel that
// applies them. It has a row for each law of the table, and rows of other laws are unused.
type linearColumns struct {
	kn, kt, mu   []float64
	ratio        []float64 // damping ratio, or -1 if dn applies
	dn, dt       []float64
	referenceGap []float64
	leastNormal  []float64 // N, least sum of spring and dashpot force: 0, or -Inf with tension
}

// resize sets the number of rows to n and keeps the existing ones. The caller must set new rows.
func (c *linearColumns) resize(n int) {
	for _, column := range []*[]float64{
		&c.kn, &c.kt, &c.mu, &c.ratio, &c.dn, &c.dt, &c.referenceGap, &c.leastNormal,
	} {
		*column = soa.Resize(*column, n)
	}
}

// set writes law l to row i.
func (c *linearColumns) set(i int, l *Linear) {
	c.kn[i], c.kt[i], c.mu[i], c.dn[i], c.dt[i] = l.Kn, l.Kt, l.Mu, l.Dn, l.Dt
	c.referenceGap[i] = l.ReferenceGap
	c.ratio[i] = -1
	if l.ByRestitution {
		c.ratio[i] = l.zeta
	}
	c.leastNormal[i] = 0
	if l.Tension {
		c.leastNormal[i] = math.Inf(-1)
	}
}

// thicknessColumns is the same for Thickness laws.
type thicknessColumns struct {
	stiffness, tangential, friction []float64
	zeta                            []float64 // damping ratio
	areaExponent                    []float64
	byArea                          int // number of laws with an area exponent
}

// resize sets the number of rows to n and keeps the existing ones. The caller must set new rows.
func (c *thicknessColumns) resize(n int) {
	for _, column := range []*[]float64{&c.stiffness, &c.tangential, &c.friction, &c.zeta, &c.areaExponent} {
		*column = soa.Resize(*column, n)
	}
}

// set writes law l to row i.
func (c *thicknessColumns) set(i int, l *thickness) {
	c.stiffness[i], c.tangential[i], c.friction[i] = l.Stiffness, l.Tangential, l.Friction
	c.zeta[i], c.areaExponent[i] = l.zeta, l.AreaExponent
}
