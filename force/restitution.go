package force

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// maxDampingRatio is the upper limit of damping ratios for very small restitutions. With it
// RestitutionForDamping without tension is 6.1e-5, and RestitutionWithinForce is 0.0055.
// Smaller: tiny restitutions are not reached.
const maxDampingRatio = 64

// RestitutionForDamping returns the restitution e of a head-on impact with damping ratio ζ ≥ 0,
// where 1 is critical. With tension the oscillator completes its half period: e = exp(−ζπ/√(1−ζ²)),
// and e = 0 for ζ ≥ 1. Without tension the contact ends when the force falls to zero (Schwager &
// Pöschel 2007). That is earlier, so e is larger.
func RestitutionForDamping(zeta float64, tension bool) float64 {
	if tension {
		if zeta >= 1 {
			return 0
		}
		return vec.Exp(-zeta * math.Pi / math.Sqrt(1-float64(zeta*zeta)))
	}
	// In units of the undamped frequency: ẍ = −x − 2ζẋ, x(0) = 0, ẋ(0) = 1. The force x + 2ζẋ
	// vanishes at a time t*, and e = −ẋ(t*) = x(t*)/(2ζ).
	switch {
	case zeta == 0:
		return 1
	case zeta < 1:
		w := math.Sqrt(1 - float64(zeta*zeta))
		// x = e^{−ζt} sin(wt)/w; the force vanishes if tan(wt) = 2ζw/(2ζ²−1), 0 < wt ≤ π.
		t := vec.Atan2(2*float64(zeta*w), 2*float64(zeta*zeta)-1) / w
		return vec.Exp(-zeta * t)
	case zeta == 1:
		return vec.Exp(-2)
	case zeta > maxDampingRatio:
		// The same as below, without the differences that cancel: t = 2·ln(ζ+w)/w.
		w := overdamped(zeta)
		return vec.Exp(-2 * zeta / w * vec.Log(zeta+w))
	default:
		w := math.Sqrt(float64(zeta*zeta) - 1)
		t := 0.5 * vec.Log((float64(2*zeta*zeta)-1+2*float64(zeta*w))/(float64(2*zeta*zeta)-1-2*float64(zeta*w))) / w
		return vec.Exp(-zeta * t)
	}
}

// DampingForRestitution returns the damping ratio for which a head-on impact has the restitution e,
// 0 < e ≤ 1. It inverts RestitutionForDamping, which decreases monotonically with ζ.
func DampingForRestitution(e float64, tension bool) float64 {
	if e >= 1 {
		return 0
	}
	if tension {
		l := vec.Log(e)
		return -l / math.Sqrt(math.Pi*math.Pi+float64(l*l))
	}
	return dampingOf(e, func(zeta float64) float64 { return RestitutionForDamping(zeta, false) })
}

// dampingOf returns the damping ratio with the given restitution e, 0 < e ≤ 1. restitution must
// decrease monotonically with ζ.
func dampingOf(e float64, restitution func(zeta float64) float64) float64 {
	lo, hi := 0.0, float64(maxDampingRatio)
	switch {
	case e >= 1:
		return 0
	case restitution(hi) > e:
		return hi
	}
	for {
		mid := 0.5 * (lo + hi)
		if mid <= lo || mid >= hi {
			return mid
		}
		if restitution(mid) > e {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// RestitutionWithinForce returns the restitution e of a head-on impact with damping ratio ζ ≥ 0 if
// the dashpot's force is limited to the spring's force in magnitude. In units of the undamped
// frequency: ẍ = −x − d, with d = 2ζẋ clamped to ±x.
func RestitutionWithinForce(zeta float64) float64 {
	switch {
	case zeta == 0:
		return 1
	case zeta < 1:
		w := math.Sqrt(1 - float64(zeta*zeta))
		phi := vec.Atan2(zeta, w)
		psi := vec.Atan2(2*float64(zeta*w), 1+2*float64(zeta*zeta))
		return vec.Exp(-zeta / w * (math.Pi - 2*phi - psi))
	case zeta == 1:
		return vec.Exp(-4.0 / 3)
	case zeta > maxDampingRatio:
		// The same as below, without the differences that cancel. With s = (ζ+w)², the first term is
		// ln s, and the second one is ln(s+2) − ½·ln(1+8ζ²).
		w := overdamped(zeta)
		swing := vec.Log(zeta) + float64(0.5*vec.Log(8+1/zeta/zeta)) - vec.Log(1+2/(zeta+w)/(zeta+w))
		return vec.Exp(-zeta / w * swing)
	default:
		w := math.Sqrt(float64(zeta*zeta) - 1)
		return vec.Exp(-zeta / w * (float64(2*artanh(w/zeta)) - artanh(2*float64(zeta*w)/(1+2*float64(zeta*zeta)))))
	}
}

// overdamped returns √(ζ²−1) for ζ > 1. It does not overflow before ζ does.
func overdamped(zeta float64) float64 { return float64(zeta * math.Sqrt(1-1/zeta/zeta)) }

func artanh(x float64) float64 { return float64(0.5 * vec.Log((1+x)/(1-x))) }
