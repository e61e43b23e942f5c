package contact

import (
	"fmt"
	"testing"

	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestTilesThatNeedMoreRows lets all candidate pairs of a row of balls touch in one step, and part in
// another one. Tiles then need more rows of contacts than there are, and some must wait. Each contact must
// have one row, and rows that are given back must be used again.
func TestTilesThatNeedMoreRows(t *testing.T) {
	for _, workers := range []int{1, 3} {
		t.Run(fmt.Sprintf("%d workers", workers), func(t *testing.T) {
			laws, err := force.NewTable(2, force.Linear{Kn: 1})
			if err != nil {
				t.Fatal(err)
			}
			pool, err := sched.Open(workers, false)
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			const n = 2000
			h := &host{laws: laws, into: make([]force.Batch, workers), active: map[float64]bool{}}
			h.bodies.FirstPiece = []soa.Piece{0}
			h.Space = New(Config{Laws: laws, TilePairs: 128, Broad: broad.Config{Skin: 0.05}}, &h.bodies, pool, h)
			h.Register([]*[]float64{&h.number, &h.law}, nil)
			ball, err := geometry.BallTemplate(0.5)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				h.add(t, ball, vec.V(1.02*float64(i), 0, 0), 1)
			}
			if _, err := h.Prepare(); err != nil {
				t.Fatal(err)
			}
			h.Renew()
			h.Find()
			rows := h.Contacts.Len()
			for step := range 8 {
				spacing := []float64{0.999, 1.02}[step%2]
				for i := range n {
					kernels.Move(&h.bodies, soa.Body(i), vec.Pose{Pos: vec.V(spacing*float64(i), 0, 0), Rot: vec.Identity})
				}
				h.NoteLate(0, n, 0)
				h.Update()
				h.Find()
				want := 0
				if step%2 == 0 {
					want = n - 1
				}
				owners := make([]int, h.Contacts.Len())
				for _, row := range h.Pairs.Row {
					if row != soa.NoRow {
						owners[row]++
					}
				}
				active := 0
				for row := range h.ActiveRows {
					active++
					if owners[row] != 1 || h.number[row] == 0 {
						t.Fatalf("step %d: contact row %d has %d owners, number %g", step, row, owners[row], h.number[row])
					}
				}
				if active != want || len(h.active) != want || len(h.faults) > 0 {
					t.Fatalf("step %d: %d contacts, %d by the reader, expected %d; %v", step, active, len(h.active), want, h.faults)
				}
				if step == 0 && h.Contacts.Len() == rows {
					t.Error("no tile has waited for more rows")
				}
				if h.spare.reserved != 0 {
					t.Errorf("step %d: %d rows are still reserved", step, h.spare.reserved)
				}
			}
			if h.Contacts.Len() > 3*n {
				t.Errorf("%d contact rows for %d pairs", h.Contacts.Len(), n)
			}
		})
	}
}
