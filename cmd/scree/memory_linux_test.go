package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/require"
)

// TestOutOfMemory: under an address space limit of 3 GB, inputs that do not fit are rejected in one
// line with counts and memory. Otherwise the runtime would end the process with a trace.
func TestOutOfMemory(t *testing.T) {
	shell, err := exec.LookPath("sh")
	require.Tool(t, err == nil, "needs sh for its ulimit")
	const pairs = " pieces have more than "
	scene := func(bodies int, spacing, extra string) string {
		return fmt.Sprintf(`
[time]
dt = 1e-4
steps = 2
[materials.s]
density = 2600
[shapes.c]
builtin = "box:0.1x0.1x0.1"
material = "s"
[[bodies]]
generator = "grid"
shapes = ["c"]
count = [%d, 1, 1]
spacing = %s
[law]
stiffness = 1e4
[output]
every = 0
%s`, bodies, spacing, extra)
	}
	// A sparse file with a triangle count.
	const triangles = 14_000_000
	big := filepath.Join(t.TempDir(), "big.stl")
	start := binary.LittleEndian.AppendUint32(make([]byte, 80), triangles)
	if err := errors.Join(os.WriteFile(big, start, 0o600), os.Truncate(big, 84+50*triangles)); err != nil {
		t.Fatal(err)
	}
	const bigMesh = ": 700000084 bytes and all 14000000 vertices or triangles take about 17.5 GB"
	shape := scene(1, "0.2", "[shapes.big]\nfile = \""+big+"\"\nmaterial = \"s\"")
	type refused struct {
		name, scene string
		args        []string
		want        []string
	}
	cases := []refused{
		{"skin", scene(8000, "0.2", "[broad]\nskin = 1e49"), nil, []string{":20: broad.skin: ", "8000" + pairs}},
		{"interaction", strings.Replace(scene(8000, "0.2", "[contact]\ninteraction = 1e4"), "[law]", "[law]\nnormal = \"linear\"", 1), nil, []string{":21: contact.interaction: ", "8000" + pairs}},
		{"one place", scene(6000, "1e-9", ""), nil, []string{":10: bodies: ", "6000" + pairs}},
		{"bodies", scene(9_000_000, "0.2", ""), nil, []string{":10: bodies: found 9000000 in all, which with their shapes take about 11.2 GB"}},
		{"settle", "", []string{"bench", "settle", "--bodies", "10000000", "-o", filepath.Join(t.TempDir(), "pile.txt")},
			[]string{"bodies 10000000, which take about 40.9 GB as a heap"}},
		{"neighbors", "", []string{"neighbors", "--in", write(t, "dense.csv", "x,y,z,r\n"+strings.Repeat("0,0,0,1\n", 20000))},
			[]string{"dense.csv, frame 0: 20000 bodies have more than", "--skin are too large"}},
		{"mesh", "", []string{"shape", "info", big}, []string{big + ": expected a mesh that fits into", bigMesh}},
		{"mesh of pairs", "", []string{"pairs", "--shapes", big, "--pairs", filepath.Join("..", "..", "examples", "pairs", "pairs.csv")}, []string{big + ": expected a mesh that fits into", bigMesh}},
		{"mesh of a shape", shape, nil, []string{":20: shapes.big.file: ", bigMesh}},
		{"mesh of a wall", scene(1, "0.2", "[[walls]]\nfile = \""+big+"\"\nmaterial = \"s\""), nil, []string{":20: walls[0].file: ", bigMesh}},
	}
	for _, search := range engine.Searches() {
		cases = append(cases, refused{"one place, " + search, scene(50_000, "1e-6", "[broad]\nmethod = \""+search+"\""), nil,
			[]string{":10: bodies: ", "50000" + pairs, " candidate pairs, which take ", " GB at "}})
	}
	for _, c := range cases {
		args := c.args
		if args == nil {
			args = []string{"run", write(t, "scene.toml", c.scene), "-o", filepath.Join(t.TempDir(), "out"), "--quiet"}
		}
		cmd := exec.Command(shell, append([]string{"-c", `ulimit -v 3300000; exec "$0" "$@"`, built(t)}, args...)...)
		var errs strings.Builder
		cmd.Stderr = &errs
		_ = cmd.Run() // The test checks the status below.
		r := result{status: cmd.ProcessState.ExitCode(), err: errs.String()}
		t.Run(c.name, func(t *testing.T) {
			r.wants(t, statusInput, append(c.want, "GB of memory that there are")...)
			if strings.Count(r.err, "\n") != 1 {
				t.Errorf("%d lines: %.300s", strings.Count(r.err, "\n"), r.err)
			}
		})
	}
}
