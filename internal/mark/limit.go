package mark

import (
	"strconv"
	"strings"
)

// Limit formats a positive finite limit with three digits, rounded down: who takes the number from a
// message stays within the limit.
func Limit(x float64) string {
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	down, err := strconv.ParseFloat(digits[:min(len(digits), len("1.23"))]+"e"+exponent, 64)
	if err != nil {
		down = x
	}
	return strconv.FormatFloat(down, 'g', 3, 64)
}
