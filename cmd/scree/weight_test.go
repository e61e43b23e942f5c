package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/require"
)

// heaviest is the size of the command's file at most, in bytes, as go build makes it, with
// symbols.
const heaviest = 17_050_000

// TestWeight keeps what the command does not need out of it: the stacks of HTTP and TLS, fonts,
// and templates, which keep the linker from leaving out methods that nothing calls.
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
		if name == "net/http" || name == "crypto/tls" || strings.Contains(name, "/font") || strings.Contains(name, "latex") {
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
