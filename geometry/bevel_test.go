package geometry

import (
	"errors"
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestBevelled checks that the bevelled body contains the rounded body, touches it on faces, and
// stands out by at most a sixth of the radius. The support of the rounded body is that of the
// vertices plus the radius.
func TestBevelled(t *testing.T) {
	for _, spec := range []string{"box:1x1x1", "box:1x0.5x0.02", "tetra:1", "octa:1", "dodeca:1", "icosa:1", "prism:7,1,0.1", "prism:3,1,9",
		"rock:1,12,1", "rock:3,257,1"} {
		b, err := ParseBuiltin(spec)
		if err != nil {
			t.Fatal(err)
		}
		p := b.Poly
		size := p.Box().Size().MaxAbs()
		for _, rel := range []float64{1e-6, 0.01, 0.3, 10} {
			r := rel * size
			q, err := p.Bevelled(r)
			if err != nil {
				t.Fatalf("%s rounded by %g: %v", spec, r, err)
			}
			if err := q.Validate(); err != nil {
				t.Fatalf("%s rounded by %g: %v", spec, r, err)
			}
			room := 1e-11 * (size + r)
			for f, n := range q.Normals {
				if gap := q.Offsets[f] - top(p, n) - r; math.Abs(gap) > room {
					t.Errorf("%s rounded by %g: a face is %g beyond the rounded body", spec, r, gap)
				}
			}
			for _, n := range p.Normals {
				if gap := top(q, n) - top(p, n) - r; math.Abs(gap) > room {
					t.Errorf("%s rounded by %g: a face of the shape moved by %g more", spec, r, gap)
				}
			}
			worst := 0.0
			for _, v := range q.Verts {
				worst = max(worst, distance(p, v)/r-1)
			}
			t.Logf("%s rounded by %g: %d vertices, %d faces, stands out by %.3f of the radius", spec, r, len(q.Verts), q.NFaces(), worst)
			if worst > 1.0/6 || worst < 0 {
				t.Errorf("%s rounded by %g: stands out by %g of the radius", spec, r, worst)
			}
		}
	}
}

func TestBevelledCube(t *testing.T) {
	p, err := Box(1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	q, err := p.Bevelled(0.1)
	if err != nil {
		t.Fatal(err)
	}
	if q.NFaces() != 6+12+8 || len(q.Verts) != 48 {
		t.Errorf("%d faces, %d vertices, expected 26 and 48", q.NFaces(), len(q.Verts))
	}
	if same, err := p.Bevelled(0); err != nil || same != p {
		t.Errorf("rounded by nothing: %v, %v, expected the shape itself", same, err)
	}
	for _, r := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := p.Bevelled(r); !errors.Is(err, ErrValue) {
			t.Errorf("rounded by %g: %v, expected ErrValue", r, err)
		}
	}
}

func top(p *Polyhedron, n vec.Vec3) float64 {
	d := math.Inf(-1)
	for _, v := range p.Verts {
		d = max(d, n.Dot(v))
	}
	return d
}

// distance returns the distance of a point outside from the body: the largest distance to a plane
// that touches the body. One such plane is perpendicular to the line to the nearest point. Its
// direction is found by descending from face to edge to vertex.
func distance(p *Polyhedron, x vec.Vec3) float64 {
	best := math.Inf(1)
	for f := range p.Normals {
		loop := p.Loop(f)
		for i := 1; i+1 < len(loop); i++ {
			a, b, c := p.Verts[loop[0]], p.Verts[loop[i]], p.Verts[loop[i+1]]
			best = min(best, x.Sub(nearestOf(a, b, c, x)).Norm())
		}
	}
	return best
}

// nearestOf returns the point of a triangle nearest to x. It lies inside the triangle or on a side.
func nearestOf(a, b, c, x vec.Vec3) vec.Vec3 {
	n := b.Sub(a).Cross(c.Sub(a))
	on := x.AddScaled(-n.Dot(x.Sub(a))/n.Norm2(), n)
	inside := true
	best := a
	for _, e := range [3][2]vec.Vec3{{a, b}, {b, c}, {c, a}} {
		along := e[1].Sub(e[0])
		inside = inside && n.Dot(along.Cross(on.Sub(e[0]))) >= 0
		s := e[0].AddScaled(min(max(along.Dot(x.Sub(e[0]))/along.Norm2(), 0), 1), along)
		if x.Sub(s).Norm() < x.Sub(best).Norm() {
			best = s
		}
	}
	if inside {
		return on
	}
	return best
}

// FuzzBevelled rounds hulls of a few points, including needles and thin plates.
func FuzzBevelled(f *testing.F) {
	f.Add(uint64(1), uint8(4), 0.0, 0.0, -2.0)
	f.Add(uint64(2), uint8(9), -2.5, -0.8, -3.5)
	f.Add(uint64(3), uint8(12), -2.9, -1.4, 0.5)
	f.Add(uint64(4), uint8(4), -0.6, -2.2, -1.7)
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, b, c, rounding float64) {
		if !(math.Abs(b) <= 3 && math.Abs(c) <= 3 && math.Abs(rounding) <= 4) {
			return
		}
		rng := NewRand(seed)
		pts := make([]vec.Vec3, 4+n%16)
		for k := range pts {
			pts[k] = vec.V(rng.Float64(), rng.Float64()*math.Pow(10, b), rng.Float64()*math.Pow(10, c))
		}
		p, err := FromPoints("fuzz", pts)
		if err != nil {
			return
		}
		r := math.Pow(10, rounding)
		q, err := p.Bevelled(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, v := range q.Verts {
			// A corner in the plane of a face lies outside only by its rounding.
			if out := distance(p, v)/r - 1; !(out <= 1.0/6+1e-9 && out > -1e-9) {
				t.Errorf("rounded by %g: a corner stands out by %g of the radius", r, out)
			}
		}
	})
}

// TestBevelledByRounding checks radii down to and below the rounding of the coordinates: no plane may
// cut the body.
func TestBevelledByRounding(t *testing.T) {
	for _, spec := range []string{"box:1x1x1", "tetra:1", "rock:3,20,1", "rock:5,60,1", "prism:5,1,0.001"} {
		b, err := ParseBuiltin(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []float64{1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-300, 5e-324} {
			q, err := b.Poly.Bevelled(r)
			if err != nil {
				t.Errorf("%s by %g: %v", spec, r, err)
				continue
			}
			for _, v := range b.Poly.Verts {
				for f, n := range q.Normals {
					if out := n.Dot(v) - q.Offsets[f]; out > 1e-11 {
						t.Errorf("%s by %g: a vertex is %g outside", spec, r, out)
					}
				}
			}
		}
	}
}
