package engine

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// The force of a wall of facets on a block, computed from the definition of the potential by brute
// force: corners from all triples of planes, ∫h^q dV as a sum over sections, and gradients as
// difference quotients. Facets are triangles with up in front of them; neighbours share two corners
// to the bit.

// space is the half-space n·x ≤ d. Depth may start at its plane.
type space struct {
	n      vec.Vec3
	d      float64
	begins bool
}

// gauss10 holds the nodes in [-1, 1] and the weights of the quadrature that is exact up to degree
// 19.
var gauss10 = func() (g [10][2]float64) {
	for k := range g {
		x := math.Cos(math.Pi * (float64(k) + 0.75) / 10.5)
		for range 50 {
			p, before := 1.0, 0.0
			for j := 1; j <= 10; j++ {
				p, before = (float64(2*j-1)*x*p-float64(j-1)*before)/float64(j), p
			}
			slope := 10 * (x*p - before) / (x*x - 1)
			x -= p / slope
			g[k] = [2]float64{x, 2 / ((1 - x*x) * slope * slope)}
		}
	}
	return g
}()

// depthPower returns ∫h^q dV over the intersection of all half-spaces, where h is the least depth
// under the planes at which depth starts. It is the sum over the parts in which one of these planes
// has the least depth.
func depthPower(spaces []space) (sum float64) {
	for i, s := range spaces {
		if !s.begins {
			continue
		}
		part := slices.Clone(spaces)
		for k, o := range spaces {
			if o.begins && k != i {
				part[k] = space{n: o.n.Sub(s.n), d: o.d - s.d} // s.d - s.n·x ≤ o.d - o.n·x
			}
		}
		sum += powerBehind(part, s.n.Scale(s.d), s.n)
	}
	return sum
}

// powerBehind returns ∫h^q dV over the intersection of all half-spaces, where h is the depth under
// the plane through point with normal n.
func powerBehind(spaces []space, point, n vec.Vec3) (sum float64) {
	var depths []float64
	for i := range spaces {
		for j := range i {
			for k := range j {
				a, b, c := spaces[i], spaces[j], spaces[k]
				det := a.n.Dot(b.n.Cross(c.n))
				if math.Abs(det) < 1e-12 {
					continue
				}
				x := b.n.Cross(c.n).Scale(a.d).Add(c.n.Cross(a.n).Scale(b.d)).Add(a.n.Cross(b.n).Scale(c.d)).Scale(1 / det)
				inside := true
				for m := range spaces {
					inside = inside && (m == i || m == j || m == k || spaces[m].n.Dot(x) <= spaces[m].d+1e-12)
				}
				if inside {
					depths = append(depths, -n.Dot(x.Sub(point)))
				}
			}
		}
	}
	slices.Sort(depths)
	u := n.Perpendicular().Unit()
	v := n.Cross(u)
	for k := 1; k < len(depths); k++ {
		half, mid := 0.5*(depths[k]-depths[k-1]), 0.5*(depths[k]+depths[k-1])
		if half < 1e-15 {
			continue
		}
		for _, g := range gauss10 {
			h := mid + half*g[0]
			sum += half * g[1] * math.Pow(h, overlap.DepthPower) * sectionArea(spaces, point.AddScaled(-h, n), u, v)
		}
	}
	return sum
}

// sectionArea returns the area of the section of half-spaces with the plane through a point spanned
// by u and v.
func sectionArea(spaces []space, point, u, v vec.Vec3) (area float64) {
	const far = 100
	p := [][2]float64{{-far, -far}, {far, -far}, {far, far}, {-far, far}}
	for _, s := range spaces {
		a, b, d := s.n.Dot(u), s.n.Dot(v), s.d-s.n.Dot(point)
		var next [][2]float64
		for k := range p {
			x, y := p[k], p[(k+1)%len(p)]
			hx, hy := a*x[0]+b*x[1]-d, a*y[0]+b*y[1]-d
			if hx <= 0 {
				next = append(next, x)
			}
			if (hx <= 0) != (hy <= 0) {
				t := hx / (hx - hy)
				next = append(next, [2]float64{x[0] + t*(y[0]-x[0]), x[1] + t*(y[1]-x[1])})
			}
		}
		if p = next; len(p) == 0 {
			return 0
		}
	}
	for k := range p {
		x, y := p[k], p[(k+1)%len(p)]
		area += 0.5 * (x[0]*y[1] - x[1]*y[0])
	}
	return area
}

// upright returns the normal of a triangle, on the side from which its corners run
// counter-clockwise.
func upright(t []vec.Vec3) vec.Vec3 { return t[1].Sub(t[0]).Cross(t[2].Sub(t[0])).Unit() }

// behindFacet returns the half-spaces of the material behind facet f of a mesh, those of the
// facet's own shares, and the facets beyond ridges for which it has own shares. Depth starts at the
// facet and at open edges; that of own shares starts at such ridges.
func behindFacet(mesh triangles, f int) (spaces, own []space, beyond []int) {
	t := mesh[f]
	n := upright(t)
	middle := t[0].Add(t[1]).Add(t[2]).Scale(1.0 / 3)
	spaces = append(spaces, space{n, n.Dot(t[0]), true})
	own = append(own, spaces[0])
	for k := range 3 {
		a, b := t[k], t[(k+1)%3]
		out := b.Sub(a).Cross(n).Unit()
		if out.Dot(middle.Sub(a)) > 0 {
			out = out.Neg()
		}
		rate, more, edge := -1.0, 0.0, true
		for g, o := range mesh {
			if g == f || !slices.Contains(o, a) || !slices.Contains(o, b) {
				continue
			}
			half := 0.5 * math.Acos(min(n.Dot(upright(o)), 1))
			if out.Dot(upright(o)) < 0 {
				half = -half
			}
			rate, edge = -math.Tan(half), false
			if more = min(max(surface.OwnRise*(-rate-surface.BluntRate), 0), 1); more > 0 {
				beyond = append(beyond, g)
			}
		}
		for _, s := range []struct {
			to     *[]space
			rate   float64
			begins bool
		}{{&spaces, rate, edge}, {&own, rate - more, edge || more > 0}} {
			side := out.AddScaled(s.rate, n).Unit()
			*s.to = append(*s.to, space{side, side.Dot(a), s.begins})
		}
	}
	return spaces, own, beyond
}

// makeFacets makes the material behind all facets of the walls.
func (w *World) makeFacets() {
	var all []soa.Piece
	for p := range w.space.Pieces.Len() {
		all = append(all, soa.Piece(p))
	}
	w.space.MakeFacets(all)
}

// pressPotential returns the potential, for a stiffness of 1, of a block in a pose and the material
// behind the fronts of a wall. Its facets have the weights that world w gives the directions of the
// sides that face up.
func pressPotential(w *World, mesh triangles, shape *soa.View, pose vec.Pose) float64 {
	var body []space
	for f := range shape.NFaces {
		n := pose.Rot.Rotate(shape.Normal(soa.Face(f)))
		body = append(body, space{n: n, d: shape.D[f] + n.Dot(pose.Pos)})
	}
	w.makeFacets()
	bins := map[int]float64{}
	sharesOf := func(f int) *surface.BinWeights {
		sided := w.space.Sides.Of(w.bodies.FirstPiece[w.walls[0].body] + soa.Piece(f))
		side := 1
		if sided.Normal.Dot(upright(mesh[f])) >= 0 {
			side = 0
		}
		return &w.space.Sides.Shares[sided.Side[side].ShareIndex]
	}
	for f := range mesh {
		spaces, own, beyond := behindFacet(mesh, f)
		power := depthPower(append(spaces, body...))
		if power == 0 {
			continue
		}
		shares, ownPower := sharesOf(f), power
		if len(shares.Weights) > 1 && len(beyond) > 0 {
			ownPower = depthPower(append(own, body...))
		}
		for k, weight := range shares.Weights {
			common := weight
			if len(shares.Weights) > 1 {
				for _, g := range beyond {
					common = min(common, sharesOf(g).Weights[k])
				}
			}
			bins[shares.First+k] += common*power + (weight-common)*ownPower
		}
	}
	area, sum := largestFace(shape), 0.0
	for _, s := range bins {
		sum += 0.5 * math.Pow((overlap.DepthPower+1)/area*s, 2.0/(overlap.DepthPower+1))
	}
	return sum
}

// roughFloor returns 2n·n triangles around the origin, with corners up to noise above or below the
// plane z = 0.
func roughFloor(n int, noise float64, seed uint64) triangles {
	return gridFloor(n, 0, seed).facingUp().bent(noise)
}

// facingUp reorders the corners of each triangle to run counter-clockwise as seen from above.
func (f triangles) facingUp() triangles {
	for _, p := range f {
		if p[1].Sub(p[0]).Cross(p[2].Sub(p[0])).Z < 0 {
			slices.Reverse(p)
		}
	}
	return f
}

// twoSlopes returns two squares of triangles that meet along y at an angle of bend; a positive bend
// is a valley.
func twoSlopes(bend float64) triangles {
	s, c := math.Sin(bend), math.Cos(bend)
	l, m := [2]vec.Vec3{vec.V(-2, -2, 0), vec.V(-2, 2, 0)}, [2]vec.Vec3{vec.V(0, -2, 0), vec.V(0, 2, 0)}
	r := [2]vec.Vec3{vec.V(2*c, -2, 2*s), vec.V(2*c, 2, 2*s)}
	return triangles{{l[0], m[0], m[1]}, {l[0], m[1], l[1]}, {m[0], r[0], r[1]}, {m[0], r[1], m[1]}}
}

// TestPressIsTheSlopeOfItsPotential compares potential, force and moment with those of the
// definition.
func TestPressIsTheSlopeOfItsPotential(t *testing.T) {
	random := func(seed uint64) func() float64 {
		x := seed
		return func() float64 {
			x = x*6364136223846793005 + 1442695040888963407
			return float64(x>>11)/(1<<52) - 1
		}
	}
	for _, c := range []struct {
		name  string
		mesh  triangles
		shape *soa.Template
		poses int
	}{
		{"valley", twoSlopes(0.05), box(t, 1, 1, 1), 4},
		{"steep valley", twoSlopes(1.2), box(t, 1, 0.7, 0.5), 3},
		{"ridge", twoSlopes(-0.1), box(t, 1, 1, 1), 4},
		{"steep ridge", twoSlopes(-1.5), box(t, 1, 0.7, 0.5), 3},
		{"rough", roughFloor(3, 0.02, 1), box(t, 1, 1, 1), 4},
		{"rougher", roughFloor(3, 0.2, 1), box(t, 0.8, 0.8, 0.8), 3},
		{"rock", roughFloor(2, 0.05, 2), rock(t, 3, 8, 0.5), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := random(7)
			for range c.poses {
				w, id := pressWorld(t, c.mesh, c.shape)
				view := w.Shapes().View(w.Pieces().Shape[w.Bodies().FirstPiece[id]])
				pose := vec.Pose{Pos: vec.V(0.3*r(), 0.2*r(), 0), Rot: vec.FromRotationVector(vec.V(0.02*r(), 0.02*r(), r()))}
				pose.Pos.Z = w.touchdown(id, pose) - math.Pow(10, -2+0.5*r())
				f, m := w.pressAt(id, pose)
				stored := storedIn(w)
				want := pressPotential(w, c.mesh, view, pose)
				if want == 0 {
					t.Fatal("the block is not pressed")
				}
				depth := math.Sqrt(2 * want)
				if math.Abs(stored-want) > 2e-9*want {
					t.Errorf("at %v the potential is %g, expected %g", pose, stored, want)
				}
				slope := func(at func(s float64) vec.Pose, step float64) float64 {
					d := func(s float64) float64 {
						return (pressPotential(w, c.mesh, view, at(s)) - pressPotential(w, c.mesh, view, at(-s))) / (2 * s)
					}
					return (4*d(step/2) - d(step)) / 3
				}
				for k, axis := range []vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
					got := -slope(func(s float64) vec.Pose { return vec.Pose{Pos: pose.Pos.AddScaled(s, axis), Rot: pose.Rot} }, 3e-3*depth)
					if math.Abs(got-f.Dot(axis)) > 1e-6*depth {
						t.Errorf("along axis %d at depth %.2g the force is %g, expected %g", k, depth, f.Dot(axis), got)
					}
					got = -slope(func(s float64) vec.Pose {
						return vec.Pose{Pos: pose.Pos, Rot: vec.FromRotationVector(axis.Scale(s)).Mul(pose.Rot)}
					}, 3e-3*depth)
					if math.Abs(got-m.Dot(axis)) > 1e-6*depth {
						t.Errorf("about axis %d at depth %.2g the moment is %g, expected %g", k, depth, m.Dot(axis), got)
					}
				}
			}
		})
	}
}

// TestPressSharesAreWhole checks that the shares of every side in its bins sum to 1, so that a flat
// wall has the stiffness of the law.
func TestPressSharesAreWhole(t *testing.T) {
	w, _ := pressWorld(t, append(roughFloor(4, 0.5, 5), twoSlopes(-1).moved(vec.V(0, 0, 5))...), box(t, 1, 1, 1))
	w.makeFacets()
	for i := range w.space.Sides.Facets {
		for side := range w.space.Sides.Facets[i].Side {
			sum := 0.0
			for _, weight := range w.space.Sides.Shares[w.space.Sides.Facets[i].Side[side].ShareIndex].Weights {
				sum += math.Pow(weight, 2.0/(overlap.DepthPower+1))
			}
			if math.Abs(sum-1) > 1e-14 {
				t.Errorf("facet %d, side %d: the shares sum to %g", i, side, sum)
			}
		}
	}
}

// moved returns the facets translated by a vector.
func (f triangles) moved(by vec.Vec3) (out triangles) {
	for _, p := range f {
		var q []vec.Vec3
		for _, x := range p {
			q = append(q, x.Add(by))
		}
		out = append(out, q)
	}
	return out
}

// largestFace returns the area of a block's largest face, m²: half the length of the sum of its
// corners' cross products.
func largestFace(v *soa.View) (most float64) {
	for f := range v.NFaces {
		sum := vec.Vec3{}
		for h := v.LoopFirst[f]; h < v.LoopFirst[f]+v.LoopLen[f]; h++ {
			sum = sum.Add(v.Vert(v.Tail[h]).Cross(v.Vert(v.Head(h))))
		}
		most = max(most, 0.5*sum.Norm())
	}
	return most
}
