package force

import "github.com/scree-dem/scree/soa"

// thicknessColumns holds the parameters of the Thickness laws of a table as columns, for the kernel that
// applies them. It has a row for each law of the table, and rows of other laws are unused.
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
func (c *thicknessColumns) set(i int, l *thicknessLaw) {
	c.stiffness[i], c.tangential[i], c.friction[i] = l.Stiffness, l.Tangential, l.Friction
	c.zeta[i], c.areaExponent[i] = l.zeta, l.AreaExponent
}
