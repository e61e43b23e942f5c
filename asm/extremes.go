package asm

// lesser returns a if a < b, else b. So it returns b for two zeros, and if a or b is NaN, as VMINPD
// does.
func lesser(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

// greater returns a if a > b, else b.
func greater(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}
