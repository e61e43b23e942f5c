package scree_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/scree-dem/scree/scene"
)

// silo is a run of examples/silo.toml: the times, s, from the opening of the gate on, at which so many grains have left the
// silo, and the numbers of grains in it higher than two diameters of the outlet.
type silo struct {
	width       float64 // m, diameter of the outlet
	times, high []float64
}

// windowOf is the number of grains over which the rate of a silo is a mean.
const windowOf = 500

// siloOf runs the example with an outlet that is wider by a scale, for a time after the gate has opened.
func siloOf(t *testing.T, scale, span string) (s silo) {
	t.Helper()
	x, err := strconv.ParseFloat(scale, 64)
	if err != nil {
		t.Fatal(err)
	}
	s.width = 0.12 * x
	high := fmt.Sprintf("%.6g", 2*s.width)
	sum, dir := experimentOf(t, "silo.toml", scene.Options{}, "scale = 1\n", "scale = "+scale+"\n", "for = 2.9", "for = "+span, "[0, 0, 0.24]", "[0, 0, "+high+"]")
	if w := sum.Waiting; len(w) > 0 || sum.Removed[0].Bodies == 0 {
		t.Errorf("%+v wait, %+v were removed", w, sum.Removed)
	}
	c, open := columnsOf(t, dir, "history.csv", "time", "counts_silo", "counts_high"), sum.StageStarts[1].Time
	first := 0.0
	for i, at := range c[0] {
		if at <= open {
			first = c[1][i]
			continue
		}
		// The first grains fall before the flow is steady.
		if left := first - c[1][i]; left >= 100+windowOf*float64(len(s.times)) {
			s.times, s.high = append(s.times, at), append(s.high, c[2][i])
		}
	}
	return s
}

// rates returns the grains that leave in a second, in each window.
func (s *silo) rates() (list []float64) {
	for i := 1; i < len(s.times); i++ {
		list = append(list, windowOf/(s.times[i]-s.times[i-1]))
	}
	return list
}

// TestSoakSilo is V38: the rate is the same within 5 % in each window while the fill stands above two diameters of the
// outlet, and its power 2/5 rises linearly with the diameter.
func TestSoakSilo(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	var x, y []float64
	for _, c := range [][2]string{{"1", "2.9"}, {"1.1", "1.55"}, {"1.2", "1.25"}} {
		s := siloOf(t, c[0], c[1])
		rates, mean := s.rates(), 0.0
		for _, w := range rates {
			mean += w / float64(len(rates))
		}
		t.Logf("outlet of %.4g m: %.4g grains a second, %.4g; higher than two diameters are %.0f", s.width, mean, rates, s.high)
		if len(rates) < 2 || !(s.high[len(s.high)-1] > 0) {
			t.Errorf("outlet of %g m: %d windows, at the end %v grains are higher than two diameters, expected two windows and some grains", s.width, len(rates), s.high)
		}
		for _, w := range rates {
			if !(math.Abs(w/mean-1) < 0.05) {
				t.Errorf("outlet of %g m: rates %.4g 1/s, expected the same within 5 %%", s.width, rates)
			}
		}
		x, y = append(x, s.width), append(y, math.Pow(mean, 0.4))
	}
	var mx, my, xx, xy, yy float64
	for i := range x {
		mx, my = mx+x[i]/3, my+y[i]/3
	}
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx, xy, yy = xx+dx*dx, xy+dx*dy, yy+dy*dy
	}
	slope, r2 := xy/xx, xy*xy/(xx*yy)
	// Beverloo's law: the rate is 0 for an outlet of k diameters of a grain.
	k := (mx - my/slope) / 0.02
	if t.Logf("R² = %.4f, k = %.3g", r2, k); !(r2 > 0.99) || !(k > 0.5 && k < 3) {
		t.Errorf("W^0.4 = %.4g at outlets of %.4g m: R² = %.4f and k = %.3g, expected above 0.99, and about 1.4", y, x, r2, k)
	}
}
