package bench

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
)

func surfaceOf(t *testing.T, spec string) *geometry.Mesh {
	t.Helper()
	m, err := surfaces.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestInside: no method is wrong at any point, including points with coordinates of the vertices of
// the dyadic foam. Results do not depend on the number of workers.
func TestInside(t *testing.T) {
	for spec, methods := range map[string][]string{"sphere:1,2": InsideMethods(), "dyadic-foam:1,8": {"auto", "ray"}} {
		o := InsideOptions{Meshes: []*geometry.Mesh{surfaceOf(t, spec)}, Side: 16, Methods: methods, Workers: 1, Seed: 1, Repeat: 1}
		rows, err := Inside(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		o.Workers = 3
		more, err := Inside(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 2*len(methods) || len(more) != len(rows) || rows[0].Checksum == rows[len(methods)].Checksum {
			t.Fatalf("%d and %d rows, %+v", len(rows), len(more), rows)
		}
		for i, r := range rows {
			if r.Wrong != 0 || r.Error > errorOf(&r) || !(r.NsPoint > 0) || !(r.Setup > 0) || !(r.Bytes > 0) || r.Points != 4096 || r.Tried != r.Points {
				t.Errorf("%+v", r)
			}
			if more[i].Checksum != r.Checksum {
				t.Errorf("%s, %s: checksum %s on one worker, %s on three", r.Mesh, r.Method, r.Checksum, more[i].Checksum)
			}
			if foam := r.Faces > 1000; foam != (r.On > 0) {
				t.Errorf("%s, %s: %d points on the surface", r.Mesh, r.Method, r.On)
			}
		}
	}
	o := InsideOptions{Meshes: []*geometry.Mesh{surfaceOf(t, "sphere:1,0")}, Side: 2, Methods: []string{"tree"}, Workers: 1, Repeat: 1}
	if _, err := Inside(t.Context(), o); !errors.Is(err, ErrOption) {
		t.Errorf("method tree: %v, expected ErrOption", err)
	}
}

// errorOf returns the allowed error of a value: rounding, the bound of the method, or for
// winding-fast the error of its dipoles on smooth surfaces.
func errorOf(r *InsideRow) float64 {
	if r.Method == "winding-fast" {
		return 0.05
	}
	return 1e-12 + r.Bound
}

func TestInsideSample(t *testing.T) {
	for _, c := range []struct {
		method        string
		points, faces int
		long          bool
		want          int
	}{
		{"auto", 512000, 494124, false, 512000},
		{"fmm-pre", 512000, 494124, false, 512000},
		{"ray", 512000, 131072, true, 10000},
		{"ray", 64000, 131072, true, 64000}, // 8.4e9
		{"winding", 512000, 131072, false, 1525},
		{"winding", 1000, 131072, false, 1000},
	} {
		if got := insideSample(c.method, c.points, c.faces, c.long); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestInsidePaper runs the coarsest meshes: rows, fits of known exponents, and figures that can be
// drawn.
func TestInsidePaper(t *testing.T) {
	report, err := InsidePaper(t.Context(), InsidePaperOptions{Series: []string{sphereSeries}, Methods: InsideMethods(), Finest: 3, Sides: []int{4, 6}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Rows) != 3*2*len(InsideMethods()) {
		t.Fatalf("%d rows", len(report.Rows))
	}
	for _, r := range report.Rows {
		if r.Wrong != 0 || r.Tried != r.Side*r.Side*r.Side || !(r.Setup > 0) || !(r.Evaluate > 0) {
			t.Errorf("%+v", r)
		}
		// On 128 faces, fmm sums directly, and -never uses expansions in all cells. On 8 faces nothing is far.
		switch never := strings.HasSuffix(r.Method, "-never"); {
		case !strings.HasPrefix(r.Method, "fmm"):
		case (r.Note == "direct") != (!never || r.Faces == 8) || (r.Bound > 0) != (r.Note != "direct") || r.Error > r.Bound+1e-9:
			t.Errorf("%+v", r)
		case r.Faces == 32 && never && r.Note != "8/64 direct":
			t.Errorf("note %q, expected the 8 cells of 64 that nothing is far from", r.Note)
		}
	}
	if err := report.Check(); err != nil {
		t.Error(err)
	}
	report.Rows[1].Wrong = 2
	if err := report.Check(); err == nil || !strings.Contains(err.Error(), "sphere of 8 faces, 4³ points, ray: 2 of 64 places are wrong") {
		t.Errorf("two wrong places: %v", err)
	}
	// Times as those of fmm and rays in the paper: rays are faster on the two coarsest.
	report.Rows, report.Fits = nil, nil
	for k, faces := range []int{2048, 8192, 32768, 131072} {
		for _, side := range []int{40, 80} {
			points := float64(side * side * side)
			for method, time := range map[string][2]float64{
				"ray": {0, 1e-9 * points * float64(faces)}, "fmm": {1e-6 * float64(faces), 1e-5 * points}, "fmm-pre": {1e-5 * float64(faces), 2e-5 * points},
				"fmm-never": {2e-6 * float64(faces), 3e-6 * points}, "fmm-pre-never": {2e-6 * float64(faces), 3e-6 * points},
			} {
				paper := "-"
				if text, known := tableTwo[[2]int{faces, side}]; known {
					paper = text
				}
				if (paper == "-") != (k == 0) {
					t.Errorf("%d faces, %d³ points: %s", faces, side, paper)
				}
				report.Rows = append(report.Rows, InsidePaperRow{Series: sphereSeries, Faces: faces, Side: side, Method: method, Setup: time[0], Evaluate: time[1]})
			}
		}
	}
	report.fit()
	found := map[string]string{}
	for _, f := range report.Fits {
		found[f.Method+" "+f.Side+" "+f.What] = f.Found + ", " + f.Paper
	}
	for what, want := range map[string]string{
		"ray 80 exponent of the faces, evaluation":           "1.00, 1",
		"fmm 80 exponent of the faces, evaluation":           "0.00, -",
		"fmm 80 exponent of the faces, setup":                "1.00, -",
		"fmm all exponent of the points, evaluation":         "1.00, 1",
		"ray, fmm 80 meshes that rays answer sooner":         "2048 8192, the 3 coarsest",
		"ray, fmm-pre 40 meshes that rays answer sooner":     "2048 8192, -",
		"ray, fmm-never 80 meshes that rays answer sooner":   "2048, the 3 coarsest",
		"fmm, fmm-pre 80 time of pre over well, finest mesh": "2.20, -",

		"fmm-never, fmm-pre-never 40 time of pre over well, finest mesh": "1.00, -",
	} {
		if found[what] != want {
			t.Errorf("%s: %q, expected %q", what, found[what], want)
		}
	}
	for _, f := range report.Figures() {
		var b bytes.Buffer
		if err := f.WriteSVG(&b); err != nil || !strings.Contains(b.String(), "<svg") {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if _, err := InsidePaper(t.Context(), InsidePaperOptions{Series: []string{"cube"}}); !errors.Is(err, ErrOption) {
		t.Errorf("series cube: %v, expected ErrOption", err)
	}
}

// TestGridAbout: the cube of points contains the mesh, and its sides have few binary digits.
func TestGridAbout(t *testing.T) {
	points := gridAbout(surfaceOf(t, "torus:3,1,40,40"), 4)
	first, last := points[0], points[len(points)-1]
	if len(points) != 64 || first.X != -3 || first.Z != -3 || last.Y != 3 || points[1].X != -1 {
		t.Errorf("%d points from %v to %v", len(points), first, last)
	}
	m := surfaceOf(t, "sphere:1,2")
	for i := range m.Verts {
		m.Verts[i].X += 10.03
	}
	points = gridAbout(m, 2)
	if x := points[0].X; math.Abs(x-9.5) > 0.07 || x*16 != math.Round(x*16) {
		t.Errorf("first point %v", points[0])
	}
}
