package scene

import (
	"github.com/scree-dem/scree/vec"
)

// With dim = 2 a scene has discs as shapes and planes parallel to z as walls, and everything moves
// in the plane z = 0. Vectors still have three numbers; the third is 0.

// inPlane rejects a vector with a z component if dim = 2.
func (s *checks) inPlane(key string, v vec.Vec3) {
	s.demand(key, asList(v), !s.planar || v.Z == 0, "0 for z with dim = 2")
}

// asList returns a vector in the form of a scene file.
func asList(v vec.Vec3) []float64 { return []float64{v.X, v.Y, v.Z} }

// flat returns v, without its z component if dim = 2.
func (s *Scene) flat(v vec.Vec3) vec.Vec3 {
	if s.planar {
		v.Z = 0
	}
	return v
}

// notPlanar reports a shape whose number of dimensions differs from that of the scene.
func (s *checks) notPlanar(key, shape string) {
	want := "dim = 2 in a scene of discs"
	if s.planar {
		want = "disc:R: other shapes of two dimensions are not available in this release"
	}
	s.fault(key, found(shape, want))
}

// planarMotion rejects motions out of the plane. It also clears random rotations, because a rotated
// disc looks the same.
func (s *checks) planarMotion(key string, g *bodyEntry) {
	if !s.planar {
		return
	}
	if s.at.has(key + ".rotation") {
		s.fault(key+".rotation", "is given with dim = 2, expected none: a disc looks alike however it is turned")
	}
	g.turned, g.rotation = false, vec.Identity
	s.demand(key+".spin", asList(g.spin), g.spin.X == 0 && g.spin.Y == 0, "a spin about z alone with dim = 2")
	s.inPlane(key+".velocity", g.vel)
}

// planarGenerator rejects generators that would place bodies out of the plane.
func (s *checks) planarGenerator(key string, g *bodyEntry) {
	if !s.planar {
		return
	}
	random := g.region.key != ""
	switch {
	case g.kind == "wall":
		s.fault(key+".generator", found(g.kind, "grid, random, pour or fill with dim = 2"))
	case g.kind == "grid" && g.count[2] != 1:
		s.fault(key+".count", found(g.count, "1 for z with dim = 2"))
	case random && g.region.key != "box":
		s.fault(key+"."+g.region.key, "is given with dim = 2, expected box: bodies lie in a rectangle of the plane z = 0")
	case random && (g.region.box.Min.Z != 0 || g.region.box.Max.Z != 0):
		s.fault(key+"."+g.region.key, found([]float64{g.region.box.Min.Z, g.region.box.Max.Z}, "0 for z of both corners with dim = 2"))
	}
	s.inPlane(key+".origin", g.origin)
}
