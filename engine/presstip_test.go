package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// nearest is the final distance, m, between the poses that TestPressTips compares.
const nearest = 1e-14

// TestPressTips slides tetrahedra in random poses over ridges, valleys and open edges, so that
// their tips enter the material behind a facet from above, from the side and from below. The
// stiffness F²/2Φ must be below that of a face everywhere, even at its maximum along the path.
// Without -soak.press only a few are tried, among them one whose tip enters below a ridge.
func TestPressTips(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	some := func() vec.Vec3 { return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()) }
	for name, wall := range map[string]triangles{"zigzag": zigzag(1.2), "roof": zigzag(1.2)[1:3], "plane": zigzag(0)[1:2], "slight": zigzag(0.3)} {
		for seed := range 1 + 10**soakPress {
			p := tipPath{}
			p.w, p.id = pressWorld(t, wall, rock(t, uint64(seed), 4, 0.5))
			for range 8 {
				p.from.Rot = vec.FromRotationVector(some().Scale(2))
				p.from.Pos = vec.V(0.3*r.NormFloat64(), 0.3*r.NormFloat64(), 0)
				p.from.Pos.Z = p.w.touchdown(p.id, p.from) - 2e-3
				p.way = some().Unit()
				if most, at := p.stiffest(); most > 1 {
					t.Errorf("%s, rock %d, from %v along %v: %g m on the stiffness is %g", name, seed, p.from, p.way, at, most)
				}
			}
			p.w.Close()
		}
	}
	p := tipPath{from: vec.Pose{
		Pos: vec.V(0.32952897389602115, -0.22649583187217026, 0.10483457553386688),
		Rot: vec.Quat{W: 0.2301880529992751, X: -0.24594166004672652, Y: -0.010287929640139271, Z: -0.9414989743029903},
	}, way: vec.V(-0.7833169282129477, 0.5583311717310017, -0.2732780500671769)}
	p.w, p.id = pressWorld(t, zigzag(1.2), rock(t, 275, 4, 0.5))
	if most, at := p.stiffest(); !(most > 0 && most < 1) {
		t.Errorf("below a ridge, %g m on the stiffness is %g, expected less than 1", at, most)
	}
}

// tipPath is a block that slides along a path.
type tipPath struct {
	w    *World
	id   int
	from vec.Pose
	way  vec.Vec3
}

// stiffest returns the largest stiffness on 4 mm of the path, in units of the law's, and its
// position, m. It searches ever closer around the stiffest position.
func (p *tipPath) stiffest() (most, at float64) {
	look := func(x float64) {
		f, _ := p.w.pressAt(p.id, vec.Pose{Pos: p.from.Pos.AddScaled(x, p.way), Rot: p.from.Rot})
		stored := storedIn(p.w)
		if stored < 1e-14 {
			return
		}
		if s := f.Norm2() / (2 * stored); s > most {
			most, at = s, x
		}
	}
	for k := range 40 {
		look(1e-4 * float64(k))
	}
	for h := 1e-4; h > nearest; h /= 2 {
		x := at
		look(x - h)
		look(x + h)
	}
	return most, at
}
