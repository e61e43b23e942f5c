package narrow

import (
	"testing"

	convex "github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// vertexGap returns the distance of two bodies, or minus their depth, from their vertices alone:
// the distance of the origin from the surface of the hull of all differences a − b. It does not use
// the faces and edges of the shapes.
func vertexGap(t testing.TB, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) float64 {
	t.Helper()
	var points []vec.Vec3
	vb := worldVerts(b, pb.Rot, pb.Pos.Sub(pa.Pos))
	for _, p := range worldVerts(a, pa.Rot, vec.Vec3{}) {
		for _, q := range vb {
			points = append(points, p.Sub(q))
		}
	}
	h, err := convex.Compute(points, convex.Options{Merge: -1})
	if err != nil {
		t.Fatal(err)
	}
	k := oracle.ConvexBody{Faces: h.Faces}
	for _, i := range h.Verts {
		k.Verts = append(k.Verts, points[i])
	}
	d, _, _ := oracle.Distance(k, oracle.ConvexBody{Verts: []vec.Vec3{{}}})
	for _, loop := range h.Faces {
		if vec.Orient3D(k.Verts[loop[0]], k.Verts[loop[1]], k.Verts[loop[2]], vec.Vec3{}) > 0 {
			return d
		}
	}
	return -d
}
