package multipole

import "math"

// MaxDegree is the largest degree of expansions.
const MaxDegree = 16

// conversionRounding bounds the rounding of a conversion and of what is done with its result, as a share of 1/(D-a-b)²: sums of
// up to 2·(MaxDegree+1)² products, whose absolute values add up to no more than eight times that. Smaller: the bound fails
// where degree and distance leave nothing but rounding. Larger: the bound is loose there.
const conversionRounding = 0x1p-40

// cut bounds how far a conversion to degree p is from the potential ∫ n·∇ 1/|x-y| dA, for a unit of area in a ball of
// radius a about the one center, points x in a ball of radius b about the other, and centers D > a + b apart.
//
// Let u and v be the places of x and y from their centers. Expand 1/|D+u-v| in parts T_ns that are
// homogeneous of degree n in u and s in v: they are (u·∇)^n(-v·∇)^s 1/|D| over n!·s!. Along unit vectors w, (w·∇)^k
// 1/|D| is at most k!/D^(k+1), by the Legendre polynomials. A symmetric form of many vectors is largest where all
// are equal (Banach 1938), so
//
//	|T_ns| ≤ C(n+s, n)·|u|^n·|v|^s/D^(n+s+1),  |∇_v T_ns| ≤ s·C(n+s, n)·|u|^n·|v|^(s-1)/D^(n+s+1)
//
// All terms add up to 1/(D-a-b)². A conversion has those with n ≤ p and s ≤ p; what it cuts is bounded by the rest. Translations
// cut nothing: they map polynomials of degree p to such.
func cut(p int, D, a, b float64) float64 {
	whole := 1 / ((D - a - b) * (D - a - b))
	kept := 0.0
	power := 1 / (D * D) // of s = 1: a^(s-1)/D^(s+1)
	for s := 1; s <= p; s++ {
		term := float64(s) * power // of n = 0
		for n := 0; n <= p; n++ {
			kept += term
			// C(n+1+s, n+1) = C(n+s, n)·(n+1+s)/(n+1)
			term *= float64(n+1+s) / float64(n+1) * (b / D)
		}
		power *= a / D
	}
	return max(whole-kept, 0) + float64(conversionRounding*whole)
}

// The radii of clusters are rounded up to steps of the cell's side, so that a table holds all bounds.
const (
	radiusSteps = 16 // of a side
	maxRadius   = 4  // sides
)

// cornerRadius is the radius of a cell about its center, in sides: √3/2, rounded up.
const cornerRadius = 0x1.bb67ae8584cabp-1

// cuts is the table of cut for the squares of distances between cells of one level, in sides, and the steps of radii.
type cuts [][radiusSteps*maxRadius + 1]float64

func newCuts(p int) cuts {
	c := make(cuts, 3*maxOffset*maxOffset+1)
	for square := range c {
		for step := range c[square] {
			a, D := float64(step)/radiusSteps, math.Sqrt(float64(square))
			c[square][step] = math.Inf(1)
			if D > a+cornerRadius {
				c[square][step] = cut(p, D, a, cornerRadius)
			}
		}
	}
	return c
}
