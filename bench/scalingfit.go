package bench

import (
	"fmt"
	"math"
)

// ScalingFit is a law of the speed-up S on N cores, fitted to a series:
//
//	amdahl   S = N / (1 + σ(N−1))               (Amdahl 1967)
//	usl      S = N / (1 + σ(N−1) + κN(N−1))     (Gunther 1993, the universal scalability law)
type ScalingFit struct {
	Pile   string   `json:"pile" show:"%s"`
	Kind   string   `json:"kind" show:"%s"`
	Source string   `json:"source" show:"%s"`
	Law    string   `json:"law" show:"%s"`
	Points int      `json:"points" show:"%d"`
	Sigma  Measured `json:"sigma" show:"%.3g"`      // serial share
	Kappa  Measured `json:"kappa" show:"%.3g"`      // what each core costs each other one
	RMS    Measured `json:"rms" show:"%.3g"`        // root of the mean square of the residuals S/fit − 1
	Worst  Measured `json:"worst" show:"%.3g"`      // the residual of largest size
	Peak   Measured `json:"peak_cores" show:"%.4g"` // where the fit has its largest speed-up
	WhyNot string   `json:"why_not" show:"%s"`
}

// leastPoints is the least number of worker counts for a fit. The law of two parameters then leaves two residuals free.
const leastPoints = 4

// scalingFits fits both laws to each series, without rows that have more workers than processors.
func scalingFits(rows []ScalingRow) (fits []ScalingFit) {
	for _, of := range groups(rows, func(r *ScalingRow) [3]string { return [3]string{r.Pile, r.Kind, r.Source} }) {
		some := rowsWith(of, func(r *ScalingRow) bool { return r.Limit != "processors" })
		for _, law := range []string{"amdahl", "usl"} {
			none := notMeasured()
			f := ScalingFit{of[0].Pile, of[0].Kind, of[0].Source, law, len(some), none, none, none, none, none, "-"}
			if len(some) < leastPoints {
				f.WhyNot = fmt.Sprintf("%d numbers of cores, expected %d or more", len(some), leastPoints)
			} else {
				f.fit(some, law == "usl")
			}
			fits = append(fits, f)
		}
	}
	return fits
}

// fit finds σ and κ by linear least squares on S/N × (1 + σ(N−1) + κN(N−1)) = 1. So the residual at each number of cores is
// relative to the speed-up there. A parameter that would be negative is 0, and the other one is fitted alone.
func (f *ScalingFit) fit(rows []ScalingRow, both bool) {
	var aa, ab, bb, ay, by float64
	for i := range rows {
		n, s := float64(rows[i].Cores), rows[i].SpeedUp
		a, y := s*(n-1)/n, 1-s/n
		b := a * n
		aa, ab, bb, ay, by = aa+float64(a*a), ab+float64(a*b), bb+float64(b*b), ay+float64(a*y), by+float64(b*y)
	}
	sigma, kappa := ay/aa, 0.0
	if both {
		det := float64(aa*bb) - float64(ab*ab)
		sigma, kappa = (float64(ay*bb)-float64(by*ab))/det, (float64(by*aa)-float64(ay*ab))/det
		switch {
		case kappa < 0:
			sigma, kappa = ay/aa, 0
		case sigma < 0:
			sigma, kappa = 0, by/bb
		}
	}
	sigma, kappa = max(sigma, 0), max(kappa, 0)
	square, worst := 0.0, 0.0
	for i := range rows {
		n := float64(rows[i].Cores)
		residual := rows[i].SpeedUp*(1+float64(sigma*(n-1))+float64(kappa*n*(n-1)))/n - 1
		square += float64(residual * residual)
		if math.Abs(residual) > math.Abs(worst) {
			worst = residual
		}
	}
	f.Sigma, f.Kappa, f.RMS, f.Worst = Measured(sigma), Measured(kappa), Measured(math.Sqrt(square/float64(len(rows)))), Measured(worst)
	if kappa > 0 {
		f.Peak = Measured(math.Sqrt(max(1-sigma, 0) / kappa))
	}
}
