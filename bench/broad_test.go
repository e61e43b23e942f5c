package bench

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/scree-dem/scree/bench/peers"
)

// TestBroad: all methods find the same pairs, on any number of workers.
func TestBroad(t *testing.T) {
	o := BroadOptions{Bodies: []int{300}, Ratios: []float64{1, 20}, Workers: 1, Seed: 1, Repeat: 1}
	rows, _, err := measure(context.Background(), &o, Env{})
	if err != nil {
		t.Fatal(err)
	}
	o.Workers = 2
	more, _, err := measure(context.Background(), &o, Env{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2*len(broadNames()) || rows[0].Checksum == rows[len(rows)-1].Checksum {
		t.Fatalf("%d rows, expected %d; the first %+v, the last %+v", len(rows), 2*len(broadNames()), rows[0], rows[len(rows)-1])
	}
	for i, row := range rows {
		if row.Checksum != more[i].Checksum {
			t.Errorf("%s, ratio %g: checksum %s on one worker, %s on two", row.Method, row.Ratio, row.Checksum, more[i].Checksum)
		}
		if looks := row.Method == "multilevel" || row.Method == "auto" || row.Method == "cells"; row.Moved.missing() == looks {
			t.Errorf("%s: %g µs where few have moved, expected a time %t", row.Method, row.Moved, looks)
		}
		if !(row.Scratch > 0) || !(row.Update > 0) || !(row.Pairs > 1) || !(row.Bytes > 8) {
			t.Errorf("%+v, expected times, pairs and bytes", row)
		}
	}
}

// TestBroadPeersMissing: without a compiler and programs, the row of each peer names what to
// install, or why the peer is not run for so many bodies.
func TestBroadPeersMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CXX", "")
	done, all := int64(-1), int64(0)
	o := BroadOptions{Bodies: []int{50, 1 << 15}, Ratios: []float64{1}, Methods: []string{"multilevel"}, Workers: 1, Seed: 1, Repeat: 1, Peers: true}
	rows, _, err := measure(context.Background(), &o, Env{Progress: func(d, a int64, _ string) { done, all = d, a }})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 10 || done != all {
		t.Fatalf("%d rows, %d of %d told, expected 10 and all: %+v", len(rows), done, all, rows)
	}
	for _, row := range rows {
		want := "not installed: apt-get install "
		if row.Method == "bullet-sap" && row.Bodies == 1<<15 {
			want = "not measured: takes minutes with more than 16384 bodies"
		}
		if ours := row.Method == "multilevel"; ours != (row.Note == "-") || !ours && !strings.HasPrefix(row.Note, want) {
			t.Errorf("%s: note %q, expected %s", row.Method, row.Note, want)
		} else if !ours && !(row.Scratch.missing() && row.Median.missing() && row.Update.missing() && row.Moved.missing() && row.Pairs.missing() && row.Bytes.missing()) {
			t.Errorf("%+v, expected nothing measured", row)
		}
	}
}

// TestBroadOfTooMany: a method that is not measured with so many bodies has a row with the reason
// and no figures.
func TestBroadOfTooMany(t *testing.T) {
	o := BroadOptions{Bodies: []int{2100}, Ratios: []float64{1}, Methods: []string{"vl-paper", "multilevel", "lll", "brute"}, Workers: 1, Seed: 1, Repeat: 1}
	rows, _, err := measure(context.Background(), &o, Env{})
	if err != nil {
		t.Fatal(err)
	}
	r := Report{Tables: []table{{Key: "rows", Rows: rows}}}
	var csv, text strings.Builder
	if err := errors.Join(r.Tables[0].WriteCSV(&csv), r.WriteText(&text, 250)); err != nil {
		t.Fatal(err)
	}
	object, err := json.MarshalIndent(r.Object(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	const says = "not measured: takes minutes with more than 2048 bodies"
	for what, n := range map[string]int{says: 2, `"ns_body": null`: 2, `"us_moved": null`: 3, `"us_moved": 0`: 0} {
		if found := strings.Count(string(object), what); found != n {
			t.Errorf("JSON has %s %d times, expected %d: %s", what, found, n, object)
		}
	}
	lines := strings.Split(csv.String(), "\n")
	if !strings.HasPrefix(lines[1], "2100,1,vl-paper,1,"+rows[0].Backend+",,,0,0,,,,,-,0,0,0,"+says) {
		t.Errorf("CSV has the line %q, expected empty cells", lines[1])
	}
	if table := text.String(); strings.Count(table, says) != 2 || strings.Contains(table, "NaN") {
		t.Errorf("the table for people is %s", table)
	}
}

// TestComparePeers: the pairs of a peer are compared one by one; for a peer that reads balls, with
// the pairs of balls.
func TestComparePeers(t *testing.T) {
	o := BroadOptions{Seed: 1, Repeat: 1}
	s := o.peerScenes(200, 5)
	for _, balls := range []bool{false, true} {
		truth, err := truePairs(s.Boxes[0], balls)
		if err != nil || len(truth) < 100 {
			t.Fatalf("%d pairs, %v, expected 100 at least", len(truth), err)
		}
		row, r := BroadRow{}, &peers.BoxesResult{Balls: balls, First: append(truth[3:len(truth):len(truth)], 1<<62, 1<<63), Last: []peers.PosedPair{}}
		if err := row.compare(s, r); err != nil || row.Missing < 3+50 || row.Extra != 2 || row.ExtraMoved != 0 {
			t.Errorf("balls %t: %+v, %v, expected 3 and all after motion missing, 2 extra", balls, row, err)
		}
	}
}

// TestBroadHidesPeers: the table has the columns of peers only if there are peers.
func TestBroadHidesPeers(t *testing.T) {
	for _, note := range []string{"-", "Bullet"} {
		r := Report{Tables: []table{{Rows: []BroadRow{{Bodies: 5, Method: "cells", Checksum: "1", Note: "-"}, {Bodies: 6, Method: "cells", Checksum: "1", Note: note}}}}}
		var text strings.Builder
		if err := r.WriteText(&text, 200); err != nil {
			t.Fatal(err)
		}
		if shown := strings.Contains(text.String(), "note"); shown != (note != "-") || strings.Contains(text.String(), "missing") || !strings.Contains(text.String(), "ns_update") {
			t.Errorf("note %s: %s", note, text.String())
		}
	}
}
