package broad

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// FuzzRebuild compares the list with brute force for bodies made from bytes, eight per body. The
// scales range from coincident to far apart, and include exact contact.
func FuzzRebuild(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, uint8(0))
	f.Add([]byte{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1}, uint8(3))
	seed := make([]byte, 320)
	r := random(77)
	for k := 0; k < len(seed); k += 8 {
		binary.LittleEndian.PutUint64(seed[k:], r.Uint64())
	}
	for spread := range uint8(8) {
		f.Add(seed, spread)
	}
	pool := sched.New(2)
	f.Fuzz(func(t *testing.T, data []byte, spread uint8) {
		data = data[:min(len(data), 8*200)]
		side := math.Ldexp(1, int(spread%64)-8)
		w := newWorld(Config{Reach: float64(spread%3) * 0.125})
		shapes := []soa.Shape{
			w.ball(0.5), w.ball(0.01), w.box(0.5, 0.5, 0.5), w.box(4, 0.1, 0.1),
			w.facet(vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0)), w.ball(0),
			w.facet(vec.V(-64, -64, 0), vec.V(64, 0, 0), vec.V(0, 64, 0)), w.box(1, 1, 1),
		}
		for ; len(data) >= 8; data = data[8:] {
			// Coordinates are multiples of side/16, so exact contact is common.
			at := vec.V(float64(int8(data[0])), float64(int8(data[1])), float64(int8(data[2]))).Scale(side / 16)
			if data[3] == 255 {
				at.X *= 1e12
			}
			rot := vec.Identity
			if data[4]&1 != 0 {
				rot = vec.FromRotationVector(vec.V(float64(data[4]), float64(data[5]), 1).Scale(0.1))
			}
			pose := vec.Pose{Pos: at, Rot: rot}
			first := part{shapes[data[6]%8], vec.IdentityPose}
			if data[7]&3 == 3 {
				second := part{shapes[data[7]>>2%8], vec.Pose{Pos: vec.V(0, 1, 0), Rot: vec.Identity}}
				w.body(pose, float64(data[3]&1), first, second)
			} else {
				w.body(pose, float64(data[3]&1), first)
			}
		}
		w.rebuild(nil)
		w.check(t)
		if w.pieces.Len() > 0 && w.cells.Stale(&w.bodies) {
			t.Fatal("stale right after a rebuild")
		}
		w.rebuild(pool)
		w.check(t)
		// Every third body moves, including walls. The tree of resting pieces must then be rebuilt
		// without them.
		for i := 0; i < w.bodies.Len(); i += 3 {
			w.bodies.Pos.X[i] += side / 16
			w.bodies.Odometer[i] += side / 16
		}
		w.rebuild(pool)
		w.check(t)
		w.anew(t)
	})
}
