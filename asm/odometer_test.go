package asm

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/vec"
)

// checkAdvance requires, in exact arithmetic, that the odometer advances by at least the path of
// the centre plus the radius times the turn. It must also advance by at least the path of some
// points of the body.
func checkAdvance(t *testing.T, r *rand.Rand, odometer, radius float64, from, to vec.Pose) {
	t.Helper()
	next := Advance(odometer, radius, from, to)
	x := oracle.Reals(next, odometer, math.Ldexp(1+radius, -530), radius) // the third number is what may underflow
	advance := x[0].Add(x[0].Sub(x[0], x[1]), x[2])
	turn := oracle.Turn(from.Rot, to.Rot)
	way := oracle.Way(vec.Vec3{}, from, to)
	if way.Add(way, turn.Mul(turn, x[3])).Cmp(advance) > 0 {
		t.Errorf("odometer %v goes on to %v, expected %v more for radius %v from %v to %v", odometer, next, way, radius, from, to)
	}
	p := vec.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
	p = p.Scale(radius / p.Norm() * (1 - 0x1p-50))
	if way := oracle.Way(p, from, to); way.Cmp(advance) > 0 {
		t.Errorf("odometer %v goes on to %v, but %v goes %v from %v to %v", odometer, next, p, way, from, to)
	}
}

// smallStep returns a pose, and the pose after a step of so many units in the last place of a
// position and a turn of so many radians.
func smallStep(r *rand.Rand, size, ulps, turn float64) (from, to vec.Pose) {
	v := func(scale float64) vec.Vec3 {
		return vec.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(scale)
	}
	from = vec.Pose{Pos: v(size), Rot: vec.FromRotationVector(v(1))}
	far := from.Pos.MaxAbs()
	to.Pos = from.Pos.Add(v(ulps * (math.Nextafter(far, math.Inf(1)) - far)))
	spin := vec.FromRotationVector(v(turn))
	if to.Rot = from.Rot.Mul(spin); r.IntN(2) == 0 {
		to.Rot = to.Rot.Normalized()
	}
	return from, to
}

// TestAdvanceCountsTheStoredWay compares the odometer with the path between the stored poses, in
// exact arithmetic. Bodies are far from the origin. Steps range from a part of a unit in the last
// place to many units. Turns range from far below the rounding of a quaternion to whole turns. Some
// odometers have a last place that exceeds the path.
func TestAdvanceCountsTheStoredWay(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 4))
	moved, turned := 0, 0
	for range 4000 {
		size := []float64{0, 1e-3, 1, 1e3, 1e6, 1e9}[r.IntN(6)]
		turn := math.Pow(10, -18+18.5*r.Float64())
		from, to := smallStep(r, size, 4*r.Float64(), turn)
		if from.Pos != to.Pos {
			moved++
		}
		if from.Rot != to.Rot && turn < 1e-15 {
			turned++
		}
		odometer := []float64{0, 1, 1e9}[r.IntN(3)]
		checkAdvance(t, r, odometer, math.Pow(10, -3+6*r.Float64()), from, to)
	}
	if moved < 1000 || turned < 100 {
		t.Errorf("%d positions moved, %d orientations turned by less than 1e-15: expected more", moved, turned)
	}
}

// TestAdvanceAtRest: the odometer of a body that stays in place never changes. The odometer of a
// body that moves always does.
func TestAdvanceAtRest(t *testing.T) {
	p := vec.Pose{Pos: vec.V(1e9, -3, 0), Rot: vec.FromRotationVector(vec.V(0.1, 2, 0.3))}
	if got := Advance(1e9, 1, p, p); got != 1e9 {
		t.Errorf("at rest the odometer goes from 1e9 to %v", got)
	}
	q := p
	q.Pos.Z = 1e-300
	if got := Advance(0, 1, p, q); got != 0 {
		t.Errorf("a way that underflows counts %v", got)
	}
	q.Pos.Z = 1e-30
	if got := Advance(1e9, 1, p, q); !(got > 1e9) {
		t.Errorf("a step of 1e-30 leaves the odometer at %v", got)
	}
}

// TestAdvanceIsNoMoreThanNeeded: an odometer exceeds the path only by roundings and by a seventh of
// the square of a chord.
func TestAdvanceIsNoMoreThanNeeded(t *testing.T) {
	for _, turn := range []float64{0, 1e-9, 1e-3, 0.02, 1, 3} {
		from, to := vec.IdentityPose, vec.Pose{Pos: vec.V(3, 4, 0), Rot: vec.FromRotationVector(vec.V(0, turn, 0))}
		way := 5 + 2*turn
		if got := Advance(0, 2, from, to); got < way || got > way*(1+turn*turn/28+2e-14) {
			t.Errorf("a turn of %v rad counts %v, want %v or a little more", turn, got, way)
		}
	}
}

func FuzzAdvance(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var x [8]byte
		copy(x[:], data)
		r := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(x[:]), uint64(len(data))))
		s := &source{data: data}
		from, to := smallStep(r, math.Pow(10, float64(s.byte()%13)-3), math.Pow(2, float64(s.byte()%16)-8), math.Pow(10, -float64(s.byte()%19)))
		checkAdvance(t, r, math.Ldexp(float64(s.byte()), int(s.byte()%64)-32), math.Ldexp(1, int(s.byte()%24)-12), from, to)
	})
}
