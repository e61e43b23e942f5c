package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scree-dem/scree/bench"
)

func TestBenchNarrow(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	args := []string{"bench", "narrow", "--shape", "tetra,cube", "--regime", "touching", "--regime", "coherent-apart",
		"--method", "auto,fds", "--time", "0.0001", "--pairs", "64", "--repeat", "1"}
	r := call(append(args, "--json", "-o", dir)...)
	r.wants(t, 0)
	s := decode[reportOf[bench.NarrowRow]](t, r.out)
	// Two shapes with two methods, of which auto also runs as a Detector if the pairs move.
	if len(s.Rows) != 2*2+2*3 || s.Machine.Version != version() || s.Machine.Processor == "" {
		t.Fatalf("%+v", s)
	}
	for _, row := range s.Rows {
		if row.Wrong != 0 || row.Seed != 1 || row.Workers != 1 || len(row.Checksum) != 16 {
			t.Errorf("row %+v", row)
		}
	}
	if read(t, dir, "narrow.json") != r.out {
		t.Error("narrow.json is not what standard output has")
	}
	csv := strings.Split(read(t, dir, "narrow.csv"), "\n")
	if len(csv) != len(s.Rows)+2 || !strings.HasPrefix(csv[0], "case,shape,vertices,regime,method,") {
		t.Errorf("narrow.csv has %q", csv)
	}
	for _, name := range []string{"narrow-touching.svg", "narrow-coherent-apart.svg"} {
		if !strings.Contains(read(t, dir, name), "</svg>") {
			t.Errorf("%s is no figure", name)
		}
	}
	table := call(append(args, "-q")...)
	table.wants(t, 0)
	for _, want := range []string{"ns_pair", "odometer", "cube/touching/fds", "tetra/coherent-apart/auto/detector", s.Rows[0].Checksum} {
		if !strings.Contains(table.out, want) {
			t.Errorf("table lacks %q:\n%s", want, table.out)
		}
	}
	if table.err != "" {
		t.Errorf("--quiet says %q", table.err)
	}
}

func TestBenchNarrowLocation(t *testing.T) {
	dir := t.TempDir()
	r := call("bench", "narrow", "--location", "--shape", "tetra", "--time", "0.0001", "--repeat", "1", "--pairs", "16", "--json", "-o", dir, "-q")
	r.wants(t, 0)
	s := decode[reportOf[bench.LocationRow]](t, r.out)
	if len(s.Rows) != 5*7 || s.Machine.Version != version() {
		t.Fatalf("%+v", s)
	}
	for _, row := range s.Rows {
		if row.Wrong != 0 || row.Pairs != 16 || row.Seed != 1 {
			t.Errorf("row %+v", row)
		}
	}
	if read(t, dir, "location.json") != r.out || !strings.HasPrefix(read(t, dir, "location.csv"), "case,shape,vertices,contact,way,ns_pair,") {
		t.Errorf("location.csv has %q", read(t, dir, "location.csv"))
	}
}

func TestBenchNarrowPaper(t *testing.T) {
	dir := t.TempDir()
	r := call("bench", "narrow", "--paper", "--scene", "wall15", "--method", "fds", "--time", "0.0001", "--repeat", "1", "-o", dir, "-q")
	r.wants(t, 0)
	for _, want := range []string{"hexahedra", "tetrahedra", "cut", "wall15", "mean", "published_stiffness"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("tables lack %q:\n%s", want, r.out)
		}
	}
	for _, name := range []string{"paper.csv", "paper.json", "paper-scenes.csv", "paper-displacement.csv",
		"paper-hexahedra-generic.svg", "paper-tetrahedra-generic.svg", "paper-cut-generic.svg", "paper-scenes-generic.svg", "paper-displacement.svg"} {
		if len(read(t, dir, name)) < 100 {
			t.Errorf("%s has nothing in it", name)
		}
	}
}

func TestBenchNarrowBad(t *testing.T) {
	for args, want := range map[string]string{
		"--method sad": "sad", "--shape ball": "hull512", "--regime near": "coherent-apart", "--scene wall15": "--paper",
		"--paper --scene wall16": "wall120", "--repeat 0": "--repeat", "--time 0": "--time", "--time -1": "--time", "--pairs 0": "--pairs",
		"--paper --shape cube": "--shape", "--paper --backend generic": "--backend", "--workers 2": "--workers", "cube": "1 argument,",
		"--seed x": "seed", "--shape cube,tetra,cube": "cube twice",
		"--location --paper": "--location", "--location --method auto": "--method", "--location --regime deep": "--regime", "--location --shape ball": "hull512", "--method sat,sat": "sat twice",
	} {
		t.Run(args, func(t *testing.T) {
			call(append([]string{"bench", "narrow"}, strings.Fields(args)...)...).wantsOneLine(t, 2, want)
		})
	}
}

// TestBenchNarrowInterrupted: an interrupted study shows the complete rows, and its status reports
// the interruption.
func TestBenchNarrowInterrupted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	cmd := exec.Command(built(t), "bench", "narrow", "--method", "auto", "--shape", "tetra,hull512", "--regime", "touching", "--pairs", "64",
		"--repeat", "2", "--time", "30", "-q", "--json", "-o", dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	// When the folder exists, the command already catches signals.
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(40 * time.Second):
		t.Fatal("still running")
	}
	if status := cmd.ProcessState.ExitCode(); status != statusInterrupted {
		t.Errorf("status %d, expected %d", status, statusInterrupted)
	}
}
