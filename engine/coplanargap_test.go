package engine

import (
	"fmt"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// acrossGap returns a law that acts across up to 0.3. It lifts most blocks off the wall by less
// than that, and moves them sideways.
func acrossGap(r *geometry.Rand, pose *vec.Pose) force.Linear {
	reach := 0.3 * vec.Pow(10, -2*r.Float64())
	law := force.Linear{Kn: 1, Dn: 0.1, Interaction: reach, ReferenceGap: reach * r.Float64()}
	if r.Float64() < 0.3 {
		law.ReferenceGap = 0
	}
	if r.Float64() < 0.7 {
		pose.Pos.Z += reach * r.Float64()
		pose.Pos = pose.Pos.Add(r.Unit().Scale(reach * r.Float64()))
	}
	return law
}

// TestCoplanarFacetsAcrossGaps is TestCoplanarFacetsAtRandom for laws that act across gaps, with
// blocks that do not touch.
func TestCoplanarFacetsAcrossGaps(t *testing.T) {
	n := require.Rounds(8, 14, 40)
	seeds := []uint64{
		88,    // apart by more than the reference gap, over one open edge
		1161,  // along an open edge at whose end another leads to nearer points
		30253, // beside a corner
	}
	for seed := range uint64(n) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			sameCuts(t, seed, 10, acrossGap)
		})
	}
}
