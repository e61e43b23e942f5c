package narrow

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// shellBudget is Budget for a facet that a shell proves. The shell moves along with the bodies: its corners are points of K
// by the same points of both bodies, and as long as no triangle comes nearer to the origin than the facet's
// depth plus provenBy, it stays closed about the origin and proves the facet as before.
//
// While the odometers advance by m a point x = a − b of K, b in A's frame, moves by no more than m·(1 + turn·|x|)·5/4,
// for |b| ≤ R_A + |x|, as long as turn·m is a quarter at most. So a triangle whose corners are no farther than x from the
// origin, itself d away, lasts for
//
//	m ≤ (d − p')/(5/4·(2 + turn·(x + p))).
//
// That is too little for those that touch the facet near its foot. A triangle with a corner v of the facet's has
//
//	d ≥ p·cos γ + δ·sin γ ≥ p  where  δ ≥ p·tan(γ/2),
//
// γ the angle between the two planes, δ how far from the foot the triangle's plane meets the facet's. Of these
//
//	p   grows by at most 5/4·m·(1 + turn·p)
//	γ   by κ·m, κ = 9/4·turn·β/l + bend: two corners move by turn·β against the third and turn a triangle of height l
//	δ   loses at most that by which v moves, 3/2·bend·(p + r) for the turn of n, and r·2κ/sin γ for that of the line,
//	    r how far v is from the foot
//
// with β the farthest that the points of B are apart, and tan grows no faster than twice its derivative while κ·m is no more
// than sin γ/8. The larger of the two counts. The least over the triangles is the budget, as far as cap and foot allow.
func (s *Search) shellBudget(turn, bend float64) float64 {
	k := &s.last
	p, margin := k.depth, float64(provenBy*s.unit)
	m := min(0.25/turn, 0.25/bend, 0.75*k.lean/bend, 0.75*k.foot/(float64(1.25*(1+float64(turn*p)))+float64(bend*(k.foot+float64(1.3*p)))))
	if !clearOfRim(0.25*k.lean, 0.25*k.foot, p+float64(1.25*m*(1+float64(turn*p))), margin) {
		return 0
	}
	for i := range s.shell.triangles {
		m = s.triangleBudget(&s.shell.triangles[i], turn, bend, m)
	}
	return m
}

// triangleBudget is shellBudget for one triangle, or most where that is less.
func (s *Search) triangleBudget(t *shellTriangle, turn, bend, most float64) float64 {
	k := &s.last
	p, margin := k.depth, float64(2*provenBy*s.unit)
	u, v, w := t[0].x, t[1].x, t[2].x
	e, f, g := v.Sub(u), w.Sub(u), w.Sub(v)
	c := e.Cross(f)
	l := c.Norm()
	far := math.Sqrt(max(u.Norm2(), v.Norm2(), w.Norm2()))
	// Less what the product of the sides errs by: see farFrom.
	d := (c.Dot(u) - float64(0x1p-50*far*math.Sqrt(float64(e.Norm2()*f.Norm2())))) / l
	m := (d - p - margin) / (1.25 * (2 + float64(turn*(far+p))))
	if m >= most {
		return most
	}

	// The corner of the facet that is nearest to the foot.
	r2, near, touching := math.Inf(1), vec.Vec3{}, 0
	for i := range t {
		x := t[i].x
		if h := k.n.Dot(x); h > p-margin {
			touching++
			if in := x.AddScaled(-h, k.n).Norm2(); in < r2 {
				r2, near = in, x
			}
		}
	}
	if math.IsInf(r2, 1) {
		return m
	}
	long := math.Sqrt(max(e.Norm2(), f.Norm2(), g.Norm2()))
	beta := math.Sqrt(max(t[1].b.Sub(t[0].b).Norm2(), t[2].b.Sub(t[0].b).Norm2(), t[2].b.Sub(t[1].b).Norm2()))
	cosine := c.Dot(k.n) / l
	in := c.AddScaled(-float64(cosine*l), k.n)
	sine := in.Norm() / l
	if !(sine > 1e-6) || !(cosine > -0.99) {
		return m
	}
	r := math.Sqrt(r2)
	delta := near.Dot(in) / (l * sine)
	tan := sine / (1 + cosine)
	kappa := float64(2.25*turn*beta*long)/l + bend
	loses := float64(1.6*tan*(1+float64(turn*p))) + float64(p*(1+float64(tan*tan))*kappa)
	if touching == 2 {
		// The line is a side of the facet.
		loses += float64(1.25*(1+float64(turn*p))) + float64(bend*(float64(1.3*p)+delta))
	} else {
		loses += float64(1.25*(1+float64(turn*near.Norm()))) + float64(1.5*bend*(p+r)) + float64(2*r*kappa)/sine
	}
	return min(most, max(m, min((delta-float64(p*tan)-margin/sine)/loses, sine/(8*kappa))))
}
