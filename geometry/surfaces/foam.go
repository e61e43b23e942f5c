package surfaces

import (
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/disjoint"
	"github.com/scree-dem/scree/vec"
)

// FoamOptions says which foam is made.
type FoamOptions struct {
	Seed  uint64 // any number; the same seed gives the same foam
	Cubes int    // of the lattice along a side of the foam's box; triangles grow with its square
	// Dyadic puts every vertex at the middle of a lattice edge. If Cubes is a power of two, all
	// coordinates are multiples of a quarter of the lattice spacing, exactly: many triangles are
	// coplanar, and points of a grid lie level with vertices and edges.
	Dyadic bool
}

// Numbers of cubes of the foams of Muth et al. 2006, section 3.2, which have 28952, 120868 and
// 494124 triangles. Ours of seed 1 have as many to 3 %.
const (
	FoamSmall  = 15
	FoamMiddle = 29
	FoamLarge  = 56
	// MaxFoam bounds the cubes along a side: at 200 the foam has 6 million triangles.
	MaxFoam = 200
	minFoam = 8
)

const (
	// foamCells along a side of the box, of two bubbles each.
	foamCells = 3
	// foamJitter is how far a bubble's centre is off its place, along each axis, in sides of a
	// cell.
	foamJitter = 0.15
	// foamWidth of a strut, m: how much further the third nearest centre is than the nearest.
	foamWidth = 0.12
	// foamNear and 1 - foamNear bound where a vertex lies on its lattice edge, so that no triangle
	// is a sliver.
	foamNear = 0.125
)

// Foam returns one closed connected surface of high genus: the struts of an open foam in the box
// from (-1,-1,-1) to (1,1,1) m, of 54 bubbles. A bubble is what is nearest to its centre; centres
// are those of a body-centred lattice, jittered. A strut is where three centres are nearly equally
// far. The surface marches through the tetrahedra of a body-centred lattice, so it is a manifold
// without self-intersection. Pieces that the box cuts off are left out. It costs O(Cubes³).
func Foam(o FoamOptions) (*geometry.Mesh, error) {
	if o.Cubes < minFoam || o.Cubes > MaxFoam {
		return nil, wrong("number of cubes along the foam is %d, expected %d to %d", o.Cubes, minFoam, MaxFoam)
	}
	b := newBubbles(o.Seed)
	l := newLattice(o.Cubes, b.strut)
	l.dyadic = o.Dyadic
	l.march()
	verts, tris := largest(l.verts, l.tris)
	name := fmt.Sprintf("foam:%d,%d", o.Seed, o.Cubes)
	if o.Dyadic {
		name = "dyadic-" + name
	}
	return mesh(name, verts, tris), nil
}

// bubbles are the centres by cell, with two cells around the box.
type bubbles struct {
	side    float64 // of a cell, m
	centres [foamAll * foamAll * foamAll][2]vec.Vec3
}

// foamAll cells along a side: those of the box and two more at either end.
const foamAll = foamCells + 4

func newBubbles(seed uint64) *bubbles {
	b := &bubbles{side: 2.0 / foamCells}
	r := geometry.NewRand(seed)
	for i := range b.centres {
		cell := vec.V(float64(i%foamAll), float64(i/foamAll%foamAll), float64(i/foamAll/foamAll))
		for k, at := range [2]float64{0.25, 0.75} {
			place := cell.Add(vec.V(at, at, at)).Sub(vec.V(2, 2, 2))
			jitter := vec.V(r.Range(-1, 1), r.Range(-1, 1), r.Range(-1, 1)).Scale(foamJitter)
			b.centres[i][k] = place.Add(jitter).Scale(b.side).Sub(vec.V(1, 1, 1))
		}
	}
	return b
}

// strut is negative in the foam and positive outside; its size is about a distance, m.
func (b *bubbles) strut(p vec.Vec3) float64 {
	box := max(math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)) - 1
	if box >= 0 {
		return box
	}
	cell := func(x float64) int { return int((x+1)/b.side) + 1 } // the one before p's
	// The squares of the three least distances.
	d1, d2, d3 := math.Inf(1), math.Inf(1), math.Inf(1)
	x0, y0, z0 := cell(p.X), cell(p.Y), cell(p.Z)
	for z := z0; z < z0+3; z++ {
		for y := y0; y < y0+3; y++ {
			row := (z*foamAll + y) * foamAll
			for x := x0; x < x0+3; x++ {
				for k := range 2 {
					d := b.centres[row+x][k].Sub(p).Norm2()
					switch {
					case d >= d3:
					case d >= d2:
						d3 = d
					case d >= d1:
						d2, d3 = d, d2
					default:
						d1, d2, d3 = d, d1, d2
					}
				}
			}
		}
	}
	return max(box, math.Sqrt(d3)-math.Sqrt(d1)-foamWidth)
}

// largest returns the connected part that has the most triangles, of equal ones the first, without
// stray vertices.
func largest(verts []vec.Vec3, tris [][3]int) ([]vec.Vec3, [][3]int) {
	parts := disjoint.New[int](len(verts))
	for _, t := range tris {
		parts.Join(t[0], t[1])
		parts.Join(t[0], t[2])
	}
	count := make([]int, len(verts))
	for _, t := range tris {
		count[parts.Lowest(t[0])]++
	}
	best := slices.Index(count, slices.Max(count))
	var keptVerts []vec.Vec3
	kept := make([][3]int, 0, count[best])
	number := make([]int, len(verts)) // plus 1
	for _, t := range tris {
		if parts.Lowest(t[0]) != best {
			continue
		}
		for k, v := range t {
			if number[v] == 0 {
				keptVerts = append(keptVerts, verts[v])
				number[v] = len(keptVerts)
			}
			t[k] = number[v] - 1
		}
		kept = append(kept, t)
	}
	return keptVerts, kept
}
