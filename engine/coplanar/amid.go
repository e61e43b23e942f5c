package coplanar

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/vec"
)

// Amid reports whether the group of a facet is a plane around all of the block and touches it. Then
// the facets of the group need not be asked, unless the block touches the wall elsewhere too. The
// contact is in the row of the facet that IsUnder names, which is among the candidates whenever
// the block is where it is. So what is decided here follows from poses alone.
func (c *Finder) Amid(f *Facet) bool {
	c.load(f)
	top := c.onGroup(f.Group)
	face := &c.face
	if face.Status == narrow.Degenerate || !(face.Gap <= c.needs.Reach) {
		return false
	}
	core := face.Gap + c.va.Round + c.vb.Round
	half := c.va.Radius + 2*max(math.Abs(core), core+math.Abs(face.Gap-c.needs.Unloaded))
	middle := c.inPlane(vec.Vec3{})
	c.lookIn(window{middle, middle}.enlarged(half))
	if len(c.whole) > 0 {
		return false
	}
	low := face.ArmA.AddScaled(-c.va.Round, face.Normal)
	c.under = low.AddScaled(core, face.Normal)
	if way := top.Sub(low); core < 0 {
		c.under = low.AddScaled(core/face.Normal.Dot(way), way)
	}
	return true
}

// IsUnder reports whether a facet of the group that Amid said yes of has the contact, and gives it
// its answer: whether it holds a point of the block on the plane, on the way up from the block's
// deepest corner to its highest. Of a block whose core stands apart that is the projection of its
// nearest corner.
func (c *Finder) IsUnder(f *Facet) bool {
	pose := f.Pose
	pose.Pos = pose.Pos.Sub(c.pose.Pos)
	if !holds(f.View, pose.PointInv(c.under), 0) {
		return false
	}
	f.Answer = c.face
	f.Answer.ArmB = f.Answer.ArmB.Add(c.pb.Pos.Sub(pose.Pos))
	return true
}

// OnPlaneAlone makes the contact with a facet that IsUnder said yes of, the only one that the
// block touches.
func (c *Finder) OnPlaneAlone(f *Facet) {
	c.load(f)
	c.face = f.Answer
	c.Add(f)
	c.onPlane(0)
}
