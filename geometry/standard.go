package geometry

import (
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// The standard shapes are centred on their centroid. Their faces follow from symmetry, not from a
// computed hull, so that numbering and normals are predictable.

// Box returns the box of sides a, b, c, m, along x, y, z. Its faces are in the order -x +x -y +y -z
// +z. Bits 0, 1, 2 of a vertex number are set for + in x, y, z.
func Box(a, b, c float64) (*Polyhedron, error) {
	if err := checkLengths("box", a, b, c); err != nil {
		return nil, err
	}
	verts := cubeCorners()
	for k, v := range verts {
		verts[k] = v.Mul(vec.V(a/2, b/2, c/2))
	}
	loops := [][]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}
	return assemble("box", verts, loops, axes())
}

// axes returns -x +x -y +y -z +z.
func axes() []vec.Vec3 {
	return []vec.Vec3{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}}
}

// Tetra returns the regular tetrahedron of the given edge, m. Its vertices lie along (1,1,1),
// (1,-1,-1), (-1,1,-1), (-1,-1,1). Face k is opposite vertex k.
func Tetra(edge float64) (*Polyhedron, error) {
	return regular("tetra", edge, 2*math.Sqrt2, tetraCorners(), negated(tetraCorners()))
}

func tetraCorners() []vec.Vec3 {
	return []vec.Vec3{{X: 1, Y: 1, Z: 1}, {X: 1, Y: -1, Z: -1}, {X: -1, Y: 1, Z: -1}, {X: -1, Y: -1, Z: 1}}
}

// Octa returns the regular octahedron of the given edge, m. Its vertices lie on the axes, in the
// order -x +x -y +y -z +z. Bits 0, 1, 2 of a face number are set for + in x, y, z.
func Octa(edge float64) (*Polyhedron, error) {
	return regular("octa", edge, math.Sqrt2, axes(), cubeCorners())
}

// cubeCorners returns the eight points (±1, ±1, ±1); bits 0, 1, 2 of the index are set for + in x,
// y, z.
func cubeCorners() []vec.Vec3 {
	corners := make([]vec.Vec3, 8)
	for k := range corners {
		corners[k] = vec.V(float64(2*(k&1)-1), float64(k&2-1), float64(k&4/2-1))
	}
	return corners
}

// golden is the golden ratio.
const golden = math.Phi

// Icosa returns the regular icosahedron of the given edge, m. Its vertices are (0, ±1, ±φ) and
// their cyclic permutations, scaled.
func Icosa(edge float64) (*Polyhedron, error) {
	return regular("icosa", edge, 2, icosaCorners(), dodecaCorners())
}

// Dodeca returns the regular dodecahedron of the given edge, m. Its vertices are (±1, ±1, ±1), (0,
// ±φ, ±1/φ) and the cyclic permutations of the latter, scaled.
func Dodeca(edge float64) (*Polyhedron, error) {
	return regular("dodeca", edge, 2/golden, dodecaCorners(), icosaCorners())
}

func icosaCorners() []vec.Vec3 { return cyclic(nil, 1, golden) }

func dodecaCorners() []vec.Vec3 { return cyclic(cubeCorners(), golden, 1/golden) }

// cyclic appends (0, ±a, ±b), (±b, 0, ±a) and (±a, ±b, 0).
func cyclic(to []vec.Vec3, a, b float64) []vec.Vec3 {
	for turn := range 3 {
		for k := range 4 {
			v := vec.V(0, float64(2*(k&1)-1)*a, float64(k&2-1)*b)
			for range turn {
				v = vec.V(v.Z, v.X, v.Y)
			}
			to = append(to, v)
		}
	}
	return to
}

func negated(points []vec.Vec3) []vec.Vec3 {
	for k, v := range points {
		points[k] = v.Neg()
	}
	return points
}

// regular scales a solid so that its edge changes from has to edge. The face of each direction
// consists of the vertices that are farthest along that direction.
func regular(name string, edge, has float64, verts, directions []vec.Vec3) (*Polyhedron, error) {
	if err := checkLengths(name, edge); err != nil {
		return nil, err
	}
	loops := make([][]int, len(directions))
	normals := make([]vec.Vec3, len(directions))
	for f, n := range directions {
		normals[f] = n.Unit()
		loops[f] = loopAlong(verts, n)
	}
	for k, v := range verts {
		verts[k] = v.Scale(edge / has)
	}
	return assemble(name, verts, loops, normals)
}

// loopAlong returns the vertices that are farthest along n, counter-clockwise seen from the tip of
// n. The loop starts at the lowest vertex. All vertices must have coordinates of the order of 1.
func loopAlong(verts []vec.Vec3, n vec.Vec3) []int {
	reach := support(verts, n)
	var face []int
	var middle vec.Vec3
	for k, v := range verts {
		if n.Dot(v) > reach-1e-9 {
			face = append(face, k)
			middle = middle.Add(v)
		}
	}
	middle = middle.Scale(1 / float64(len(face)))
	// Sort around the middle: the next vertex is the first one counter-clockwise of the last.
	for i := 0; i+1 < len(face); i++ {
		from := verts[face[i]].Sub(middle)
		best := i + 1
		for j := i + 2; j < len(face); j++ {
			if turnBefore(n, from, verts[face[j]].Sub(middle), verts[face[best]].Sub(middle)) {
				best = j
			}
		}
		face[i+1], face[best] = face[best], face[i+1]
	}
	return face
}

// turnBefore reports whether the counter-clockwise turn about n from `from` to a is smaller than
// the turn to b.
func turnBefore(n, from, a, b vec.Vec3) bool {
	leftA, leftB := n.Dot(from.Cross(a)) > 0, n.Dot(from.Cross(b)) > 0
	if leftA != leftB {
		return leftA
	}
	return n.Dot(a.Cross(b)) > 0
}

// Prism returns the right prism of height h, m, over a regular polygon of n corners on a circle of
// radius r, m. Its axis is z, and a vertex of each base lies in +x. Faces: bottom, top, then the
// sides counter-clockwise, from the side that begins at the vertex in +x. Vertices: bottom, then
// top.
func Prism(n int, r, h float64) (*Polyhedron, error) {
	if n < 3 || n > soa.MaxVerts/2 {
		return nil, mark.Errorf(ErrValue, "geometry: prism: %d corners, expected 3 to %d", n, soa.MaxVerts/2)
	}
	if err := checkLengths("prism", r, h); err != nil {
		return nil, err
	}
	verts := make([]vec.Vec3, 2*n)
	loops := [][]int{make([]int, n), make([]int, n)}
	normals := []vec.Vec3{{Z: -1}, {Z: 1}}
	for k := range n {
		s, c := vec.Sincos(2 * math.Pi * float64(k) / float64(n))
		verts[k] = vec.V(float64(r*c), float64(r*s), -h/2)
		verts[n+k] = vec.V(verts[k].X, verts[k].Y, h/2)
		loops[0][k] = n - 1 - k
		loops[1][k] = n + k
	}
	for k := range n {
		next := (k + 1) % n
		side := verts[next].Sub(verts[k])
		loops = append(loops, []int{k, next, n + next, n + k})
		normals = append(normals, vec.V(side.Y, -side.X, 0).Unit())
	}
	return assemble("prism", verts, loops, normals)
}

// checkLengths returns an error unless the lengths can be those of a shape: each within the limits,
// and the largest at most maxAspect times the least.
func checkLengths(name string, lengths ...float64) error {
	lo, hi := math.Inf(1), 0.0
	for _, l := range lengths {
		if !(l >= minSize && l <= maxCoordinate) {
			return mark.Errorf(ErrValue, "geometry: %s: length %g, expected %g to %g", name, l, minSize, maxCoordinate)
		}
		lo, hi = min(lo, l), max(hi, l)
	}
	if hi > lo*maxAspect {
		return mark.Errorf(ErrFlat, "geometry: %s: lengths %g and %g, expected a ratio of at most %g",
			name, lo, hi, float64(maxAspect))
	}
	return nil
}

// maxAspect is the largest ratio of lengths of a standard shape. Beyond it, a face is no wider than
// the rounding error of the opposite face.
// Larger: flat standard shapes.
const maxAspect = 1e12
