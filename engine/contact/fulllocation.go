package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// fullLocation returns the centroid of the overlap of the present pair (Itasca, PFC: full resolution),
// relative to the origin of piece A. ws.facets are the facets that A touches; if it is empty, A touches
// piece B. around means that the facets lie in a plane that ends nowhere near A. Rounded
// blocks are moved along the normal, by equal lengths, until their cores overlap by the depth. A law
// whose spring begins at a gap adds that gap to the depth. Without an overlap, fullLocation returns
// reduced.
func (c *gapStage) fullLocation(reduced vec.Vec3, t *force.LawContact, around bool, ws *workspace) vec.Vec3 {
	if !ws.va.Kind.IsPolyhedron() || ws.vb.Kind.IsRound() || t.Gap > ws.needs.Unloaded {
		return reduced
	}
	n, moved := t.Normal, 0.5*(ws.va.Round+ws.vb.Round+ws.needs.Unloaded)
	pa, pb := ws.pa, ws.pb
	pa.Pos, pb.Pos = vec.Vec3{}, pb.Pos.Sub(pa.Pos).AddScaled(-2*moved, n)
	var centroid vec.Vec3
	ok, volume := false, 0.0
	if len(ws.facets) == 0 {
		_, centroid, ok = ws.known.clipper.Volume(ws.va, pa, ws.vb, pb, n)
	} else {
		for _, p := range ws.facets {
			pose := c.sp.displaced(c.sp.Pieces.Pose(c.sp.Bodies, p), int(c.sp.Contacts.Pair[t.Row]))
			pose.Pos = pose.Pos.Sub(ws.pa.Pos).AddScaled(-2*moved, n)
			ws.bounds = appendExtruded(ws.bounds[:0], c.sp.Shapes.View(c.sp.Pieces.Shape[p]), pose, n)
			if around {
				ws.bounds = ws.bounds[:1]
			}
			v, at, some := ws.known.clipper.VolumeWithin(ws.va, pa, ws.bounds)
			if some {
				ok = true
				volume += v
				centroid = centroid.AddScaled(v/volume, at.Sub(centroid))
			}
		}
	}
	if !ok {
		ws.counts.NoOverlap++
		return reduced
	}
	return centroid.AddScaled(moved, n)
}

// appendExtruded appends the bounds of a facet that is extruded away from a block at the origin, which
// touches it along n. pose is that of the facet, relative to the block.
func appendExtruded(to []overlap.Bound, v *soa.View, pose vec.Pose, n vec.Vec3) []overlap.Bound {
	behind, face := section.Behind(v, pose, n), pose.Rot.Rotate(v.Normal(0))
	last := pose.Point(v.Vert(soa.Vertex(v.NVerts - 1)))
	to = append(to, overlap.Bound{Normal: behind.Neg(), Offset: -behind.Dot(last)})
	for k := range v.NVerts {
		p := pose.Point(v.Vert(soa.Vertex(k)))
		side := p.Sub(last).Cross(face).Unit()
		to = append(to, overlap.Bound{Normal: side, Offset: side.Dot(p)})
		last = p
	}
	return to
}
