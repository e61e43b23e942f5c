package geometry

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// Validate checks every property that the other functions rely on, and returns an error that names
// the first violation. Every polyhedron that this package returns passes. Cost: faces times
// vertices.
func (p *Polyhedron) Validate() error {
	for _, check := range []func() error{p.checkCounts, p.checkHalfEdges, p.checkRings, p.checkPlanes, p.checkMass} {
		if err := check(); err != nil {
			return fmt.Errorf("geometry: %s: %w", p.Name, err)
		}
	}
	return nil
}

func (p *Polyhedron) checkCounts() error {
	nv, nf, nh := len(p.Verts), len(p.Normals), len(p.Tail)
	if nv < 4 || nf < 4 || nv > soa.MaxVerts {
		return mark.Errorf(ErrEmpty, "%d vertices and %d faces, expected at least 4 and at most %d vertices", nv, nf, soa.MaxVerts)
	}
	if len(p.Offsets) != nf || len(p.LoopFirst) != nf+1 || len(p.Twin) != nh || int(p.LoopFirst[nf]) != nh {
		return mark.Errorf(ErrBroken, "%d faces with %d offsets and %d loop bounds, %d half-edges with %d twins, expected as many of each",
			nf, len(p.Offsets), len(p.LoopFirst), nh, len(p.Twin))
	}
	if nv-nh/2+nf != 2 || nh%2 != 0 {
		return mark.Errorf(ErrNotManifold, "%d vertices, %d half-edges, %d faces: V - E + F is not 2, expected a closed surface without holes", nv, nh, nf)
	}
	for k, v := range p.Verts {
		if err := checkCoordinate(v); err != nil {
			return fmt.Errorf("vertex %d: %w", k, err)
		}
	}
	return nil
}

func (p *Polyhedron) checkHalfEdges() error {
	for f := range p.Normals {
		if lo, hi := p.LoopFirst[f], p.LoopFirst[f+1]; hi < lo+3 || int(hi) > len(p.Tail) {
			return mark.Errorf(ErrBroken, "face %d has half-edges %d to %d, expected 3 or more", f, lo, hi)
		}
	}
	for h, w := range p.Twin {
		h := soa.HalfEdge(h)
		if int(w) >= len(p.Twin) || p.Twin[w] != h || w == h || int(p.Tail[h]) >= len(p.Verts) {
			return mark.Errorf(ErrBroken, "half-edge %d from vertex %d has twin %d, expected one whose twin it is", h, p.Tail[h], w)
		}
		if p.Face(h) == p.Face(w) {
			return mark.Errorf(ErrNotManifold, "half-edges %d and %d of face %d are twins, expected them in two faces", h, w, p.Face(h))
		}
		if next := p.Tail[p.Next(h)]; next != p.Tail[w] || next == p.Tail[h] {
			return mark.Errorf(ErrBroken, "half-edge %d runs from vertex %d to %d, its twin begins at %d, expected where it ends",
				h, p.Tail[h], next, p.Tail[w])
		}
	}
	return nil
}

// checkRings walks once around each vertex: the walk must meet all half-edges of the vertex.
// Together with Euler's formula and at least three faces at each vertex, this proves that the
// surface is one sphere.
func (p *Polyhedron) checkRings() error {
	degree := make([]int, len(p.Verts))
	first := make([]soa.HalfEdge, len(p.Verts))
	for h, k := range p.Tail {
		degree[k]++
		first[k] = soa.HalfEdge(h)
	}
	for k, want := range degree {
		if want < 3 {
			return mark.Errorf(ErrNotManifold, "vertex %d has %d edges, expected 3 or more", k, want)
		}
		got := 0
		for h := first[k]; ; {
			got++
			if h = p.Next(p.Twin[h]); h == first[k] || got > want {
				break
			}
		}
		if got != want {
			return mark.Errorf(ErrNotManifold, "vertex %d has %d edges, %d around one of them, expected all", k, want, got)
		}
	}
	return nil
}

// tolerance returns how far a vertex may lie outside a plane, m. It covers merging, bent faces and
// rounding.
func (p *Polyhedron) tolerance() float64 {
	return float64(2*p.MergeTol) + float64(2*p.Spread) + extentOf(p.Box()).tolerance(planeRel)
}

func (p *Polyhedron) checkPlanes() error {
	tol, e := p.tolerance(), extentOf(p.Box())
	if most := float64(2*p.MergeTol) + float64(16*e.tolerance(planeRel)); !(p.Spread <= most) {
		return mark.Errorf(ErrNotPlanar, "faces bend by %.3g, expected at most %.3g", p.Spread, most)
	}
	for f, n := range p.Normals {
		if math.Abs(n.Norm2()-1) > 1e-14 {
			return mark.Errorf(ErrBroken, "normal of face %d has length %g, expected 1", f, n.Norm())
		}
		loop := p.Loop(f)
		v0 := p.Verts[loop[0]]
		for k, v := range p.Verts {
			if h := n.Dot(v.Sub(v0)); h > tol {
				return mark.Errorf(ErrNotConvex, "vertex %d lies %.3g outside face %d, expected at most %.3g", k, h, f, tol)
			}
		}
		if d := support(p.Verts, n); d != p.Offsets[f] {
			return mark.Errorf(ErrBroken, "offset of face %d is %g, expected %g", f, p.Offsets[f], d)
		}
		if area := n.Dot(hull.AreaVector(p.Verts, loop)); area < -tol*e.size {
			return mark.Errorf(ErrNotOriented, "face %d turns the wrong way, area %g, expected above 0", f, area/2)
		}
	}
	return nil
}

func (p *Polyhedron) checkMass() error {
	if !p.Mass.solid() {
		return mark.Errorf(ErrFlat, "volume %g, inertia %v, expected both positive", p.Mass.Volume, p.Mass.Inertia)
	}
	if m := massOf(p.Verts, p.NFaces(), p.Loop); m != p.Mass {
		return mark.Errorf(ErrBroken, "mass properties %v, expected %v", p.Mass, m)
	}
	return nil
}
