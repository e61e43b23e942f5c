package narrow

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestWarmIsColdAtRoundingGaps has two pairs of a face on a face 70 000 or 700 000 times as large, at
// a gap of 7e-17 of the size. GJK stalls farther out than CloseTol. A search then answered by the
// lowest facet that rounding puts apart, a proof of the stored features by the lowest of all.
//
// A line of testdata/grazing has a name and numbers: a point of A or B, the pose of A (pa), or the
// poses of B in their order (path, pb).
func TestWarmIsColdAtRoundingGaps(t *testing.T) {
	files, err := filepath.Glob("testdata/grazing/*.txt")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		points := map[string][]vec.Vec3{}
		var pa, pb vec.Pose
		var path []vec.Pose
		for line := range strings.Lines(string(text)) {
			var what string
			var p vec.Vec3
			var q vec.Quat
			if n, _ := fmt.Sscan(line, &what, &p.X, &p.Y, &p.Z, &q.W, &q.X, &q.Y, &q.Z); n < 4 {
				t.Fatalf("%s: %q", name, line)
			}
			switch what {
			case "pa":
				pa = vec.Pose{Pos: p, Rot: q}
			case "pb":
				pb = vec.Pose{Pos: p, Rot: q}
			case "path":
				path = append(path, vec.Pose{Pos: p, Rot: q})
			default:
				points[what] = append(points[what], p)
			}
		}
		var arena soa.Shapes
		var v [2]*soa.View
		for i, what := range []string{"A", "B"} {
			made, err := geometry.FromPoints(what, points[what])
			if err != nil {
				t.Fatal(err)
			}
			h, err := arena.Add(made.Template())
			if err != nil {
				t.Fatal(err)
			}
			v[i] = arena.View(h)
		}
		s := NewSearch()
		var mem Memory
		var warm, cold, found, far, all Answer
		for _, q := range append(path, pb) {
			s.By(Auto, v[0], pa, v[1], q, 0, 0, &mem, &warm)
		}
		s.By(Auto, v[0], pa, v[1], pb, 0, 0, nil, &cold)
		s.By(Auto, v[0], pa, v[1], pb, math.Inf(1), 0, nil, &far)
		s.By(GJKEPA, v[0], pa, v[1], pb, 0, 0, nil, &found)
		s.Exhaustive(v[0], pa, v[1], pb, 0, &all)
		for what, other := range map[string]*Answer{"cold": &cold, "cold, any distance": &far, "GJK": &found, "all facets": &all} {
			if other.AnsweredBy = warm.AnsweredBy; *other != warm {
				t.Errorf("%s: warm %+v\n%s %+v", name, warm, what, *other)
			}
		}
	}
}
