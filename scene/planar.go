package scene

import (
	"github.com/scree-dem/scree/vec"
)

// A scene with dim = 2 is one of discs and lines: its shapes are discs, its walls planes along z, and all that moves stays in
// the plane z = 0. Vectors have three numbers all the same, of which the third is 0.

// inPlane refuses a vector out of the plane.
func (s *checks) inPlane(key string, v vec.Vec3) {
	s.demand(key, asList(v), !s.planar || v.Z == 0, "0 for z with dim = 2")
}

// asList returns a vector as a scene has it.
func asList(v vec.Vec3) []float64 { return []float64{v.X, v.Y, v.Z} }

// flat returns a vector, with dim = 2 without its part along z.
func (s *Scene) flat(v vec.Vec3) vec.Vec3 {
	if s.planar {
		v.Z = 0
	}
	return v
}

// notPlanar refuses a shape that has not as many dimensions as the scene.
func (s *checks) notPlanar(key, shape string) {
	want := "dim = 2 in a scene of discs"
	if s.planar {
		want = "disc:R: other shapes of two dimensions are not available in this release"
	}
	s.fault(key, found(shape, want))
}

// planarMotion refuses bodies that leave the plane. Discs look alike however they are turned, so no
// rotation is drawn.
func (s *checks) planarMotion(key string, g *group) {
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

// planarGenerator refuses what places bodies out of the plane.
func (s *checks) planarGenerator(key string, g *group) {
	if !s.planar {
		return
	}
	switch {
	case g.kind == "wall":
		s.fault(key+".generator", found(g.kind, "grid or random with dim = 2"))
	case g.kind == "grid" && g.count[2] != 1:
		s.fault(key+".count", found(g.count, "1 for z with dim = 2"))
	case g.kind == "random" && g.region.key != "box":
		s.fault(key+"."+g.region.key, "is given with dim = 2, expected box: bodies lie in a rectangle of the plane z = 0")
	case g.kind == "random" && (g.region.box.Min.Z != 0 || g.region.box.Max.Z != 0):
		s.fault(key+"."+g.region.key, found([]float64{g.region.box.Min.Z, g.region.box.Max.Z}, "0 for z of both corners with dim = 2"))
	}
	s.inPlane(key+".origin", g.origin)
}
