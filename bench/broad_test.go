package bench

import (
	"context"
	"errors"
	"testing"
)

// The study finds the same pairs with all methods, on any number of workers.
func TestBroad(t *testing.T) {
	o := BroadOptions{Bodies: []int{300}, Ratios: []float64{1, 20}, Methods: BroadMethods(), Workers: 1, Seed: 1, Repeat: 1}
	rows, err := Broad(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Workers = 2
	more, err := Broad(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2*len(BroadMethods()) || rows[0].Checksum == rows[len(rows)-1].Checksum {
		t.Fatalf("%d rows, expected %d; the first %+v, the last %+v", len(rows), 2*len(BroadMethods()), rows[0], rows[len(rows)-1])
	}
	for i, row := range rows {
		if row.Checksum != more[i].Checksum {
			t.Errorf("%s, ratio %g: checksum %s on one worker, %s on two", row.Method, row.Ratio, row.Checksum, more[i].Checksum)
		}
		if !(row.Scratch > 0) || !(row.Update > 0) || !(row.Pairs > 1) || !(row.Bytes > 8) {
			t.Errorf("%+v, expected times, pairs and bytes", row)
		}
	}
	o.Methods = []string{"tree"}
	if _, err := Broad(context.Background(), o); !errors.Is(err, ErrOption) {
		t.Errorf("method tree: %v, expected ErrOption", err)
	}
}
