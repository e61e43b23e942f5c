package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestContactsStay moves bodies that touch at edges and faces in steps of about the contact
// tolerance, within the contact plane, rotating in it or out of it. Contacts that are kept must be
// those of a new detection, and most steps must keep them.
func TestContactsStay(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 43))
	v12 := pairsOfV12(t)
	s, fresh := NewSearch(), NewSearch()
	runs := 600
	if require.Quick() {
		runs = 100
	}
	kept, changed, steps := 0, 0, 0
	for run := range runs {
		from := v12[[]string{"hexahedra", "tetrahedra", "cut"}[run%3]]
		kinds := []Type{TypeEdgeParallel, TypeEdgeFace, TypeFaceEdge, TypeFaceFace}
		p := posedAs(r, kinds[run/3%len(kinds)], from[r.IntN(2)], from[r.IntN(2)])
		dtol := Dtol(p.a, p.b) * []float64{1, 1, 1e3}[r.IntN(3)]
		p.pb.Pos = p.pb.Pos.AddScaled(-0.1*dtol, p.n)
		if run%4 == 3 {
			// A corner of B over a corner of A, up to some tolerances.
			i, _ := hullOfView(p.a).Highest(p.pa.Rot.RotateInv(p.n))
			j, _ := hullOfView(p.b).Lowest(p.pb.Rot.RotateInv(p.n))
			way := p.pb.Point(p.b.Vert(soa.Vertex(j))).Sub(p.pa.Point(p.a.Vert(soa.Vertex(i))))
			p.pb.Pos = p.pb.Pos.Sub(way.AddScaled(-way.Dot(p.n), p.n)).AddScaled(1.5*dtol*r.Float64(), p.n.Cross(randomUnit(r)))
		}
		pace := dtol * math.Pow(10, -2+2.5*r.Float64())
		var list ContactList
		for range 30 {
			step := pace * r.Float64()
			across := p.n.Cross(randomUnit(r))
			p.pb.Pos = p.pb.Pos.AddScaled(step, across)
			p.pb.Rot = vec.FromRotationVector(p.n.Scale(step * r.Float64())).Mul(p.pb.Rot).Normalized()
			if r.IntN(2) == 0 {
				tilt := vec.FromRotationVector(across.Scale(0.1 * min(step, dtol)))
				p.pa.Rot, p.pb.Rot = tilt.Mul(p.pa.Rot).Normalized(), tilt.Mul(p.pb.Rot).Normalized()
				p.n = tilt.Rotate(p.n)
			}
			was := list.Kept.Staying
			before := len(list.Basic)
			var x, y Answer
			var initial ContactList
			s.in.FastDirect(p.a, p.pa, p.b, p.pb, 0, dtol, &list, &x)
			fresh.in.FastDirect(p.a, p.pa, p.b, p.pb, 0, dtol, &initial, &y)
			steps++
			if now := list.Kept.Staying; now.Known && now.Slack == was.Slack && now.N == was.N {
				kept++
			}
			if before != len(list.Basic) {
				changed++
			}
			if !sameContacts(&x, &y, &list, &initial) {
				t.Fatalf("run %d\n%+v\n%+v\nupdated %+v\n%v %+v\ninitial %+v\n%v %+v",
					run, p.pa, p.pb, x, list.Type, list.Basic, y, initial.Type, initial.Basic)
			}
		}
	}
	t.Logf("%d steps, %d keep their contacts, %d change their number", steps, kept, changed)
	if kept < steps/4 || changed < steps/50 {
		t.Errorf("%d of %d steps keep their contacts, %d change their number, expected more", kept, steps, changed)
	}
}

func hullOfView(v *soa.View) *pair.PosedHull {
	return &pair.PosedHull{X: v.X[:v.NVerts], Y: v.Y[:v.NVerts], Z: v.Z[:v.NVerts]}
}
