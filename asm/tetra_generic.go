package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// tetraEdges are the edges of a tetrahedron from corner i to j, with the face opposite corner left on their left.
var tetraEdges = [6]struct{ i, j, left, right int }{
	{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1},
}

// tetraSides are the corners of the face opposite each, counter-clockwise seen from outside.
var tetraSides = [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}

// tetraSearch is a pair of tetrahedra in the frame of A, and the facets of their difference tried so far.
type tetraSearch struct {
	coldPlaces
	a, b        [4]vec.Vec3
	n, m        [4]vec.Vec3   // outward normals of the faces opposite the corners, not unit
	over, under [4][4]float64 // heights of B's corners over A's faces, of A's over B's
	doubt       float64

	// Every facet. The best of them is facet at, of corners k and l.
	tried    [26]tetraTried
	count    int
	best     tetraTried
	at, k, l int
}

// tetraTried is a facet's height times the height's size, and the square of its normal: depths are compared by their
// squares.
type tetraTried struct{ depth, square float64 }

func tetraFacetGeneric(f *ColdPairs, lo, hi int) {
	for i := lo; i < hi; i++ {
		f.Facet[i] = f.tetra(i)
	}
}

// tetra answers row i.
func (f *ColdPairs) tetra(i int) float64 {
	s := tetraSearch{coldPlaces: f.places(i)}
	rot := s.rot
	var own [4]vec.Vec3
	for k := range own {
		s.a[k], own[k] = f.at(3*k, f.RowA[i]), f.at(3*k, f.RowB[i])
		s.b[k] = rot.MulVec(own[k]).Add(s.t)
	}
	s.n, s.m = tetraNormals(&s.a), tetraNormals(&own)
	for g := range s.m {
		s.m[g] = rot.MulVec(s.m[g])
	}
	for k := range s.over {
		offA, offB := s.n[k].Dot(s.a[(k+1)%4]), s.m[k].Dot(s.b[(k+1)%4])
		for j := range s.over {
			s.over[k][j], s.under[k][j] = s.n[k].Dot(s.b[j])-offA, s.m[k].Dot(s.a[j])-offB
		}
	}
	s.faces()
	r4 := s.radA * s.radA
	r4 *= r4
	s.doubt = r4 * (s.unit * s.unit) * tetraArcErr
	for e := range tetraEdges {
		s.arc(e)
	}
	if !s.sound() {
		return 0
	}
	b := tetraBest{tetraSearch: &s}
	b.decode()
	code := b.proven()
	if code == 0 && b.apart {
		code = b.nearest()
	}
	return float64(code)
}

func tetraNormals(v *[4]vec.Vec3) (n [4]vec.Vec3) {
	for f, k := range tetraSides {
		// The order in which the products are made does not matter, that of the differences does.
		n[f] = v[k[1]].Sub(v[k[0]]).Cross(v[k[2]].Sub(v[k[0]]))
	}
	return n
}

// offer takes a facet of that height times the length of its normal, if it is shallower than the best.
func (s *tetraSearch) offer(height, square float64, at, k, l int) {
	t := tetraTried{height * math.Abs(height), square}
	if s.count == 0 || t.depth*s.best.square < s.best.depth*square {
		s.best, s.at, s.k, s.l = t, at, k, l
	}
	s.tried[s.count] = t
	s.count++
}

// faces tries the faces of both.
func (s *tetraSearch) faces() {
	for f := range s.n {
		s.offer(-s.over[f][lowestOf(&s.over[f])], s.n[f].Dot(s.n[f]), f, 0, 0)
	}
	for g := range s.m {
		s.offer(-s.under[g][lowestOf(&s.under[g])], s.m[g].Dot(s.m[g]), 4+g, 0, 0)
	}
}

func lowestOf(h *[4]float64) (k int) {
	for j, x := range h {
		if x < h[k] {
			k = j
		}
	}
	return k
}

// arc tries the facets of an edge of A with edges of B, by the heights x and y of B's corners over the two faces at the
// edge. While the direction turns from the first normal to the second, the lowest corner goes from that of least x to that
// of least y along the lower hull of the points (x, y): the first side and the last are found from either end, and there
// can be one more between. A side from x, y to x+d1, y-d2 has the normal d2·left + d1·right.
func (s *tetraSearch) arc(e int) {
	left, right := tetraEdges[e].left, tetraEdges[e].right
	x, y := &s.over[left], &s.over[right]
	start, end := lowestOf(x), lowestOf(y)
	xs, ys, xt, yt := x[start], y[start], x[end], y[end]
	cosine := s.n[left].Dot(s.n[right])
	cosine += cosine
	ll, rr := s.n[left].Dot(s.n[left]), s.n[right].Dot(s.n[right])
	offer := func(valid bool, d1, d2, x, y float64, k, l int) {
		height := -(float64(d2*x) + float64(d1*y)) - s.doubt
		if !valid {
			height = coldNever
		}
		square := float64(d2*(float64(d2*ll)+float64(d1*cosine))) + float64(d1*float64(d1*rr))
		s.offer(height, square, 8+e, k, l)
	}
	const none = 9
	fx, fy, after := 1.0, 0.0, none
	bx, by, before := 0.0, 1.0, none
	for k := range x {
		if dx, dy := x[k]-xs, ys-y[k]; dx*fy < fx*dy {
			fx, fy, after = dx, dy, k
		}
		if dx, dy := xt-x[k], y[k]-yt; dy*bx < by*dx {
			bx, by, before = dx, dy, k
		}
	}
	several := after != end && bx > 0
	third := several && after != before && fy > 0
	offer(fy > 0, fx, fy, xs, ys, start, after)
	offer(several, bx, by, xt, yt, before, end)
	offer(third, xt-xs-fx-bx, ys-yt-fy-by, xs+fx, ys-fy, after, before)
}
