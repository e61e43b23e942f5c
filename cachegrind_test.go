package scree_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/require"
)

// TestSoakCachegrind compares the misses that scree bench cache simulates with those of valgrind's cachegrind, for the
// two levels that cachegrind has. Cachegrind simulates every load and store of scree bench step, so the difference
// between two numbers of steps is that of whole steps. Runs of another length differ by up to one step's misses, because
// the rest of the program touches other lines; so twenty steps are compared.
func TestSoakCachegrind(t *testing.T) {
	if !*soakPhysics {
		t.Skip("needs -soak.physics")
	}
	valgrind, err := exec.LookPath("valgrind")
	require.Tool(t, err == nil, "valgrind is missing")
	require.Tool(t, slices.Contains(cpu.Available(), cpu.AVX2), "the processor has no AVX2, the widest registers that valgrind knows")
	const more, tolerance = 20, 0.15
	dir := t.TempDir()
	program, pile := filepath.Join(dir, "scree"), filepath.Join(dir, "pile.txt.gz")
	run := func(name string, args ...string) []byte {
		c := exec.Command(name, args...)
		c.Dir, c.Env = dir, append(os.Environ(), "SCREE_BACKEND=avx2", "GOGC=off", "GOMAXPROCS=1")
		var errors strings.Builder
		c.Stderr = &errors
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, errors.String())
		}
		return append(out, errors.String()...)
	}
	if text, err := exec.Command("go", "build", "-o", program, "./cmd/scree").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if text, err := exec.Command(program, "bench", "settle", "--bodies", "8000", "--speed", "0.05", "-o", pile).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	missed := regexp.MustCompile(`LLd misses: +([0-9,]+)`)
	cachegrind := func(order string, steps int) float64 {
		out := run(valgrind, "--tool=cachegrind", "--cache-sim=yes", "--D1=32768,8,64", "--I1=32768,8,64", "--LL=4194304,16,64",
			"--cachegrind-out-file="+filepath.Join(dir, "out"), program,
			"bench", "step", "--settled", pile, "--order", order, "--steps", fmt.Sprint(steps), "--skin", "0.01", "--workers", "1")
		found := missed.FindSubmatch(out)
		if found == nil {
			t.Fatalf("cachegrind printed no misses:\n%s", out)
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(string(found[1]), ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var study struct {
		Rows []struct {
			Order    string  `json:"order"`
			Touching float64 `json:"touching"`
			L2       float64 `json:"l2_misses"`
		} `json:"rows"`
	}
	text, err := exec.Command(program, "bench", "cache", "--settled", pile, "--order", "hilbert,none", "--tile", "0", "--cores", "1", "--law", "thickness",
		"--l1", "32K:8", "--l2", "4M:16", "--l3", "0", "--bandwidth", "10", "--backend", "avx2", "--json").Output()
	if err != nil || json.Unmarshal(text, &study) != nil || len(study.Rows) != 2 {
		t.Fatalf("%v: %s", err, text)
	}
	for _, row := range study.Rows {
		simulated, real := row.L2*row.Touching, (cachegrind(row.Order, 1+more)-cachegrind(row.Order, 1))/more
		t.Logf("order %s: %.0f misses a step, cachegrind %.0f: ratio %.3f", row.Order, simulated, real, simulated/real)
		if ratio := simulated / real; ratio < 1-tolerance || ratio > 1+tolerance {
			t.Errorf("order %s: %.0f misses a step, cachegrind has %.0f", row.Order, simulated, real)
		}
	}
}
