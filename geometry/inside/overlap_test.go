package inside

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// byteBox is a box whose corners are small whole numbers.
type byteBox struct {
	lo, hi [3]uint8
	inward bool
}

// side returns 1 for a point inside, 0 on the surface, -1 outside. The point is in half units.
func (b *byteBox) side(p [3]int) int {
	side := 1
	for k, x := range p {
		switch lo, hi := 2*int(b.lo[k]), 2*int(b.hi[k]); {
		case x < lo || x > hi:
			return -1
		case x == lo || x == hi:
			side = 0
		}
	}
	return side
}

// checkOverlaps compares the exact methods with the number of boxes that contain a point. The
// points lie in the planes of the boxes' faces, half a unit above and half a unit below.
// checkOverlaps returns whether auto accepted the mesh, and how many points have a winding number
// other than 0 and 1.
func checkOverlaps(t *testing.T, boxes []byteBox) (taken bool, more int) {
	t.Helper()
	corner := func(c [3]uint8) vec.Vec3 { return vec.V(float64(c[0]), float64(c[1]), float64(c[2])) }
	m := &geometry.Mesh{Name: "boxes"}
	var at [3][]int
	for _, b := range boxes {
		addBox(m, corner(b.lo), corner(b.hi), b.inward)
		for k := range at {
			for d := -1; d <= 1; d++ {
				at[k] = append(at[k], 2*int(b.lo[k])+d, 2*int(b.hi[k])+d)
			}
		}
	}
	var points []vec.Vec3
	var want []Place
	for _, x := range at[0] {
		for _, y := range at[1] {
			for _, z := range at[2] {
				number, place := 0, Outside
				for _, b := range boxes {
					switch side := b.side([3]int{x, y, z}); {
					case side == 0:
						place = On
					case side > 0 && b.inward:
						number--
					case side > 0:
						number++
					}
				}
				if place != On && number != 0 {
					place = Inside
				}
				if place != On && number&^1 != 0 {
					more++
				}
				points, want = append(points, vec.V(float64(x)/2, float64(y)/2, float64(z)/2)), append(want, place)
			}
		}
	}
	places, values := make([]Place, len(points)), make([]float64, len(points))
	for _, method := range exactMethods {
		s, err := New(m, Options{Method: method, Workers: 1})
		if err != nil {
			if !errors.Is(err, geometry.ErrSelfIntersecting) && !errors.Is(err, geometry.ErrNotOriented) {
				t.Fatalf("%+v by %s: %v", boxes, method, err)
			}
			continue
		}
		taken = taken || method == Auto
		if s.Report.Turned {
			s.Close()
			return false, 0
		}
		if err := s.Locate(points, places, values); err != nil {
			t.Fatal(err)
		}
		s.Close()
		for i, p := range points {
			if places[i] != want[i] || method != Winding && values[i] != []float64{0, 1, 0.5}[want[i]] {
				t.Fatalf("%+v by %s: point %v is %v, value %v, expected %v", boxes, method, p, places[i], values[i], want[i])
			}
		}
	}
	return taken, more
}

// TestOverlaps checks that boxes that overlap in less than a cell, and a cavity through a wall,
// have the places of their winding numbers.
func TestOverlaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	taken, more := 0, 0
	for k := range 80 {
		a := byteBox{hi: [3]uint8{100, 100, 100}}
		b := byteBox{inward: k%5 == 4}
		axis := rng.IntN(3)
		for i := range 3 {
			b.lo[i] = uint8(rng.IntN(2) * rng.IntN(50))
			b.hi[i] = 100 - uint8(rng.IntN(2)*rng.IntN(50))
		}
		b.lo[axis], b.hi[axis] = 99, uint8(101+rng.IntN(100))
		if b.inward {
			b.lo[axis], b.hi[axis] = uint8(rng.IntN(98)), 101
		}
		if ok, n := checkOverlaps(t, []byteBox{a, b}); ok {
			taken++
			more += n
		}
	}
	if taken < 20 || more < 300 {
		t.Errorf("%d meshes of 80 taken, %d points with a winding number other than 0 and 1", taken, more)
	}
}

// FuzzOverlaps does what TestOverlaps does, for any boxes: six bytes each, and the orientation of
// the later ones.
func FuzzOverlaps(f *testing.F) {
	f.Add([]byte{0, 0, 0, 100, 100, 100, 99, 0, 0, 199, 100, 100}, uint8(0))
	f.Add([]byte{0, 0, 0, 100, 100, 100, 20, 20, 50, 40, 40, 101}, uint8(2))
	f.Add([]byte{0, 0, 0, 90, 90, 90, 90, 90, 90, 180, 180, 180, 89, 10, 20, 91, 12, 22}, uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, inward uint8) {
		var boxes []byteBox
		for ; len(data) >= 6 && len(boxes) < 4; data = data[6:] {
			b := byteBox{lo: [3]uint8(data[:3]), hi: [3]uint8(data[3:6]), inward: inward>>len(boxes)&1 == 1}
			if b.lo[0] >= b.hi[0] || b.lo[1] >= b.hi[1] || b.lo[2] >= b.hi[2] {
				return
			}
			boxes = append(boxes, b)
		}
		if len(boxes) > 0 {
			checkOverlaps(t, boxes)
		}
	})
}

// TestManyTimesOver checks that a box given many times over is refused, with the number of times.
func TestManyTimesOver(t *testing.T) {
	for _, n := range []int{2, 128, 255, 256} {
		m := boxMesh(vec.Vec3{}, unit)
		once := m.Faces
		for range n - 1 {
			m.Faces = append(m.Faces, once...)
		}
		_, err := New(m, Options{Workers: 1})
		if want := fmt.Sprintf("winds %d times around", n); !errors.Is(err, geometry.ErrSelfIntersecting) || !strings.Contains(err.Error(), want) {
			t.Errorf("%d times: %v, expected %q", n, err, want)
		}
	}
}
