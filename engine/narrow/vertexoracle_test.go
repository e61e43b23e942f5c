package narrow

import (
	"math"
	"testing"

	quickhull "github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// vertexGap returns the signed gap of two bodies from their vertices alone: no face, edge or normal of a shape is
// asked. K is the hull of all differences a-b, without merging; the depth is the least height of a facet
// of K over the origin, the distance that of the origin from K.
func vertexGap(t testing.TB, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) float64 {
	t.Helper()
	dx := pb.Pos.Sub(pa.Pos)
	var k []vec.Vec3
	for i := range a.NVerts {
		p := pa.Rot.Rotate(a.Vert(soa.Vertex(i)))
		for j := range b.NVerts {
			k = append(k, p.Sub(pb.Rot.Rotate(b.Vert(soa.Vertex(j))).Add(dx)))
		}
	}
	h, err := quickhull.Compute(k, quickhull.Options{Merge: -1})
	if err != nil {
		t.Fatal(err)
	}
	depth := math.Inf(1)
	for f, n := range h.Normals {
		depth = min(depth, n.Dot(k[h.Verts[h.Faces[f][0]]]))
	}
	if depth >= 0 {
		return -depth
	}
	body := oracle.Body{Faces: h.Faces}
	for _, i := range h.Verts {
		body.Verts = append(body.Verts, k[i])
	}
	origin := oracle.Body{Verts: []vec.Vec3{{}}}
	distance, _, _ := oracle.Distance(body, origin)
	return distance
}
