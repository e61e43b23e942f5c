package bench

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
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
	for spec, methods := range map[string][]string{"sphere:1,2": insideMethods, "dyadic-foam:1,8": {"auto", "ray"}} {
		o := InsideOptions{meshes: []*geometry.Mesh{surfaceOf(t, spec)}, Side: []int{16}, Methods: methods, Workers: 1, Seed: 1, Repeat: 1}
		rows, _, err := measure(t.Context(), &o, Env{})
		if err != nil {
			t.Fatal(err)
		}
		o.Workers = 3
		more, _, err := measure(t.Context(), &o, Env{})
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
	list, _, err := measure(t.Context(), &InsidePaperOptions{Series: []string{sphereSeries}, Finest: 3, Sides: []int{4, 6}, Seed: 1}, Env{})
	if err != nil {
		t.Fatal(err)
	}
	rows := insidePaperRows(list)
	if len(rows) != 3*2*len(insideMethods) {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
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
	if err := rows.check(); err != nil {
		t.Error(err)
	}
	rows[1].Wrong = 2
	if err := rows.check(); err == nil || !strings.Contains(err.Error(), "sphere of 8 faces, 4³ points, ray: 2 of 64 places are wrong") {
		t.Errorf("two wrong places: %v", err)
	}
	// Times as those of fmm and rays in the paper: rays are faster on the two coarsest.
	rows = nil
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
				rows = append(rows, InsidePaperRow{Series: sphereSeries, Faces: faces, Side: side, Method: method, Setup: time[0], Evaluate: time[1]})
			}
		}
	}
	found := map[string]string{}
	for _, f := range rows.fits() {
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
	for _, f := range rows.figures() {
		var b bytes.Buffer
		if err := f.WriteSVG(&b); err != nil || !strings.Contains(b.String(), "<svg") {
			t.Errorf("%s: %v", f.Name, err)
		}
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

// TestInsidePeersMissing: the row of a peer that is not installed names what to install.
func TestInsidePeersMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CXX", "")
	last := int64(-1)
	o := InsideOptions{meshes: []*geometry.Mesh{surfaceOf(t, "sphere:1,1")}, Side: []int{4}, Methods: []string{"auto"}, Workers: 1, Repeat: 1, Peers: true}
	rows, _, err := measure(t.Context(), &o, Env{Progress: func(done, all int64, _ string) {
		if last = done; all != 6 {
			t.Errorf("%d rows to come, expected 6", all)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 6 || last != 6 {
		t.Fatalf("%d rows, the last told is %d: %+v", len(rows), last, rows)
	}
	for _, r := range rows {
		if ours := r.Method == "auto"; ours != (r.Note == "-") || !ours && !strings.HasPrefix(r.Note, "not installed: apt-get install ") {
			t.Errorf("%s: note %q, expected what to install", r.Method, r.Note)
		}
	}
	o.meshes, o.Methods = []*geometry.Mesh{{
		Name: "cube", Verts: surfaceOf(t, "sphere:1,0").Verts, Faces: [][]int{{0, 1, 2, 3}},
	}}, []string{}
	if rows, _, err = measure(t.Context(), &o, Env{}); err != nil || len(rows) != 4 || !strings.HasPrefix(rows[0].Note, "not run") {
		t.Errorf("faces of four corners: %+v, %v", rows, err)
	}
}

// TestComparePlaces: a peer that does not detect the surface may report either place for points on
// it.
func TestComparePlaces(t *testing.T) {
	truth := []inside.Place{inside.Outside, inside.Inside, inside.On, inside.On, inside.Inside}
	for _, c := range []struct {
		places []byte
		wrong  int
	}{{[]byte{0, 1, 2, 2, 1}, 0}, {[]byte{0, 1, 0, 1, 1}, 0}, {[]byte{1, 1, 0, 1, 0}, 2}, {[]byte{0, 1, 2, 1, 1}, 1}} {
		var r InsideRow
		if r.comparePlaces(c.places, truth); r.Wrong != c.wrong || r.On != 2 {
			t.Errorf("%v: %d wrong, %d on the surface, expected %d and 2", c.places, r.Wrong, r.On, c.wrong)
		}
	}
}

// TestCheckInside: a row that contradicts what its method promises is an error.
func TestCheckInside(t *testing.T) {
	for i, row := range []InsideRow{
		{Method: "ray", Wrong: 1}, {Method: "fmm", Bound: 0.1, Error: 0.2}, {Method: "winding", Error: math.NaN()},
		{Method: "winding-fast", Wrong: 1, Error: 0.1}, {Method: "embree", Wrong: 1}, {Method: "fmm-pre", Bound: 0.1, Error: 0.1},
	} {
		if bad := checkInside([]InsideRow{row}) != nil; bad != (i < 3) {
			t.Errorf("%+v: refused is %v", row, bad)
		}
	}
}
