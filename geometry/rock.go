package geometry

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	minRockVerts = 4
	// rockInner is the least ratio of inscribed to bounding radius of a rock. Flatter rocks are
	// rejected. A regular tetrahedron has 1/3; above 0.25, few rocks of four vertices would pass.
	rockInner = 0.2
	// rockCandidates is how many places are tried for each vertex. More candidates make rounder
	// rocks.
	rockCandidates = 8
	rockAttempts   = 1000
)

// Rock returns a random convex rock of exactly nVerts vertices. Its centroid is the origin, and its
// farthest vertex has the distance radius, m. The same seed gives the same rock, bit by bit.
//
// Vertices are spread over the sphere by best candidates (Mitchell 1991). Each is then moved
// inwards by a random part of the distance that convexity allows. The sphere is then scaled to an
// ellipsoid of random axes, about 1 : 0.65–1 : 0.5–0.9, and rotated at random.
//
// Every point remains a vertex of the hull. Let θ be the angle between a point and its nearest
// neighbour. All other points lie at heights of at most cos θ along the direction of the point, and
// the point stays above cos θ. Affine maps preserve vertices. Rocks flatter than rockInner are
// rejected, and the next rock is drawn from the same random stream.
//
// Errors wrap ErrValue, and ErrFlat if every attempt was too flat. Cost: rockCandidates·nVerts²
// distances; 8192 vertices take about a second.
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
		// Four points may be far apart, with no neighbour near. Moving each inwards by at most half
		// of its distance keeps the rock from collapsing.
		room := min(1-nearest[k], 0.5)
		points[k] = turn.Rotate(p.Scale(1 - float64(0.6*r.Float64()*room)).Mul(axes))
	}
	return points
}
