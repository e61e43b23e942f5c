package scene

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestMemory: ten million bodies are rejected before anything is built if they do not fit into
// memory. A warning appears if they would not fit as a heap.
func TestMemory(t *testing.T) {
	s := withBodies(t, "[[bodies]]\ngenerator = \"grid\"\nshapes = [\"ball\"]\nspacing = 1\ncount = [1000, 1000, 10]")
	m := s.Memory()
	if m.Bodies != 1e7*1240 || m.Heap <= 2*m.Bodies {
		t.Errorf("memory %+v", m)
	}
	for _, c := range []struct {
		machine uint64
		warned  bool
		refused bool
	}{
		{0, false, false}, {m.Shapes + m.Heap, false, false}, {m.Shapes + m.Heap - 1, true, false},
		{m.Shapes + m.Bodies, true, false}, {m.Shapes + m.Bodies - 1, false, true},
	} {
		m.Machine, m.Frame = c.machine, 0 // frames: TestFramesAreCounted
		warning, err := s.checkMemory(m)
		if (warning != "") != c.warned || (err != nil) != c.refused {
			t.Errorf("of %d bytes: warning %q, error %v", c.machine, warning, err)
		}
		if err != nil && (!errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "found 10000000 in all, which with their shapes take about 12.4 GB")) {
			t.Errorf("error %v", err)
		}
		if c.warned && !strings.Contains(warning, "bodies take about 12.4 GB of the") {
			t.Errorf("warning %q", warning)
		}
	}
}

// TestMemoryIsMeasured compares the estimate with the memory that building allocates: they must
// agree within a factor of three.
func TestMemoryIsMeasured(t *testing.T) {
	s := withBodies(t, "[[bodies]]\ngenerator = \"grid\"\nshapes = [\"ball\"]\nspacing = 1\ncount = [50, 50, 8]")
	var b *Built
	got := allocated(func() {
		var err error
		if b, err = s.Build(1); err != nil {
			t.Fatal(err)
		}
	})
	b.Close()
	// All bytes allocated on the way; half of them belong to columns that were replaced while
	// growing.
	if want := s.Memory().Bodies; got > 3*want || got < want/3 {
		t.Errorf("building took %d bytes, the estimate is %d", got, want)
	}
}

// TestFramesAreCounted: the memory of a frame is counted, and a frame that does not fit beside the
// bodies is rejected.
func TestFramesAreCounted(t *testing.T) {
	bodies := "[[bodies]]\ngenerator = \"grid\"\nshapes = [\"ball\"]\nspacing = 1\ncount = [60, 60, 60]"
	s := withBodies(t, bodies)
	s.output.every = 1
	m := s.Memory()
	if got := m.Frame / 216_000; got < 7000 || got > 9000 || !strings.Contains(m.String(), "a frame 1.68 GB while it is written") {
		t.Errorf("%d bytes a ball, %q, expected the 7.8 kB that were measured", got, m)
	}
	m.Machine = m.Shapes + m.Bodies + m.Frame
	if _, err := s.checkMemory(m); err != nil {
		t.Errorf("error %v where they fit", err)
	}
	m.Machine--
	if _, err := s.checkMemory(m); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "output.every: makes frames which take about 1.68 GB beside the 0.268 GB") {
		t.Errorf("error %v, expected that frames do not fit", err)
	}
	m.Machine = m.Shapes + m.Bodies - 1
	if _, err := s.checkMemory(m); err == nil || !strings.Contains(err.Error(), ": bodies: found 216000 in all") {
		t.Errorf("error %v where the bodies alone do not fit, expected that of the bodies", err)
	}
	if s.output.every = 0; s.Memory().Frame != 0 {
		t.Error("memory for frames that are not written")
	}
}

// manyShapes returns a scene with n shapes of a builtin, one of which is used.
func manyShapes(n int, builtin string) string {
	var b strings.Builder
	b.WriteString("[time]\ndt = 1e-4\nsteps = 2\n[materials.s]\ndensity = 2600\n[law]\nstiffness = 1e4\n[[bodies]]\nshape = \"c0\"\n")
	for i := range n {
		fmt.Fprintf(&b, "[shapes.c%d]\nbuiltin = %q\nmaterial = \"s\"\n", i, builtin)
	}
	return b.String()
}

// TestShapesTakeMemory: the estimate for shapes and facets matches the measured memory. Shapes that
// do not fit are rejected while they are read, before all of them are read.
func TestShapesTakeMemory(t *testing.T) {
	held := func() float64 {
		var m runtime.MemStats
		for range 3 { // memory of pools and finalizers of earlier tests is freed in the second or third collection
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	for _, c := range []struct {
		builtin string
		n       int
	}{{"box:1x1x1", 400}, {"ball:1", 2000}, {"rock:1,40,1", 80}} {
		text := manyShapes(c.n, c.builtin)
		before := held()
		s, err := decode(strings.NewReader(text), "s.toml", ".", 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Build(1)
		if err != nil {
			t.Fatal(err)
		}
		got, want := held()-before, float64(s.Memory().Shapes)
		if got > 1.4*want || got < 0.4*want {
			t.Errorf("%s: %d shapes take %.0f bytes, the estimate is %.0f", c.builtin, c.n, got, want)
		}
		b.Close()
		whole := s.Memory().Shapes
		if _, err := decode(strings.NewReader(text), "s.toml", ".", whole); err != nil {
			t.Errorf("%s: %v, expected that they just fit", c.builtin, err)
		}
		var read int
		_, err = decode(strings.NewReader(text), "s.toml", ".", whole/4)
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), fmt.Sprintf("s.toml:10: shapes: found %d shapes and facets, the first", c.n)) {
			t.Fatalf("%s: error %v, expected that they do not fit", c.builtin, err)
		}
		_, rest, _ := strings.Cut(err.Error(), "the first ")
		if n, _ := fmt.Sscan(rest, &read); n != 1 || read > c.n/4+2*runtime.GOMAXPROCS(0) {
			t.Errorf("%s: %d of %d were read", c.builtin, read, c.n)
		}
	}
}

// TestFacetsTakeMemory: the facets of a wall are counted with the shapes.
func TestFacetsTakeMemory(t *testing.T) {
	text := strings.Replace(manyShapes(1, "ball:1"), "[law]", "[law]\nnormal = \"linear\"", 1) + "[[walls]]\nmaterial = \"s\"\nfile = \"tetra.obj\"\n"
	path := write(t, text, map[string]string{"tetra.obj": tetraOBJ})
	file := func() *strings.Reader { return strings.NewReader(text) }
	s, err := decode(file(), path, filepath.Dir(path), 0)
	if err != nil {
		t.Fatal(err)
	}
	whole := s.Memory().Shapes
	if _, err := decode(file(), path, filepath.Dir(path), whole); err != nil {
		t.Error(err)
	}
	if _, err := decode(file(), path, filepath.Dir(path), whole-1); err == nil || !strings.Contains(err.Error(), "walls[0]: found 5 shapes and facets, the first 5 of which") {
		t.Errorf("error %v", err)
	}
}

// TestKeyOfPairs: if there are too many candidate pairs at the start, the error names the key that
// makes distant bodies neighbours.
func TestKeyOfPairs(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "bodies"}, {"[broad]\nskin = 1e49\n", "broad.skin"}, {"[contact]\ninteraction = 1e4\n", "contact.interaction"},
	} {
		s, err := decode(strings.NewReader(strings.Replace(manyShapes(1, "ball:1"), "[law]", "[law]\nnormal = \"linear\"", 1)+c.text), "s.toml", ".", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.keyOfPairs(); got != c.want {
			t.Errorf("%q: key %s, expected %s", c.text, got, c.want)
		}
	}
}
