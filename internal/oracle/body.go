package oracle

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ConvexBody is a convex polyhedron: vertices in m, and the vertex loop of each face, counter-clockwise
// seen from outside. A facet is a Body with three vertices and two faces with opposite loops. The
// body is the convex hull of the vertices. Faces only determine which directions and edges are
// tried.
type ConvexBody struct {
	Verts []vec.Vec3
	Faces [][]int
}

// FromView returns the polyhedron of a shape at pose p, relative to origin. The positions are
// subtracted before the vertices are added, so distant poses keep their accuracy. A ball has no
// vertices and yields an empty Body.
func FromView(v *soa.View, p vec.Pose, origin vec.Vec3) ConvexBody {
	var b ConvexBody
	at := p.Pos.Sub(origin)
	for k := range v.NVerts {
		b.Verts = append(b.Verts, p.Rot.Rotate(v.Vert(soa.Vertex(k))).Add(at))
	}
	b.Faces = loops(v)
	return b
}

func loops(v *soa.View) [][]int {
	var faces [][]int
	for f := range v.NFaces {
		var loop []int
		for i := range v.LoopLen[f] {
			loop = append(loop, int(v.Tail[v.LoopFirst[f]+i]))
		}
		faces = append(faces, loop)
	}
	return faces
}

// Moved returns the body translated by t.
func (b ConvexBody) Moved(t vec.Vec3) ConvexBody { return b.Placed(vec.Identity, t) }

// Placed returns the body rotated by r, then translated by t.
func (b ConvexBody) Placed(r vec.Quat, t vec.Vec3) ConvexBody {
	m := ConvexBody{Verts: make([]vec.Vec3, len(b.Verts)), Faces: b.Faces}
	for i, v := range b.Verts {
		m.Verts[i] = r.Rotate(v).Add(t)
	}
	return m
}

// Middle returns the mean of the vertices, which is a point of the body.
func (b ConvexBody) Middle() vec.Vec3 {
	first := b.Verts[0]
	var sum vec.Vec3
	for _, v := range b.Verts {
		sum = sum.Add(v.Sub(first))
	}
	return first.AddScaled(1/float64(len(b.Verts)), sum)
}

// Size returns the largest distance of a vertex from the mean of the vertices.
func (b ConvexBody) Size() float64 {
	m, size := b.Middle(), 0.0
	for _, v := range b.Verts {
		size = max(size, v.Sub(m).Norm())
	}
	return size
}

// Support returns the maximum of n·v over the vertices v.
func (b ConvexBody) Support(n vec.Vec3) float64 {
	best := n.Dot(b.Verts[0])
	for _, v := range b.Verts[1:] {
		best = max(best, n.Dot(v))
	}
	return best
}

// Edges returns each edge once, as two vertex indices, the lower first.
func (b ConvexBody) Edges() [][2]int {
	var edges [][2]int
	seen := map[[2]int]bool{}
	for _, loop := range b.Faces {
		for i, v := range loop {
			w := loop[(i+1)%len(loop)]
			e := [2]int{min(v, w), max(v, w)}
			if !seen[e] {
				seen[e] = true
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// triangles returns the triangle fans of all faces.
func (b ConvexBody) triangles() [][3]int {
	var tris [][3]int
	for _, loop := range b.Faces {
		for i := 2; i < len(loop); i++ {
			tris = append(tris, [3]int{loop[0], loop[i-1], loop[i]})
		}
	}
	return tris
}

// areaVector returns the area of face f times its outward normal.
func (b ConvexBody) areaVector(f int) vec.Vec3 {
	loop := b.Faces[f]
	first := b.Verts[loop[0]]
	var sum vec.Vec3
	for i := 2; i < len(loop); i++ {
		sum = sum.Add(b.Verts[loop[i-1]].Sub(first).Cross(b.Verts[loop[i]].Sub(first)))
	}
	return sum.Scale(0.5)
}

// plane returns the outward unit normal n of face f and d = Support(n). It is a supporting plane
// even if the face is bent by rounding errors.
func (b ConvexBody) plane(f int) (n vec.Vec3, d float64) {
	n = b.areaVector(f).Unit()
	return n, b.Support(n)
}

// Inside reports whether p lies in the closed body. For a body without volume the result depends on
// rounding.
func (b ConvexBody) Inside(p vec.Vec3) bool {
	for f := range b.Faces {
		if n, d := b.plane(f); n.Dot(p) > d {
			return false
		}
	}
	return true
}
