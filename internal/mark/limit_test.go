package mark

import (
	"math"
	"strconv"
	"testing"
)

// TestLimitIsKept checks that a printed limit is at most the limit, and less by at most a hundredth.
func TestLimitIsKept(t *testing.T) {
	for x, want := range map[float64]string{2.2066e-6: "2.2e-06", 0.1: "0.1", 5.635e-5: "5.63e-05", 1: "1", 999.9: "999", 1234: "1.23e+03", math.Inf(1): "+Inf"} {
		if got := Limit(x); got != want {
			t.Errorf("%g: %s, expected %s", x, got, want)
		}
	}
	for x := 1e-9; x < 1e9; x *= 1.0137 {
		if got, err := strconv.ParseFloat(Limit(x), 64); err != nil || !(got <= x && got >= 0.99*x) {
			t.Errorf("%g: %g, %v", x, got, err)
		}
	}
}
