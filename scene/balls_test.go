package scene

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// TestBallsAreBruteForce compares free with a check of every ball: for balls of similar sizes, of
// very different sizes, far from the origin, and beyond the finest level.
func TestBallsAreBruteForce(t *testing.T) {
	for _, c := range []struct {
		name           string
		octaves, shift float64 // sizes shrink by up to 2 to this power; position of the box
	}{
		{"like", 1, 0}, {"to a thousandth", 10, -0.5}, {"far away", 4, 1e6}, {"beyond exact cells", 4, 1e17}, {"to nothing", 60, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := geometry.NewRand(7)
			room := vec.Box{Min: vec.V(c.shift, c.shift, c.shift), Max: vec.V(c.shift+8, c.shift+8, c.shift+8)}
			b := newBalls(room, 1)
			var centres []vec.Vec3
			var radii []float64
			placed := 0
			for range 3000 {
				p := vec.V(r.Range(room.Min.X, room.Max.X), r.Range(room.Min.Y, room.Max.Y), r.Range(room.Min.Z, room.Max.Z))
				radius := vec.Exp(-math.Ln2 * r.Range(0, c.octaves))
				free := true
				for k := range centres {
					free = free && !(p.Sub(centres[k]).Norm() < radius+radii[k])
				}
				if got := b.free(p, radius); got != free {
					t.Fatalf("a ball of %g at %v is free: %v, expected %v", radius, p, got, free)
				}
				if free {
					placed++
					b.add(p, radius)
					centres, radii = append(centres, p), append(radii, radius)
				}
			}
			if placed == 3000 && c.shift < 1e10 && c.octaves < 20 {
				t.Error("no ball met another")
			}
		})
	}
}

// TestBallsBesideALargeOne counts the visited cells and balls. With cells as wide as the largest
// ball, all small balls would share a few cells.
func TestBallsBesideALargeOne(t *testing.T) {
	const small = 0.01
	var per [2]float64
	for i, n := range []int{4000, 16000} {
		r := geometry.NewRand(3)
		b := newBalls(vec.Box{Max: vec.V(4, 4, 4)}, 1)
		b.add(vec.V(2, 2, 2), 1)
		for range n {
			p := vec.V(r.Range(0, 4), r.Range(0, 4), r.Range(0, 4))
			if b.free(p, small) {
				b.add(p, small)
			}
		}
		per[i] = float64(b.visits) / float64(n)
		b.visits = 0
		if b.free(vec.V(1, 1, 1), 1) {
			t.Error("there is room for a ball where small ones are")
		}
		if b.visits > 2000 {
			t.Errorf("a large ball among %d small ones looks at %d cells and balls", n, b.visits)
		}
	}
	if per[1] > 1.5*per[0] || per[1] > 300 {
		t.Errorf("a small ball looks at %.0f cells and balls among 4000 and at %.0f among 16000", per[0], per[1])
	}
}
