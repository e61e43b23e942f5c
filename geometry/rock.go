package geometry

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	minRockVerts = 4
	// rockInner is the least ratio of inscribed to bounding radius of a rock: what "not too flat"
	// means. A regular tetrahedron has 1/3; above 0.25 few rocks of four vertices would pass.
	rockInner = 0.2
	// rockCandidates is how many places are tried for each vertex: more make rocks rounder.
	rockCandidates = 8
	rockAttempts   = 1000
)

// Rock returns a random convex rock of exactly nVerts vertices whose farthest one is radius, m,
// from its centroid, which is the origin. The same seed gives the same rock, to the bit.
//
// Vertices are spread over the sphere by best candidates (Mitchell 1991), then each is pulled in by
// a random share of what convexity allows, then the sphere is made an ellipsoid of random axes, 1 :
// 0.65–1 : 0.5–0.9 or so, and turned at random. A vertex stays one: its nearest neighbour at the
// angle θ is the closest of all, so the others lie below cos θ along its direction, and it stays
// above. Affine maps keep vertices vertices. Rocks flatter than rockInner are drawn again from the
// same stream. Cost: nVerts² distances times rockCandidates; 8192 vertices take a second or so.
func Rock(seed uint64, nVerts int, radius float64) (*Polyhedron, error) {
	if nVerts < minRockVerts || nVerts > soa.MaxVerts {
		return nil, mark.Errorf(ErrValue, "geometry: rock: %d vertices, expected %d to %d", nVerts, minRockVerts, soa.MaxVerts)
	}
	if err := checkLengths("rock", radius); err != nil {
		return nil, err
	}
	r := NewRand(seed)
	for range rockAttempts {
		p, err := FromPoints("rock", rockPoints(r, nVerts))
		if err != nil || len(p.Verts) != nVerts {
			continue
		}
		t := p.Template()
		if t.Inner < rockInner*t.Radius {
			continue
		}
		c, s := p.Mass.Centroid, radius*radiusRoom/t.Radius
		scaled := func(v vec.Vec3) vec.Vec3 { return v.Scale(s) }
		return p.mapped("scaled", p.Normals, s, scaled, func(v vec.Vec3) vec.Vec3 { return scaled(v.Sub(c)) })
	}
	return nil, mark.Errorf(ErrFlat, "geometry: rock: seed %d with %d vertices: %d attempts were all too flat, expected another seed or more vertices",
		seed, nVerts, rockAttempts)
}

func rockPoints(r *Rand, n int) []vec.Vec3 {
	points := make([]vec.Vec3, 0, n)
	nearest := make([]float64, 0, n) // cosine of the angle to the nearest neighbour
	for len(points) < n {
		var best vec.Vec3
		least := 2.0
		for range rockCandidates {
			c := r.Unit()
			cosine := -1.0
			for _, p := range points {
				cosine = max(cosine, c.Dot(p))
			}
			if cosine < least {
				best, least = c, cosine
			}
		}
		for k, p := range points {
			nearest[k] = max(nearest[k], best.Dot(p))
		}
		points = append(points, best)
		nearest = append(nearest, least)
	}
	axes := vec.V(1, r.Range(0.65, 1), 0)
	axes.Z = float64(axes.Y * r.Range(0.75, 0.95))
	turn := r.Rotation()
	for k, p := range points {
		// Four far-flung points see no neighbour near; pulling them in by half at most keeps the
		// rock whole.
		room := min(1-nearest[k], 0.5)
		points[k] = turn.Rotate(p.Scale(1 - float64(0.6*r.Float64()*room)).Mul(axes))
	}
	return points
}
