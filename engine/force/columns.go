package force

import (
	"math"

	"github.com/scree-dem/scree/soa"
)

// lawColumns is the laws of a table as columns, one for each of its rows, for the kernel that applies them.
// It follows from the laws; see set.
type lawColumns struct {
	kn, kt, mu   []float64
	ratio        []float64 // damping ratio, or below 0 where dn holds
	dn, dt       []float64
	referenceGap []float64
	leastPush    []float64 // N, the least that spring and dashpot give together: 0, or -Inf with tension
}

// resize sets the number of rows to n and keeps those there are. Rows added must be set.
func (c *lawColumns) resize(n int) {
	for _, column := range []*[]float64{
		&c.kn, &c.kt, &c.mu, &c.ratio, &c.dn, &c.dt, &c.referenceGap, &c.leastPush,
	} {
		*column = soa.Resize(*column, n)
	}
}

// set writes row i.
func (c *lawColumns) set(i int, l *Linear) {
	c.kn[i], c.kt[i], c.mu[i], c.dn[i], c.dt[i] = l.Kn, l.Kt, l.Mu, l.Dn, l.Dt
	c.referenceGap[i] = l.ReferenceGap
	c.ratio[i] = -1
	if l.ByRestitution {
		c.ratio[i] = l.zeta
	}
	c.leastPush[i] = 0
	if l.Tension {
		c.leastPush[i] = math.Inf(-1)
	}
}
