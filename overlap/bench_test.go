package overlap

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// sharePairs returns 64 pairs of one shape with overlaps of the given type, a thousandth deep, and
// the features that make them.
func sharePairs(b testing.TB, v *soa.View, of shape) (all []overlapping, named []Features) {
	r := rand.New(rand.NewPCG(75, 76))
	c := NewClipper()
	for len(all) < 64 {
		o := meet(c, v, v, turn(r), turn(r), direction(r), 1e-3)
		if of >= prism4 { // one on the other, with an offset and a tilt of 1e-6
			o.pa, o.pb, o.along = facesPair(r, v)
		}
		c.Share(o.a, o.pa, o.b, o.pb, o.along)
		f := c.Named()
		if of < prism4 && shapeOf(v, v, f.Facet) == of || of >= prism4 && prismShape(v, v, &f.Prism) == of {
			all, named = append(all, o), append(named, f)
		}
	}
	return all, named
}

// BenchmarkShareBy measures one overlap: clipped with nothing known, from its features, from its
// features in a batch, and held in a batch; checksum is the mean of the volumes.
func BenchmarkShareBy(b *testing.B) {
	r := rand.New(rand.NewPCG(77, 78))
	arena := &soa.Shapes{}
	number := map[string]soa.Shape{}
	for _, k := range []struct {
		name string
		body oracle.ConvexBody
	}{{"cube", boxBody(1, 1, 1)}, {"tetra", rockBody(r, 4)}, {"h12", rockBody(r, 12)}, {"h32", rockBody(r, 32)}, {"h64", rockBody(r, 64)}} {
		id, err := arena.Add(template(k.body))
		if err != nil {
			b.Fatal(err)
		}
		number[k.name] = id
	}
	for _, k := range []struct {
		name, shape string
		of          shape
	}{
		{"corner", "tetra", corner4}, {"corner", "cube", corner4}, {"corner", "h12", corner8}, {"corner", "h32", corner8},
		{"corner", "h64", corner8}, {"crossing", "cube", crossing}, {"crossing", "h12", crossing}, {"crossing", "h64", crossing},
		{"faces4", "cube", prism4}, {"faces6", "cube", prism6}, {"faces8", "cube", prism8},
	} {
		all, named := sharePairs(b, arena.View(number[k.shape]), k.of)
		c, batches, bodies := NewClipper(), NewTypedBatches(), &soa.Bodies{}
		bodies.Resize(2 * len(all))
		for i := range all {
			for k, at := range [2]vec.Pose{all[i].pa, all[i].pb} {
				bodies.Pos.Set(2*i+k, at.Pos)
				bodies.Rot.Set(2*i+k, at.Rot)
			}
		}
		batches.Begin(arena, bodies.PoseRows())
		ways := []string{"cold", "warm", "lanes"}
		if k.of >= prism4 {
			ways = append(ways, "held")
		}
		for _, way := range ways {
			b.Run("case="+k.name+"/shape="+k.shape+"/way="+way, func(b *testing.B) {
				sum, n := 0.0, 0
				var s Moments
				for b.Loop() {
					o, guess := &all[n%64], Features{}
					if n++; way == "lanes" || way == "held" {
						at := soa.PoseRow(2 * ((n - 1) % 64))
						var batch *TypedBatch
						if way == "held" {
							batch = batches.AddHeld(0, at, at+1, o.a, o.b, &named[at/2].Prism, 0)
						} else {
							batch = batches.Add(0, at, at+1, o.a, o.b, min(o.a.Radius, o.b.Radius), &named[at/2])
						}
						if batch.Full() {
							batch.Solve()
							for i := range batch.Len() {
								batch.At(i, &s)
								sum += s.Volume
							}
							batch.Clear()
						}
						continue
					}
					if way == "warm" {
						guess = named[(n-1)%64]
					}
					c.ShareNear(o.a, o.pa, o.b, o.pb, o.along, &guess, &s)
					sum += s.Volume
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/contact")
				b.ReportMetric(1e9*sum/float64(n), "checksum")
			})
		}
	}
}

// BenchmarkShareOther measures one overlap of no type, a twentieth of the size deep; checksum is
// the mean of the volumes.
func BenchmarkShareOther(b *testing.B) {
	r := rand.New(rand.NewPCG(79, 80))
	for _, k := range []struct {
		shape string
		v     *soa.View
	}{
		{"cube", view(b, boxBody(1, 1, 1))}, {"h12", view(b, rockBody(r, 12))}, {"h20", view(b, rockBody(r, 20))},
		{"h64", view(b, rockBody(r, 64))},
	} {
		c := NewClipper()
		var all []overlapping
		var told [64]memory
		for len(all) < 64 {
			o := meet(c, k.v, k.v, turn(r), turn(r), direction(r), 0.05)
			if c.Share(o.a, o.pa, o.b, o.pb, o.along); c.Named() == (Features{}) {
				told[len(all)].of(c)
				told[len(all)].features.Facet = soa.FacetID{}
				all = append(all, o)
			}
		}
		for _, way := range []string{"joined", "cut", "warm", "place"} {
			b.Run("shape="+k.shape+"/way="+way, func(b *testing.B) {
				sum, n := 0.0, 0
				for b.Loop() {
					var s Moments
					o := all[n%64]
					switch n++; way {
					case "cut":
						s, _ = c.cutOnly(o)
					case "warm":
						if c.FindExcept(o.a, o.pa, o.b, o.pb, o.along, &told[(n-1)%64].features, &s) == SurfaceFound {
							c.Measure(&s)
						}
					case "place":
						if k := told[(n-1)%64].features.Skeleton; k != nil {
							c.place(k, o.a, o.pa, o.b, o.pb)
						}
					default:
						s, _ = c.Share(o.a, o.pa, o.b, o.pb, o.along)
					}
					sum += s.Volume
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/contact")
				b.ReportMetric(1e9*sum/float64(n), "checksum")
			})
		}
	}
}

// BenchmarkSolids measures only the moments of overlaps of no type, a fiftieth of the size deep:
// one by one, and in batches as large as those of a tile; checksum is the mean of the volumes.
func BenchmarkSolids(b *testing.B) {
	r := rand.New(rand.NewPCG(81, 82))
	v := view(b, rockBody(r, 12))
	for _, rows := range []int{1, 28, UntypedRows} {
		s, c, sides := NewUntypedBatch(), NewClipper(), 0
		for s.Len() < rows {
			o := meet(c, v, v, turn(r), turn(r), direction(r), 0.02)
			if c.FindNear(o.a, o.pa, o.b, o.pb, o.along, &Features{}, &Moments{}) == SurfaceFound {
				s.Add(0, c)
				_, all := s.rows[s.n-1].size()
				sides += all
			}
		}
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			sum, n := 0.0, 0
			for b.Loop() {
				s.Solve()
				for i := range s.Len() {
					sum += s.own[0][i]
				}
				n += rows
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/contact")
			b.ReportMetric(float64(sides)/float64(rows), "triangles")
			b.ReportMetric(1e9*sum/float64(n), "checksum")
		})
	}
}
