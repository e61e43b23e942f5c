package scene

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/results"
)

// TestForgedCheckpoints: a checkpoint with a valid hash whose content is out of bounds is rejected with its
// name, or the first step fails and names it. The folder stays unchanged.
func TestForgedCheckpoints(t *testing.T) {
	s, dir := loadTumbling(t), results.Folder(t)
	if err := quietly(t, s, Options{Dir: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	was := list(t, dir)
	header := func(from, to string) func(h []byte, cols []fileio.Column) []byte {
		return func(h []byte, _ []fileio.Column) []byte {
			if !bytes.Contains(h, []byte(from)) {
				t.Fatalf("the header %s has no %s", h, from)
			}
			return bytes.Replace(h, []byte(from), []byte(to), 1)
		}
	}
	number := func(column string, at int, x float64) func(h []byte, cols []fileio.Column) []byte {
		return func(h []byte, cols []fileio.Column) []byte {
			cols[slices.IndexFunc(cols, func(c fileio.Column) bool { return c.Name == column })].F64[at] = x
			return h
		}
	}
	for _, c := range []struct {
		name  string
		forge func(h []byte, cols []fileio.Column) []byte
		want  string
		fault bool // detected by the first step
	}{
		{"a step that is text", header(`"step":7`, `"step":"7"`), `has "7" as "step", which no run writes`, false},
		{"a scene that is a number", header(`"scene":"`, `"scene":7,"was":"`), `has 7 as "scene", which no run writes`, false},
		{"no JSON", header(`{`, `<`), "header: is not the JSON", false},
		{"another step", header(`"step":7`, `"step":6`), "step 6 and time", false},
		{"a negative step", header(`"step":7`, `"step":-7`), "step -7 and time", false},
		{"another time", header(`"time":0.0035`, `"time":0.003`), "time 0.003 s in the header", false},
		{"a key of capitals", header(`"format"`, `"FORMAT"`), `header: has "scree world 2" as "FORMAT", which no run writes`, false},
		{"a key twice", header(`"step":7`, `"step":6,"step":7`), `a key stands in it twice`, false},
		{"a key that is unknown", header(`"step":7`, `"step":7,"colour":1`), `header: has 1 as "colour", which no run writes`, false},
		{"a key that is missing", header(`"step":7,`, ``), `header: has no key "step"`, false},
		{"a key that is null", header(`"step":7`, `"step":null`), `has null as "step", which no run writes`, false},
		{"a step that is broken", header(`"step":7`, `"step":7.5`), `has 7.5 as "step", which no run writes`, false},
		{"two headers", func(h []byte, _ []fileio.Column) []byte { return append(bytes.Clone(h), h...) }, "header: is not the JSON", false},
		{"a time that is not of the step", func(h []byte, cols []fileio.Column) []byte {
			return header(`"time":0.0035`, `"time":0.25`)(number("clock", 0, 0.25)(h, cols), cols)
		}, "time 0.25 s in the columns", false},
		{"a clock without a number", number("clock", 0, math.NaN()), `column "clock"`, false},
		{"a ledger without end", number("ledger", 2, math.Inf(-1)), `column "ledger"`, false},
		{"a history without a number", number("contact.history", 0, math.NaN()), `column "contact.history"`, false},
		{"a body that is far", number("pos.z", 2, 1e300), `column "pos.z"`, false},
		{"a body that is fast", number("vel.x", 2, 1e300), `column "vel.x"`, false},
		{"energies that add up to none", func(h []byte, cols []fileio.Column) []byte {
			for _, column := range []string{"vel.x", "vel.y", "vel.z"} {
				h = number(column, 2, 1.3e154)(h, cols)
			}
			return h
		}, "kinetic energy is +Inf", false},
		{"a velocity that ends the run", func(h []byte, cols []fileio.Column) []byte {
			return number("odometer", 2, 1e9)(number("vel.y", 2, 1e12)(h, cols), cols)
		}, "first step after the checkpoint", true},
		{"an interim that no run writes", header(`"step":7`, `"step":7,"interim":false`), `has false as "interim"`, false},
		{"an interim that is text", header(`"step":7`, `"step":7,"interim":"no"`), `has "no" as "interim", which no run writes`, false},
		{"warnings that are none", header(`"step":7`, `"step":7,"warnings":[]`), `has [] as "warnings"`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, cols, err := fileio.ReadCheckpoint(checkpointAt(dir, 7))
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "forged.scree")
			if err := fileio.WriteCheckpoint(path, c.forge(h, cols), cols); err != nil {
				t.Fatal(err)
			}
			err = quietly(t, s, Options{Dir: dir, Restart: path, Workers: 1})
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want) ||
				strings.Contains(err.Error(), "unmarshal") || c.fault != errors.Is(err, engine.ErrFault) && !errors.Is(err, ErrInput) {
				t.Errorf("error %v, expected one of %q that names %s", err, c.want, path)
			}
			saysNoKind(t, err)
			if got := list(t, dir); got != was {
				t.Error("the folder was changed")
			}
		})
	}
	// Fields for people are not checked.
	h, cols, err := fileio.ReadCheckpoint(checkpointAt(dir, 7))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "other.scree")
	if err := fileio.WriteCheckpoint(path, header(`"version":""`, `"version":"x"`)(h, cols), cols); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(quietly(t, s, Options{Dir: dir, Restart: path, Workers: 1}), os.Remove(path)); err != nil {
		t.Error(err)
	}
}
