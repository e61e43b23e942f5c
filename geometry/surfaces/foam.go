package surfaces

import (
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/disjoint"
	"github.com/scree-dem/scree/vec"
)

// FoamOptions are the options of Foam.
type FoamOptions struct {
	Seed  uint64 // any number; the same seed makes the same foam
	Cubes int    // of the lattice along a side of the box; the number of triangles grows with its square
	// Dyadic puts every vertex at the middle of a lattice edge. If Cubes is a power of two, all
	// coordinates are exact multiples of a quarter of the lattice spacing: many triangles are
	// coplanar, and points of a grid share coordinates with vertices and edges.
	Dyadic bool
}

// Numbers of cubes of the foams of Muth et al. 2006, section 3.2, which have 28952, 120868 and
// 494124 triangles. Foams of seed 1 in this package have as many within 3 %.
const (
	FoamSmall  = 15
	FoamMiddle = 29
	FoamLarge  = 56
	// MaxFoam is the largest number of cubes along a side. With 200, the foam has 6 million
	// triangles.
	MaxFoam = 200
	minFoam = 8
)

const (
	// foamCells is the number of cells along a side of the box, of two bubbles each.
	foamCells = 3
	// foamJitter is how far a bubble's centre may be from its regular place along each axis, in
	// sides of a cell.
	foamJitter = 0.15
	// foamWidth, m, is the width of a strut: how much farther the third nearest centre is than the
	// nearest.
	foamWidth = 0.12
	// foamNear and 1 - foamNear limit where a vertex lies on its lattice edge, so that no triangle
	// is a sliver.
	foamNear = 0.125
)

// Foam returns a closed connected surface of high genus: the struts of an open foam of 54 bubbles
// in the box from (-1,-1,-1) to (1,1,1) m. A bubble is the set of points nearest to its centre. The
// centres are those of a body-centred lattice, jittered. A strut is where three centres are nearly
// equally far away. The surface marches through the tetrahedra of a body-centred lattice, so it is
// a manifold without self-intersection. Parts that the box cuts off are left out. The cost is
// O(Cubes³). Errors wrap geometry.ErrValue.
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

// bubbles has the centres of the cells, with two cells around the box.
type bubbles struct {
	side    float64 // of a cell, m
	centres [foamAll * foamAll * foamAll][2]vec.Vec3
}

// foamAll is the number of cells along a side: those of the box and two more at either end.
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

// strut returns a value that is negative in the foam and positive outside. Its magnitude is about a
// distance, m.
func (b *bubbles) strut(p vec.Vec3) float64 {
	box := max(math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)) - 1
	if box >= 0 {
		return box
	}
	cell := func(x float64) int { return int((x+1)/b.side) + 1 } // cell returns the cell before p's cell
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

// largest returns the connected part with the most triangles, without unused vertices. If several
// have as many, it returns the first.
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
