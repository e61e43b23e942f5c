package coplanar

import (
	"math"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// PlaneAround reports whether the group of a facet is a plane around all of the block and touches the
// block. If so, the caller may skip the facets of the group, unless the block also touches the wall
// elsewhere. The contact is stored in the row of the facet that StoresPlane accepts. That facet is a
// candidate whenever the block is at its pose, so the result depends on poses only.
func (c *WallFinder) PlaneAround(f *NearFacet) bool {
	c.load(f)
	top := c.onGroup(f.Group)
	face := &c.face
	if face.Status == narrow.Degenerate || !(face.Gap <= c.needs.Reach) {
		return false
	}
	core := face.Gap + c.va.Round + c.vb.Round
	half := c.va.Radius + 2*max(math.Abs(core), core+math.Abs(face.Gap-c.needs.Unloaded))
	middle := c.inPlane(vec.Vec3{})
	c.findEdges(window{middle, middle}.enlarged(half))
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

// StoresPlane reports whether a facet of the group that PlaneAround accepted stores the contact, and sets the
// facet's answer. The facet that stores the contact contains c.under: the point of the plane on the
// line from the block's deepest corner to its highest. If the block's core does not touch the
// plane, c.under is the projection of its nearest corner.
func (c *WallFinder) StoresPlane(f *NearFacet) bool {
	pose := f.Pose
	pose.Pos = pose.Pos.Sub(c.pose.Pos)
	if !holds(f.View, pose.PointInv(c.under), 0) {
		return false
	}
	f.Answer = c.face
	f.Answer.ArmB = f.Answer.ArmB.Add(c.pb.Pos.Sub(pose.Pos))
	return true
}

// AddPlane makes the contact with a facet that StoresPlane accepted. It must be the only facet that
// the block touches.
func (c *WallFinder) AddPlane(f *NearFacet) {
	c.load(f)
	c.face = f.Answer
	c.Add(f)
	c.onPlane(0)
}
