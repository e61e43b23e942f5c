package asm

// lesser returns a where it is less than b, else b: of two zeros and where one is NaN, too. It is
// what VMINPD does.
func lesser(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

// greater returns a where it is greater than b, else b.
func greater(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}
