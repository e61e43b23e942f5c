package surfaces

import (
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

const (
	// maxTerrain is the largest number of cells along a side of a terrain, 34 million triangles.
	maxTerrain = 4096
	// terrainHills is the number of the largest hills along a side.
	terrainHills = 4
	// terrainRise is the largest height of the points of an octave over its wavelength.
	terrainRise = 0.12
)

// Terrain returns hilly ground: a square of size × size m about the origin with cells × cells cells
// of two triangles each, counter-clockwise seen from above. It is open, unlike the other surfaces.
// The heights, along z, are the sum of octaves of smooth noise. The wavelengths halve from size/4 to
// two cells, and the heights of an octave are in proportion to its wavelength. Errors wrap
// geometry.ErrValue.
func Terrain(seed uint64, cells int, size float64) (*geometry.Mesh, error) {
	switch {
	case cells < 1 || cells > maxTerrain:
		return nil, wrong("number of cells along a side of the terrain is %d, expected 1 to %d", cells, maxTerrain)
	case !(size > 0 && size <= 1e9):
		return nil, wrong("side of the terrain is %g m, expected more than 0 and at most 1e9 m", size)
	}
	height := make([]float64, (cells+1)*(cells+1))
	r := geometry.NewRand(seed)
	for waves := terrainHills; waves == terrainHills || 2*waves <= cells; waves *= 2 {
		addOctave(height, cells, waves, terrainRise*size/float64(waves), r)
	}
	verts, tris := make([]vec.Vec3, len(height)), make([][3]int, 0, 2*cells*cells)
	for i := range verts {
		x, y := float64(i%(cells+1)), float64(i/(cells+1))
		verts[i] = vec.V(size*(x/float64(cells)-0.5), size*(y/float64(cells)-0.5), height[i])
	}
	for y := range cells {
		for x := range cells {
			at := y*(cells+1) + x
			right, up := at+1, at+cells+1
			tris = append(tris, [3]int{at, right, up + 1}, [3]int{at, up + 1, up})
		}
	}
	return mesh("terrain", verts, tris), nil
}

// addOctave adds noise of the given number of waves along a side to heights. The noise has random
// values of up to ± rise, m, at the points of a lattice, and is smooth between them (Perlin 2002
// gives the polynomial).
func addOctave(height []float64, cells, waves int, rise float64, r *geometry.Rand) {
	lattice := make([]float64, (waves+1)*(waves+1))
	for i := range lattice {
		lattice[i] = r.Range(-rise, rise)
	}
	// place returns the lattice point before the k-th point of a row, and the smooth share of the next.
	place := func(k int) (before int, share float64) {
		t := float64(k*waves) / float64(cells)
		before = min(int(t), waves-1)
		t -= float64(before)
		t3 := float64(float64(t*t) * t)
		return before, float64(t3 * (float64(t*(float64(6*t)-15)) + 10))
	}
	mix := func(a, b, share float64) float64 { return a + float64(share*(b-a)) }
	for i := range height {
		x, sx := place(i % (cells + 1))
		y, sy := place(i / (cells + 1))
		at := y*(waves+1) + x
		height[i] += mix(mix(lattice[at], lattice[at+1], sx), mix(lattice[at+waves+1], lattice[at+waves+2], sx), sy)
	}
}
