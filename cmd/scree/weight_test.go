package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/require"
)

// heaviest is the largest allowed size of the program file, bytes, as built by go build with
// symbols. It counts the tables of keys, dt = "auto", facets that are made when they are needed, states with bodies that came and went, clumps with the mass of their union, domains, the studies of caches and
// scaling, the page that shows runs, and its server: net/http takes five million of them.
const heaviest = 26_500_000

// TestWeight keeps unnecessary code out of the program: fonts, and templates, which keep the linker from removing unused
// methods.
func TestWeight(t *testing.T) {
	tool, err := exec.LookPath("go")
	require.Tool(t, err == nil, "needs go")
	list, err := exec.Command(tool, "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(list))
	if len(packages) < 100 || !slices.Contains(packages, "github.com/scree-dem/scree/engine") {
		t.Fatalf("go list names %d packages", len(packages))
	}
	for _, name := range packages {
		if strings.Contains(name, "/font") || strings.Contains(name, "latex") {
			t.Errorf("the command links %s", name)
		}
	}
	stat, err := os.Stat(built(t))
	if err != nil {
		t.Fatal(err)
	}
	if stat.Size() > heaviest {
		t.Errorf("the command has %d bytes, expected at most %d", stat.Size(), heaviest)
	}
	symbols, err := exec.Command(tool, "tool", "nm", built(t)).Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(symbols), " text/template.(*Template).Execute\n") {
		t.Error("the command links text/template")
	}
}
