package pairs

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// TestContacts slides a cube on another: four contacts a row, with their points, planes and modes.
// The numbers stay while the features stay. By hand: the cubes overlap by 1e-3, so with friction 0.5
// contacts stick for 5e-4.
func TestContacts(t *testing.T) {
	for _, m := range []narrow.Method{narrow.Auto, narrow.DS, narrow.FDS, narrow.FDSPaper} {
		table := trackHead
		xs := []float64{0.2, 0.2004, 0.2006, 0.2, -0.2}
		for _, x := range xs {
			table += row("box:1x1x1", "box:1x1x1", at(0, 0, 0), at(x, 0.1, 0.999), 1)
		}
		table += row("box:1x1x1", "box:1x1x1", at(0, 0, 0), at(0, 0, 1+2e-7), 2)
		var list bytes.Buffer
		o := defaults()
		o.Method, o.AutoDTol, o.Friction, o.Contacts, o.Location = m, true, 0.5, &list, None
		if _, _, err := text(t, table, o, shapesOf(t)); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&list).ReadAll()
		if err != nil || strings.Join(rows[0], ",") != "row,contact,type,feature_a,feature_b,ax,ay,az,bx,by,bz,nx,ny,nz,distance,mode" {
			t.Fatalf("%v %v", rows, err)
		}
		modes := map[string]string{}
		for _, r := range rows[1:] {
			if was := modes[r[0]]; was != "" && was != r[15] {
				t.Errorf("%v: %v", m, r)
			}
			if modes[r[0]] = r[15]; r[0] < "4" && (r[1] > "4" || r[7] != "0.5" || r[10] != "0.499" || r[13] != "1") {
				t.Errorf("%v: %v", m, r)
			}
			// Row 5 is far from row 4, so dtol is a tenth of the edge, and y = 0.1 within it of the sides.
			if r[0] == "5" && (r[2] != "v-e" && r[2] != "e-v" || r[1] < "5") || r[0] == "6" && r[2] != "v-v" {
				t.Errorf("%v: %v", m, r)
			}
		}
		for row, want := range map[string]string{"1": "stick", "2": "stick", "3": "slide", "4": "stick", "6": "open"} {
			if modes[row] != want {
				t.Errorf("%v, row %s: mode %q, expected %s", m, row, modes[row], want)
			}
		}
	}
	o := defaults()
	o.Friction = -1
	if _, _, err := text(t, trackHead, o, shapesOf(t)); !errors.Is(err, ErrOption) {
		t.Errorf("friction -1: %v", err)
	}
}

// TestAutoDTol: a cube turns by an angle a row. The default tolerance calls it an edge on a face, the
// automatic one, which follows the motion, a face on a face. Swapped bodies have the mirrored contacts.
func TestAutoDTol(t *testing.T) {
	lean := turned(0, 0, 0.9999999, vec.V(0, 1, 0), 1e-4)
	table := trackHead + row("box:1x1x1", "box:1x1x1", at(0, 0, 0), at(0, 0, 1), 1) + row("box:1x1x1", "box:1x1x1", at(0, 0, 0), lean, 1) +
		row("box:1x1x1", "box:1x1x1", at(0, 0, 0), lean, 2)
	for auto, want := range map[bool][]string{false: {"f-f", "f-e", "f-e"}, true: {"f-f", "f-f", "f-e"}} {
		o := defaults()
		o.AutoDTol, o.Friction = auto, math.NaN()
		list, _ := run(t, table, o, shapesOf(t))
		for i, w := range want {
			if list[i].kind != w {
				t.Errorf("auto %v, row %d: %q, expected %q", auto, i+1, list[i].kind, w)
			}
		}
	}
}
