package geometry

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/soa"
)

// Validate checks everything the other functions rely on and says what is broken first. A
// polyhedron that this package returned passes. Cost: faces times vertices.
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
		return fmt.Errorf("%d vertices and %d faces, expected at least 4 and at most %d vertices: %w", nv, nf, soa.MaxVerts, ErrEmpty)
	}
	if len(p.Offsets) != nf || len(p.LoopFirst) != nf+1 || len(p.Twin) != nh || int(p.LoopFirst[nf]) != nh {
		return fmt.Errorf("%d faces with %d offsets and %d loop bounds, %d half-edges with %d twins: %w",
			nf, len(p.Offsets), len(p.LoopFirst), nh, len(p.Twin), ErrBroken)
	}
	if nv-nh/2+nf != 2 || nh%2 != 0 {
		return fmt.Errorf("%d vertices, %d half-edges, %d faces: V - E + F is not 2: %w", nv, nh, nf, ErrNotManifold)
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
			return fmt.Errorf("face %d has half-edges %d to %d, expected 3 or more: %w", f, lo, hi, ErrBroken)
		}
	}
	for h, w := range p.Twin {
		h := soa.HalfEdge(h)
		if int(w) >= len(p.Twin) || p.Twin[w] != h || w == h || int(p.Tail[h]) >= len(p.Verts) {
			return fmt.Errorf("half-edge %d from vertex %d has twin %d: %w", h, p.Tail[h], w, ErrBroken)
		}
		if p.Face(h) == p.Face(w) {
			return fmt.Errorf("half-edges %d and %d of face %d are twins: %w", h, w, p.Face(h), ErrNotManifold)
		}
		if next := p.Tail[p.Next(h)]; next != p.Tail[w] || next == p.Tail[h] {
			return fmt.Errorf("half-edge %d runs from vertex %d to %d, its twin begins at %d: %w",
				h, p.Tail[h], next, p.Tail[w], ErrBroken)
		}
	}
	return nil
}

// checkRings walks around each vertex once: all its half-edges must be met. With Euler's count and
// at least three faces at each vertex this makes the surface one sphere.
func (p *Polyhedron) checkRings() error {
	degree := make([]int, len(p.Verts))
	first := make([]soa.HalfEdge, len(p.Verts))
	for h, k := range p.Tail {
		degree[k]++
		first[k] = soa.HalfEdge(h)
	}
	for k, want := range degree {
		if want < 3 {
			return fmt.Errorf("vertex %d has %d edges, expected 3 or more: %w", k, want, ErrNotManifold)
		}
		got := 0
		for h := first[k]; ; {
			got++
			if h = p.Next(p.Twin[h]); h == first[k] || got > want {
				break
			}
		}
		if got != want {
			return fmt.Errorf("vertex %d has %d edges, %d around one of them: %w", k, want, got, ErrNotManifold)
		}
	}
	return nil
}

// tolerance returns how far off a plane a vertex may be: what was merged, what faces bend, and
// rounding.
func (p *Polyhedron) tolerance() float64 {
	box := p.Box()
	e := extent{box.Size().MaxAbs(), max(box.Min.MaxAbs(), box.Max.MaxAbs())}
	return float64(2*p.MergeTol) + float64(2*p.Spread) + e.tolerance(planeRel)
}

func (p *Polyhedron) checkPlanes() error {
	tol := p.tolerance()
	box := p.Box()
	e := extent{box.Size().MaxAbs(), max(box.Min.MaxAbs(), box.Max.MaxAbs())}
	if most := float64(2*p.MergeTol) + float64(16*e.tolerance(planeRel)); !(p.Spread <= most) {
		return fmt.Errorf("faces bend by %.3g, expected at most %.3g: %w", p.Spread, most, ErrNotPlanar)
	}
	for f, n := range p.Normals {
		if math.Abs(n.Norm2()-1) > 1e-14 {
			return fmt.Errorf("normal of face %d has length %g, expected 1: %w", f, n.Norm(), ErrBroken)
		}
		loop := p.Loop(f)
		v0 := p.Verts[loop[0]]
		d := math.Inf(-1)
		for k, v := range p.Verts {
			d = max(d, n.Dot(v))
			if h := n.Dot(v.Sub(v0)); h > tol {
				return fmt.Errorf("vertex %d lies %.3g outside face %d, tolerance %.3g: %w", k, h, f, tol, ErrNotConvex)
			}
		}
		if d != p.Offsets[f] {
			return fmt.Errorf("offset of face %d is %g, expected %g: %w", f, p.Offsets[f], d, ErrBroken)
		}
		if area := n.Dot(areaVector(p.Verts, loop)); area < -tol*e.size {
			return fmt.Errorf("face %d turns the wrong way, area %g: %w", f, area/2, ErrNotOriented)
		}
	}
	return nil
}

func (p *Polyhedron) checkMass() error {
	if !p.Mass.solid() {
		return fmt.Errorf("volume %g, inertia %v: %w", p.Mass.Volume, p.Mass.Inertia, ErrFlat)
	}
	if m := massOf(p.Verts, p.NFaces(), p.Loop); m != p.Mass {
		return fmt.Errorf("mass properties %v, expected %v: %w", p.Mass, m, ErrBroken)
	}
	return nil
}
