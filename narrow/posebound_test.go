package narrow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// held is two bodies in one batch with a known proof.
type held struct {
	shapes *soa.Shapes
	con    soa.Contacts
	bodies soa.Bodies
	batch  narrow.ProvenBatch
	pair   narrow.ProvenPair
}

func newHeld(shapes *soa.Shapes) *held {
	h := &held{shapes: shapes, pair: narrow.ProvenPair{BodyA: 0, BodyB: 1, PoseA: 0, PoseB: 1}}
	h.con.Resize(1)
	h.bodies.Resize(2)
	h.batch.Resize(1)
	return h
}

// prove stores a proof whose odometers have expired.
func (h *held) prove(p, q soa.Shape, id soa.FacetID, proof *narrow.Proof, pa, pb vec.Pose) {
	h.pair.ShapeA, h.pair.ShapeB = p, q
	h.bodies.Radius[0], h.bodies.Radius[1] = h.shapes.Radius[p], h.shapes.Radius[q]
	h.con.Facet[0] = id
	proof.Store(&h.con, 0, soa.Expired, h.shapes, p, q, id)
}

// ask answers the pair by its relative pose. holds is false if the proof does not reach that pose.
// ok is false if the answer is too close to a decision.
func (h *held) ask(pa, pb vec.Pose, reach float64, out *narrow.Answer) (holds, ok bool) {
	for i, p := range [2]vec.Pose{pa, pb} {
		h.bodies.Pos.Set(i, p.Pos)
		h.bodies.Rot.Set(i, p.Rot)
	}
	h.con.Proven[0] = soa.Expired
	h.batch.Begin(1)
	h.batch.Set(0, 0, &h.con, &h.bodies, &h.bodies.PoseColumns, &h.pair, 0, 0, 0)
	h.batch.Solve(h.shapes, &h.bodies.PoseColumns)
	return h.con.Proven[0] > 0, h.batch.Answer(0, 0, &h.con, h.shapes, &h.bodies.PoseColumns, &h.pair, reach, out)
}

// swayed moves b relative to a by a share of what a proof allows, about its projection and away
// from it. Then it moves both alike, by at most far. It leaves slack, m, for the rounding of poses.
func swayed(r *rand.Rand, h *soa.PoseBound, turn, share float64, n vec.Vec3, pa, pb vec.Pose, far, slack float64) (qa, qb vec.Pose) {
	side := n.Cross(spin(r).Rotate(vec.V(1, 0, 0))).Unit()
	// The last direction tilts a body that lies on a face, and makes another vertex the lowest.
	ways := []vec.Vec3{n, n.Neg(), side, side.Neg(), spin(r).Rotate(vec.V(1, 0, 0)), side.AddScaled(float64(10*r.IntN(20)-95), n).Unit()}
	turned := min(h.Turn, turn*h.Motion) * float64(r.IntN(3)) / 2
	turned = max(min(turned, h.Motion/max(h.Lever, 1e-300))*share-1e-13, 0) // less the resolution of the rotation
	separated := max(h.Motion*share-turned*h.Lever-slack, 0) * float64(r.IntN(3)) / 2
	about := pb.Point(h.B)
	q := vec.FromRotationVector(ways[r.IntN(len(ways))].Scale(turned))
	pb.Rot = q.Mul(pb.Rot).Normalized()
	pb.Pos = about.Add(q.Rotate(pb.Pos.Sub(about))).AddScaled(separated, ways[r.IntN(len(ways))])
	if r.IntN(4) > 0 {
		return pa, pb
	}
	all := vec.Pose{Rot: spin(r), Pos: spin(r).Rotate(vec.V(far, 0, 0))}
	return vec.Pose{Pos: all.Point(pa.Pos), Rot: all.Rot.Mul(pa.Rot)}, vec.Pose{Pos: all.Point(pb.Pos), Rot: all.Rot.Mul(pb.Rot)}
}

func spin(r *rand.Rand) vec.Quat {
	return vec.FromRotationVector(vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(2))
}

// TestProofsHoldByPose moves bodies with proofs of all kinds. One moves relative to the other by as
// much as the proof allows, and both together by much more. Wherever the batch answers, a new
// search must return the same bits. A little farther the proof must not hold. Where it holds, the
// odometers may advance by the motion that it returns.
func TestProofsHoldByPose(t *testing.T) {
	pairs := require.Rounds(12000, 35000, 100000)
	for i, scale := range []float64{1, 1e-6, 1e6} {
		t.Run(fmt.Sprintf("scale=%g", scale), func(t *testing.T) {
			proofsHoldByPose(t, rand.New(rand.NewPCG(71, uint64(i))), scale, pairs)
		})
		pairs /= 4
	}
}

// FuzzProofsHoldByPose is TestProofsHoldByPose on other pairs.
func FuzzProofsHoldByPose(f *testing.F) {
	f.Add(uint64(1), int8(0))
	f.Add(uint64(2), int8(-20))
	f.Fuzz(func(t *testing.T, seed uint64, exponent int8) {
		proofsHoldByPose(t, rand.New(rand.NewPCG(72, seed)), math.Ldexp(1, int(exponent/4)), 60)
	})
}

func proofsHoldByPose(t *testing.T, r *rand.Rand, scale float64, pairs int) {
	shapes := rested(t, scale)
	add := func(p *geometry.Polyhedron, err error) {
		if err == nil {
			_, err = shapes.Add(p.Template())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add(geometry.Box(scale, 0.08*scale, 0.08*scale)) // its corners are two radii apart
	rocks := shapes.Len()
	for _, n := range []int{8, 20, 40, 128} {
		add(geometry.Rock(uint64(n), n, scale))
	}
	s, oracle := narrow.NewSearch(), narrow.NewSearch()
	h := newHeld(shapes)
	var kinds [8]int // by kind of facet; the last is of two faces
	answers := 0
	for k := range pairs {
		p, q := soa.Shape(rocks+r.IntN(shapes.Len()-rocks)), soa.Shape(rocks+r.IntN(shapes.Len()-rocks))
		if k%3 == 0 {
			p, q = soa.Shape(r.IntN(shapes.Len())), soa.Shape(resters+r.IntN(rocks+1-resters))
		}
		a, b := shapes.View(p), shapes.View(q)
		var was, warm, got, want narrow.Answer
		var pa, pb vec.Pose
		depth, reach := scale*math.Pow(10, -4+2.5*r.Float64()), 0.0
		if k%3 == 0 {
			pa, pb = resting(r, a, b, depth, math.Pow(10, -6+4.5*r.Float64()))
			if a.Kind == soa.Facet || r.IntN(2) == 0 {
				p, q, a, b, pa, pb = q, p, b, a, pb, pa
			}
		} else {
			pa, pb = vec.Pose{Rot: spin(r)}, vec.Pose{Rot: spin(r), Pos: spin(r).Rotate(vec.V(1.01*(a.Radius+b.Radius), 0, 0))}
			gap := -depth
			if k%6 == 1 {
				gap, reach = depth, 8*depth
			}
			for range 1 + k%4 {
				oracle.Resolve(a, pa, b, pb, math.Inf(1), &was)
				pb.Pos = pb.Pos.AddScaled(gap-was.Gap, was.Normal)
			}
		}
		oracle.Resolve(a, pa, b, pb, reach, &was)
		if !was.Exact || was.Gap > reach || !s.Feature(a, pa, b, pb, reach, was.Facet, &warm) {
			continue
		}
		turn := 1 / min(a.Radius, b.Radius)
		proof := s.Budget(turn)
		if proof.Motion == 0 {
			continue
		}
		if proof.QuadA != 0 {
			kinds[7]++
		} else {
			kinds[warm.Facet.Kind]++
		}
		h.prove(p, q, warm.Facet, &proof, pa, pb)
		for range 6 {
			far := 3 * scale
			if r.IntN(4) == 0 {
				far *= 1e6
			}
			slack := far * 0x1p-50
			qa, qb := swayed(r, &proof.PoseBound, turn, 1-1e-4, was.Normal, pa, pb, far, slack)
			holds, ok := h.ask(qa, qb, reach, &got)
			if !holds {
				t.Fatalf("pair %d: %+v does not reach", k, proof)
			}
			if ok {
				answers++
				oracle.Resolve(a, qa, b, qb, reach, &want)
				got.AnsweredBy, got.Axis, got.AxisSupport = want.AnsweredBy, want.Axis, want.AxisSupport
				if got != want {
					t.Fatalf("pair %d, shapes %d and %d, %+v: the batch says\n%+v, the search\n%+v", k, p, q, proof, got, want)
				}
			}
			left := max(h.con.Proven[0]*(1-1e-4)-1e-13/turn-slack, 0)
			share := left * r.Float64()
			qa, qb = shifted(r, qa, share, a.Radius, false), shifted(r, qb, left-share, b.Radius, false)
			if holds, _ := h.ask(qa, qb, reach, &got); !holds {
				t.Fatalf("pair %d: %+v does not last for %g", k, proof, left)
			}
		}
		far := pb
		far.Pos = far.Pos.AddScaled(proof.PoseBound.Motion*(1+1e-6)+1e-9*scale, was.Normal)
		if holds, _ := h.ask(pa, far, reach, &got); holds {
			t.Fatalf("pair %d: %+v reaches farther than its motion", k, proof)
		}
	}
	t.Logf("%d answers, proofs by kind %v", answers, kinds)
	for _, k := range []int{1, 2, 3, 4, 5, 6, 7} {
		if pairs >= 1000 && kinds[k] < pairs/1000 {
			t.Errorf("%d proofs of kind %d: too few to prove anything", kinds[k], k)
		}
	}
}
