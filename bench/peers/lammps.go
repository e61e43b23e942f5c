package peers

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/vec"
)

// listSteps is the number of lists that LAMMPS makes of a scene, one in each step. Its times have
// only five digits.
const listSteps = 4

// lammps makes the neighbour lists of the balls in the boxes. The time is that of section Neigh in
// the output of LAMMPS: wall time, times the share that was processor time.
func (b *Bench) lammps(ctx context.Context, s *Scenes, accuracy string) (*BoxesResult, error) {
	r := &BoxesResult{Told: Told{Accuracy: accuracy}, Balls: true}
	exe := ""
	for _, name := range []string{"lmp", "lmp_serial", "lammps"} {
		if path, err := exec.LookPath(name); err == nil {
			exe = path
			break
		}
	}
	if exe == "" {
		r.Problem = "not installed: apt-get install lammps"
		return r, nil
	}
	for k, boxes := range s.Boxes {
		if err := writeBalls(b.path("balls"), boxes); err != nil {
			return nil, err
		}
		c := exec.CommandContext(ctx, exe, "-in", "lammps.in", "-log", "none",
			"-var", "data", "balls", "-var", "pairs", "pairs", "-var", "steps", strconv.Itoa(listSteps))
		c.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
		text, problem, err := b.wait(ctx, c)
		if err != nil {
			return nil, err
		}
		took := 0.0
		if problem == "" {
			r.Version, took, problem = readLog(text)
		}
		if problem != "" {
			r.Problem = problem
			return r, nil
		}
		if k > 0 {
			r.Scratch = append(r.Scratch, took/listSteps)
			continue
		}
		if r.First, err = readPairs(b.path("pairs")); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// writeBalls writes a data file of the balls in the boxes. The density does not matter for a list.
func writeBalls(path string, boxes []vec.Box) error {
	all := vec.EmptyBox()
	for i := range boxes {
		all = all.With(boxes[i].Min).With(boxes[i].Max)
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "balls\n\n%d atoms\n1 atom types\n%v %v xlo xhi\n%v %v ylo yhi\n%v %v zlo zhi\n\nAtoms\n\n", len(boxes),
		all.Min.X, all.Max.X, all.Min.Y, all.Max.Y, all.Min.Z, all.Max.Z)
	for i := range boxes {
		at, _ := Ball(&boxes[i])
		fmt.Fprintf(&text, "%d 1 %v 1 %v %v %v\n", i+1, boxes[i].Max.X-boxes[i].Min.X, at.X, at.Y, at.Z)
	}
	return writeBlocks(path, [][]byte{text.Bytes()})
}

// Ball returns the centre and radius of the ball in a cubic box.
func Ball(b *vec.Box) (at vec.Vec3, radius float64) {
	return b.Min.Add(b.Max).Scale(0.5), 0.5 * (b.Max.X - b.Min.X)
}

// readLog returns the version and the processor time of section Neigh of the first run, s, from the
// output of LAMMPS.
func readLog(text []byte) (version string, took float64, problem string) {
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		if name, rest, ok := strings.Cut(line, "("); ok && version == "" && strings.TrimSpace(name) == "LAMMPS" {
			version = "LAMMPS " + strings.TrimSuffix(rest, ")")
		}
		// Section | min | avg | max | %varavg | %CPU | %total
		f := strings.Split(line, "|")
		if len(f) != 7 || strings.TrimSpace(f[0]) != "Neigh" {
			continue
		}
		wall, err := strconv.ParseFloat(strings.TrimSpace(f[2]), 64)
		share, err2 := strconv.ParseFloat(strings.TrimSpace(f[5]), 64)
		if err != nil || err2 != nil {
			return version, 0, "failed: its output has " + line
		}
		return version, float64(wall * share / 100), ""
	}
	return version, 0, "failed: its output has no line of section Neigh"
}

// readPairs reads the last dump of pairs; LAMMPS numbers atoms from 1.
func readPairs(path string) ([]PosedPair, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("peers: %w", err)
	}
	defer f.Close() //nolint:errcheck // Nothing was written.
	var pairs []PosedPair
	entries := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if line := lines.Text(); strings.HasPrefix(line, "ITEM:") {
			if entries = strings.HasPrefix(line, "ITEM: ENTRIES"); entries {
				pairs = pairs[:0]
			}
			continue
		}
		if !entries {
			continue
		}
		var a, b uint32
		if _, err := fmt.Sscan(lines.Text(), &a, &b); err != nil {
			return nil, fmt.Errorf("peers: pairs of LAMMPS: %w", err)
		}
		pairs = append(pairs, pairOf(a-1, b-1))
	}
	slices.Sort(pairs)
	return pairs, nil
}
