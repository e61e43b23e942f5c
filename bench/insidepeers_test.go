package bench

import (
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
)

// TestInsidePeersMissing: the row of a peer that is not installed names what to install.
func TestInsidePeersMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CXX", "")
	last := int64(-1)
	o := InsideOptions{Meshes: []*geometry.Mesh{surfaceOf(t, "sphere:1,1")}, Side: 4, Methods: []string{"auto"}, Workers: 1, Repeat: 1, Peers: true}
	o.Progress = func(done, all int64, _ string) {
		if last = done; all != 6 && all != 4 {
			t.Errorf("%d rows to come, expected 6", all)
		}
	}
	rows, err := Inside(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 6 || last != 5 {
		t.Fatalf("%d rows, the last told is %d: %+v", len(rows), last, rows)
	}
	for _, r := range rows {
		if ours := r.Method == "auto"; ours != (r.Note == "-") || !ours && !strings.HasPrefix(r.Note, "not installed: apt-get install ") {
			t.Errorf("%s: note %q, expected what to install", r.Method, r.Note)
		}
	}
	o.Meshes, o.Methods = []*geometry.Mesh{{
		Name: "cube", Verts: surfaceOf(t, "sphere:1,0").Verts, Faces: [][]int{{0, 1, 2, 3}},
	}}, nil
	if rows, err = Inside(t.Context(), o); err != nil || len(rows) != 4 || !strings.HasPrefix(rows[0].Note, "not run") {
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
