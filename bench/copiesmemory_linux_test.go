package bench

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/curve"
	"github.com/scree-dem/scree/vec"
)

var soakCopies = flag.Bool("soak.copies", false, "a million bodies, which takes a minute")

// mostHeld is the largest memory of a body of a heap, bytes: 3 GiB for a million.
const mostHeld = 3 << 30 / 1_000_000

// layAnew makes tiles overflow, so that all tiles are laid anew with the rows that remain: the skins of some fast bodies,
// from row first on, reach many more candidates. The bodies then have their velocities of before.
func layAnew(t *testing.T, w *engine.World, first int, dt float64) {
	t.Helper()
	rows := w.Pairs().Len()
	const fast = 100
	var vel, spin [fast]vec.Vec3
	b := w.Bodies()
	for i := range fast {
		vel[i], spin[i] = b.Vel.At(first+i), b.Spin.At(first+i)
		if err := w.SetVelocity(b.ID[first+i], vec.V(0, 0, 0.25/(32*dt)), spin[i]); err != nil {
			t.Fatal(err)
		}
	}
	stepOf(t, w, dt)
	for i := range fast {
		if err := w.SetVelocity(b.ID[first+i], vel[i], spin[i]); err != nil {
			t.Fatal(err)
		}
	}
	stepOf(t, w, dt)
	if w.Pairs().Len() == rows {
		t.Error("no tiles were laid anew")
	}
}

func stepOf(t *testing.T, w *engine.World, dt float64) {
	t.Helper()
	if err := w.Step(dt); err != nil {
		t.Fatal(err)
	}
}

// heldBy returns the memory of a body, bytes, by the tables of a world.
func heldBy(w *engine.World, bodies int) float64 {
	sum := uint64(0)
	for _, table := range w.Held() {
		sum += table.Bytes
	}
	return float64(sum) / float64(bodies)
}

// TestMemoryOfCopies makes a large world of copies. Its memory stays below mostHeld, also after tiles have been laid anew.
// With -soak.copies a million cubes are set up in 30 µs of processor time a body at most, and the process never takes more
// than 3 GiB.
func TestMemoryOfCopies(t *testing.T) {
	s, err := fileio.ReadSettled("testdata/cubes125.txt.gz") // scree bench settle --bodies 125
	if err != nil {
		t.Fatal(err)
	}
	n := 80
	if *soakCopies {
		n = 8000
	}
	from, err := carrying(s)
	if err != nil {
		t.Fatal(err)
	}
	const dt = 1e-4
	o := StepOptions{Workers: 1, Dt: dt, Stiffness: from.stiffness, cap: from.cap}
	began := processTime(t)
	w, err := o.world(ordered(copies(s, n), curve.Hilbert), ThicknessLaw, 1e-3*from.radius)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Measure()
	bodies := n * len(s.Bodies)
	spent := (processTime(t) - began) / float64(bodies) * 1e6
	check := func(when string) {
		held, most := heldBy(w, bodies), residentMost(t)
		t.Logf("%s: %.0f bytes a body, at most %.3f GiB resident, set up in %.1f µs a body", when, held, most/(1<<30), spent)
		if held > mostHeld || *soakCopies && most > 3<<30 {
			t.Errorf("%s: the world takes %.0f bytes a body, the process %.3g at most; expected %d, and 3 GiB", when, held, most, mostHeld)
		}
	}
	check("set up")
	if *soakCopies && spent > 30 {
		t.Errorf("set up in %.1f µs of processor time a body, expected 30", spent)
	}
	for k := range 3 {
		stepOf(t, w, dt)
		layAnew(t, w, 1000*k, dt)
	}
	check("laid anew")
}

// residentMost returns the largest memory of the process so far, bytes.
func residentMost(t *testing.T) float64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	kib := 0.0
	if _, none := fmt.Sscan(after, &kib); err != nil || none != nil {
		t.Fatal(err, none)
	}
	return 1024 * kib
}

// processTime returns the processor time of the process, s: that of the garbage collector, too.
func processTime(t *testing.T) float64 {
	t.Helper()
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &at); err != nil {
		t.Fatal(err)
	}
	return 1e-9 * float64(at.Nano())
}
