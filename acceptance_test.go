package scree_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/scree-dem/scree/scene"
)

// TestHourglass runs the hourglass example with a tenth of its rocks, and TestSoakHourglass the whole.
func TestHourglass(t *testing.T) {
	if os.Getenv("SCREE_REQUIRE") != "all" || testing.Short() {
		t.Skip("runs a second of an hourglass, with SCREE_REQUIRE=all and without -short only")
	}
	hourglass(t, 40)
}

func TestSoakHourglass(t *testing.T) {
	if !*soakPhysics {
		t.Skip("only with -soak.physics")
	}
	hourglass(t, 400)
}

// hourglass runs examples/hourglass.toml with another number of rocks, and checks its results. The
// rocks fall through the neck and stay in the glass. Resting rocks overlap by less than a hundredth
// of their size. The energy account closes.
func hourglass(t *testing.T, bodies int) {
	t.Helper()
	const (
		rock  = 0.04 // m, largest extent of a rock in the scene
		count = "count = 400\n"
	)
	text := read(t, "examples/hourglass.toml")
	if strings.Count(text, count) != 1 {
		t.Fatalf("examples/hourglass.toml has %q %d times, expected once", count, strings.Count(text, count))
	}
	text = strings.Replace(text, count, fmt.Sprintf("count = %d\n", bodies), 1)
	s, err := scene.Decode(strings.NewReader(text), "hourglass.toml", "examples")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := scene.Run(context.Background(), s, scene.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Bodies != bodies || sum.Steps != s.Steps || sum.Interrupted || sum.Error != "" {
		t.Errorf("%d bodies, %d of %d steps, error %q", sum.Bodies, sum.Steps, s.Steps, sum.Error)
	}
	if n, ok := sum.Counts["below_neck"]; !ok || 20*n < 19*bodies {
		t.Errorf("%d of %d bodies are below the neck, expected 95 %%", n, bodies)
	}
	if n := sum.Counts["inside"]; n != bodies {
		t.Errorf("%d bodies are inside the glass, expected all %d", n, bodies)
	}
	if !(sum.WorstPenetration > 0 && sum.WorstPenetration < 0.1*rock) {
		t.Errorf("worst penetration %g m, expected below %g m", sum.WorstPenetration, 0.1*rock)
	}
	if !(sum.LastPenetration > 0 && sum.LastPenetration < 0.01*rock) {
		t.Errorf("penetration %g m at the end, expected below %g m", sum.LastPenetration, 0.01*rock)
	}
	// The law has a potential, so the remaining error is that of the time step: 1e-4 of the energy
	// of an impact.
	if e := sum.Energies; !(math.Abs(e.LeftOver) < min(2e-4*e.InitialPotential, e.LeftOverNormal)) || e.LawExcess != 0 {
		t.Errorf("of %g J %g J are left over and %g J are the law's excess, expected below 2e-4 of them and none", e.InitialPotential, e.LeftOver, e.LawExcess)
	}
}
