package oracle

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// tolCoplanar, relative to the size, is the largest distance of a point from the plane through
// three others at which Hull puts it on their face. A flatter tetrahedron would be merged into one
// face.
const tolCoplanar = 1e-12

// Hull returns the convex hull of the points by trying the plane of every triple: O(n⁴). Points
// within tolCoplanar·size of a supporting plane belong to its face. Points inside the hull, on an
// edge, or in the interior of a face are dropped. The points must span a volume.
func Hull(points []vec.Vec3) ConvexBody {
	all := ConvexBody{Verts: points}
	tol := float64(tolCoplanar * all.Size())
	var loops [][]int
	seen := map[string]bool{}
	for i := range points {
		for j := range points {
			for k := range points {
				if i >= j || i >= k || j == k {
					continue
				}
				n := CrossOfDifferences(points[i], points[j], points[i], points[k]).Unit()
				if n == (vec.Vec3{}) || all.Support(n) > n.Dot(points[i])+tol {
					continue
				}
				loop := faceLoop(points, n, n.Dot(points[i])-tol)
				if key := string(runes(loop)); !seen[key] {
					seen[key] = true
					loops = append(loops, loop)
				}
			}
		}
	}
	return compact(points, loops)
}

// faceLoop returns the corners of the hull of the points with n·p ≥ d, counter-clockwise about n,
// by gift wrapping: the next corner is the point that has all others on its left.
func faceLoop(points []vec.Vec3, n vec.Vec3, d float64) []int {
	var on []int
	for i, p := range points {
		if n.Dot(p) >= d {
			on = append(on, i)
		}
	}
	u := n.Perpendicular()
	start := on[0]
	for _, i := range on {
		if u.Dot(points[i]) < u.Dot(points[start]) {
			start = i
		}
	}
	loop := []int{start}
	for at := start; len(loop) <= len(on); {
		next := -1
		for _, i := range on {
			if i == at {
				continue
			}
			if next < 0 {
				next = i
				continue
			}
			turn := n.Dot(CrossOfDifferences(points[at], points[next], points[at], points[i]))
			ahead := points[i].Sub(points[at]).Norm2() - points[next].Sub(points[at]).Norm2()
			scale := points[i].Sub(points[at]).Norm() * points[next].Sub(points[at]).Norm()
			// If the points are collinear up to rounding, the farther one is the corner.
			if turn < -tolCoplanar*scale || math.Abs(turn) <= tolCoplanar*scale && ahead > 0 {
				next = i
			}
		}
		if next == start || next < 0 {
			break
		}
		loop = append(loop, next)
		at = next
	}
	low := slices.Index(loop, slices.Min(loop))
	return append(slices.Clone(loop[low:]), loop[:low]...)
}

func runes(loop []int) []rune {
	r := make([]rune, len(loop))
	for i, v := range loop {
		r[i] = rune(v + 1)
	}
	return r
}

// compact drops the points that no loop uses.
func compact(points []vec.Vec3, loops [][]int) ConvexBody {
	at := make([]int, len(points))
	for _, loop := range loops {
		for _, v := range loop {
			at[v] = 1
		}
	}
	var b ConvexBody
	for v, used := range at {
		if used == 1 {
			at[v] = len(b.Verts)
			b.Verts = append(b.Verts, points[v])
		}
	}
	for _, loop := range loops {
		face := make([]int, len(loop))
		for i, v := range loop {
			face[i] = at[v]
		}
		b.Faces = append(b.Faces, face)
	}
	return b
}
