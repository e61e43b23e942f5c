package main

import (
	"path/filepath"
	"testing"

	"github.com/scree-dem/scree/bench"
)

func TestBenchBroad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	r := call("bench", "broad", "--bodies", "200", "--ratio", "1,5", "--repeat", "1", "--method", "multilevel,lll,brute", "--json", "-o", dir)
	r.wants(t, 0)
	s := decode[reportOf[bench.BroadRow]](t, r.out)
	if len(s.Rows) != 6 || s.Machine.Processor == "" {
		t.Fatalf("%+v", s)
	}
	for i, row := range s.Rows {
		if row.Bodies != 200 || row.Workers != 1 || row.Checksum != s.Rows[i/3*3].Checksum {
			t.Errorf("row %+v", row)
		}
	}
	if read(t, dir, "broad.json") != r.out {
		t.Error("broad.json is not what standard output has")
	}
}

func TestBenchBroadRefuses(t *testing.T) {
	for _, test := range [][]string{
		{"--bodies", "0", "--bodies is 0, expected 1 to 20000000"},
		{"--ratio", "0.5", "--ratio is 0.5, expected 1 to 1000"},
		{"--repeat", "0", "--repeat is 0, expected ≥ 1"},
		{"--method", "tree", `--method is "tree", expected one of multilevel`},
	} {
		call("bench", "broad", test[0], test[1]).wants(t, 2, test[2])
	}
	call("bench", "broad", "--paper", "--every", "0").wants(t, 2, "--every is 0, expected 1 to 1000000")
	call("bench", "broad", "--every", "5").wants(t, 2, "--every is 5, expected to be used with --paper only")
	call("bench", "broad", "--long").wants(t, 2, "with --paper only")
	call("bench", "broad", "--paper", "--bodies", "100").wants(t, 2, "--bodies is 100, expected none with --paper")
	call("bench", "broad", "--scene", "heap").wants(t, 2, `--scene is "heap", expected one of equal, mixed, flyer`)
	call("bench", "broad", "--scene", "equal", "--ratio", "1").wants(t, 2, "--ratio is 1, expected none with --scene")
	call("bench", "broad", "--scene", "equal", "--method", "tree").wants(t, 2, `--method is "tree", expected`)
	call("bench", "broad", "--facets", "5").wants(t, 2, "--facets is 5, expected to be used with --scene only")
	call("bench", "broad", "--paper", "--peers").wants(t, 2, "--peers is true, expected none with --paper")
	call("bench", "broad", "--paper=false", "--bodies", "0").wants(t, 2, "--bodies is 0, expected 1 to 20000000")
	call("bench", "broad", "--pin").wants(t, 2, "--pin is true, expected none")
	call("bench", "broad", "--backend", "tree").wants(t, 2, `--backend: "tree" is not a backend`)
	call("bench", "broad", "--paper", "--series", "4d").wants(t, 2, `--series is "4d", expected one of 2d, 3d, fractured, picture`)
}
