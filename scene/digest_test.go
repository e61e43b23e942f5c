package scene

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/results"
)

// TestWhatDiffers: a restart of another scene, or into the folder of another scene, names the parts
// that differ, one or several. For a checkpoint without parts it lists all parts.
func TestWhatDiffers(t *testing.T) {
	s, dir := loadTumbling(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	h, cols, err := fileio.ReadCheckpoint(checkpointAt(dir, 7))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want   string
		change []string
	}{
		{"time step", []string{"dt = 5e-4", "dt = 4e-4"}},
		{"gravity", []string{"[materials.stone]", "[gravity]\nvector = [0, 0, -9]\n[materials.stone]"}},
		{"method", []string{"[output]", "[contact]\nmethod = \"fcp\"\n[output]"}},
		{"location", []string{"[output]", "[contact]\nlocation = \"none\"\n[output]"}},
		{"relief", []string{"[output]", "[contact.relief]\ncap = 1e-3\ntime = 0.01\n[output]"}},
		{"laws", []string{"friction = 0.5", "friction = 0.4"}},
		{"shapes", []string{"2600", "2500"}},
		{"bodies", []string{"0.11", "0.12"}},
		{"order", []string{"[output]", "[order]\nbodies = \"morton\"\n[output]"}},
		{"walls", []string{`file = "plate.obj"`, "file = \"plate.obj\"\nscale = 2"}},
		{"pours", []string{"[output]", "[[remove]]\nbelow = [[0, 0, -1], [0, 0, 1]]\n[output]"}},
		{"gravity, laws and bodies", []string{"[materials.stone]", "[gravity]\nvector = [0, 0, -9]\n[materials.stone]", "1e6", "1.1e6", "0.11", "0.12"}},
	} {
		t.Run(c.want, func(t *testing.T) {
			other, empty := loadTumbling(t, c.change...), results.Folder(t)
			want := "; what differs: " + c.want
			refused(t, other, Options{Dir: empty, Restart: checkpointAt(dir, 7), Workers: 1}, "of another scene", want)
			// Restart from the checkpoint of the other scene into the folder of this one.
			elsewhere := results.Folder(t)
			until(t, other, Options{Dir: elsewhere, Workers: 1}, 7, 0)
			refused(t, other, Options{Dir: dir, Restart: checkpointAt(elsewhere, 7), Workers: 1}, "results of another run", want+"; choose")
		})
	}
	if all := loadTumbling(t, "[output]", "[[remove]]\nbelow = [[0, 0, -1], [0, 0, 1]]\n[output]"); len(digestParts) != len(all.partsOf(t)) {
		t.Errorf("the digest has the parts %v, expected %v", slices.Sorted(maps.Keys(s.partsOf(t))), digestParts)
	}
	var header map[string]any
	if err := json.Unmarshal(h, &header); err != nil {
		t.Fatal(err)
	}
	delete(header, "parts")
	if h, err = json.Marshal(header); err != nil {
		t.Fatal(err)
	}
	path := checkpointAt(results.Folder(t), 7)
	if err := fileio.WriteCheckpoint(path, h, cols); err != nil {
		t.Fatal(err)
	}
	refused(t, loadTumbling(t, "friction = 0.5", "friction = 0.4"), Options{Dir: results.Folder(t), Restart: path, Workers: 1},
		"what differs: time step, gravity, method, location, relief, interaction, laws, integrator, dim, domain, shapes, bodies, walls, settings, stages, order or pours")
}

// TestDigestOfAnAddedParameter: a parameter that came later changes the digest of a law only where it is not 0.
func TestDigestOfAnAddedParameter(t *testing.T) {
	type before struct {
		force.Law
		A float64
	}
	type law struct {
		force.Law
		A float64
		B float64 `added:"true"`
	}
	of := func(l force.Law) string {
		var text bytes.Buffer
		d := digester{w: bufio.NewWriter(&text)}
		d.law(l)
		_ = d.w.Flush()
		return strings.ReplaceAll(text.String()[8:], "before", "law")
	}
	if was, now := of(&before{A: 1}), of(&law{A: 1}); was != now || now == of(&law{A: 1, B: 2}) {
		t.Errorf("the digest has %q, before %q", now, was)
	}
}

func (s *Scene) partsOf(t *testing.T) map[string]string {
	all, err := s.generate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, parts := s.digest(all)
	return parts
}
