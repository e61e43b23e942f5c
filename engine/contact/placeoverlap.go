package contact

import (
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/section"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// placeOverlap finds the overlap of pair i for a law that reads overlaps. Shapes and poses must be
// loaded in the workspace. The force acts at the centroid of the overlap.
func (c *overlapStage) placeOverlap(i int, t *force.LawContact, ws *workspace) {
	t.Overlap = force.Overlap{}
	at, s := section.BallLocation(ws.pa, ws.pb, t.ArmA, t.ArmB), overlap.Moments{}
	if ws.found.what != none && c.clip(i, ws, &s) {
		t.Overlap, at = overlapOf(&s), s.Centroid
		c.useOverlapGap(i, t, s.Thickness, s.Along, ws)
		if ws.typed() {
			c.storeFeatures(i, ws)
		}
	}
	(*contactStage)(c).addToLaw(t, at, vec.Sym3{}, ws)
}

// guess returns the features that may make the overlap of pair i: the facet of its last answer
// and the prism of the last step.
func (c *overlapStage) guess(i int) overlap.Features {
	if row := c.sp.Pairs.Row[i]; row != soa.NoRow {
		return overlap.Features{Facet: c.sp.Contacts.Facet[row], Prism: c.sp.Contacts.Prism[row]}
	}
	return overlap.Features{}
}

// overlapOf converts an overlap to the form that laws read.
func overlapOf(s *overlap.Moments) force.Overlap {
	return force.Overlap{
		Volume: s.Volume, Spread: s.Spread, Variance: s.Variance,
		VarianceGradient: s.VarianceGradient, VarianceTurn: s.VarianceTurn, VolumeGradient: s.VolumeGradient, VolumeTurn: s.VolumeTurn,
		EdgeFactor: 1,
	}
}

// clip computes the overlap of pair i, whose shapes and poses are in the workspace, and reports
// whether it has a volume.
func (c *overlapStage) clip(i int, ws *workspace, s *overlap.Moments) bool {
	found := c.find(i, ws, s)
	return found == overlap.Computed || found == overlap.SurfaceFound && ws.known.clipper.Measure(s)
}

// find is clip without the moments of an overlap of no known type. It does not try features again
// that findKnownOverlaps has tried. The result does not depend on the narrow phase's answer.
func (c *overlapStage) find(i int, ws *workspace, s *overlap.Moments) overlap.Finding {
	guess, tried, none := c.guess(i), ws.found.tried, overlap.Features{}
	if guess.Facet == tried.Facet {
		guess.Facet = none.Facet
	}
	if guess.Prism == tried.Prism {
		guess.Prism = none.Prism
	}
	along := ws.pb.Pos.Sub(ws.pa.Pos)
	switch {
	case ws.vb.Kind.IsEndless():
		along = ws.pb.Rot.Rotate(vec.Vec3{Z: -1})
	case along == vec.Vec3{}:
		along = vec.Vec3{Z: 1}
	default:
		along = along.Unit()
	}
	var known *overlap.Skeleton
	if row := c.sp.Pairs.Row[i]; row != soa.NoRow {
		if kept := c.sp.skeletons.at(int(row)); kept != nil {
			known = &kept.Skeleton
		}
	}
	if guess == none {
		tried.Skeleton = known
		return ws.known.clipper.FindExcept(ws.va, ws.pa, ws.vb, ws.pb, along, &tried, s)
	}
	guess.Skeleton = known
	return ws.known.clipper.FindNear(ws.va, ws.pa, ws.vb, ws.pb, along, &guess, s)
}

// storeFeatures stores, for the next step, which features make the overlap that clip has found for pair
// i.
func (c *overlapStage) storeFeatures(i int, ws *workspace) { c.storeFeaturesAs(i, c.featuresOf(i, ws)) }

// featuresOf returns the features that make the overlap that find has found for pair i. For an overlap
// of no known type it stores the skeleton and returns the features to try before the skeleton.
func (c *overlapStage) featuresOf(i int, ws *workspace) overlap.Features {
	if k, before := ws.known.clipper.Skeleton(); k != nil {
		c.sp.skeletons.keep(int(c.sp.Pairs.Row[i]), ws.out.Tile, k)
		return before
	}
	return ws.known.clipper.Named()
}

// storeFeaturesAs stores features for pair i, which has a row.
func (c *overlapStage) storeFeaturesAs(i int, by overlap.Features) {
	con, row := &c.sp.Contacts, c.sp.Pairs.Row[i]
	con.Prism[row], con.PrismHolds[row], con.Facet[row] = by.Prism, 0, by.Facet
}
