package bench

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/internal/cachesim"
	"github.com/scree-dem/scree/internal/curve"
)

// smallCaches hold a few tiles of a pile of 200 hulls.
var smallCaches = CacheOptions{
	Settled: []string{"hulls200"}, L1: "8K:4", L2: "64K:8", L3: "512K:8", Group: 2, Dt: 1e-4, Bandwidth: 10,
	Orders: []string{curve.Hilbert, curve.Random}, Tiles: []int{0, 128}, Cores: []int{1, 5}, Copies: []int{1, 2}, Laws: []string{ThicknessLaw, PointsLaw, LinearLaw},
}

func hullPile(t *testing.T) Env {
	t.Helper()
	s, err := fileio.ReadSettled("testdata/hulls200.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	return files(s, nil)
}

// TestCache: one option varies in each row, misses fall from level to level, and the parts of the first row sum to it.
func TestCache(t *testing.T) {
	o := smallCaches
	rows, r, err := measure(context.Background(), &o, hullPile(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 7 || len(r.Figures) != 3 {
		t.Fatalf("%d rows and %d figures", len(rows), len(r.Figures))
	}
	for i, row := range rows {
		if row.Touching < 300 || !(row.L3 < row.L2 && float64(row.L2) < row.L1 && row.L1 < row.Accesses) || row.Bytes < 64 {
			t.Errorf("row %d: %+v", i, row)
		}
		if measured := row.Cores <= processors(); measured == row.NsTouching.missing() || measured == row.Bandwidth.missing() {
			t.Errorf("row %d of %d cores: measured %v", i, row.Cores, measured)
		}
	}
	if !(rows[1].L2 > rows[0].L2) || rows[1].Order != curve.Random {
		t.Errorf("in random order L2 misses %g times, along a curve %g times", rows[1].L2, rows[0].L2)
	}
	for _, parts := range [][]cachePart{o.first, o.columns} {
		sum := cachePart{}
		for _, p := range parts {
			sum.Accesses, sum.L1, sum.L2, sum.L3 = sum.Accesses+p.Accesses, sum.L1+p.L1, sum.L2+p.L2, sum.L3+p.L3
		}
		if row := rows[0]; len(parts) < 4 || !near(sum.Accesses, row.Accesses) || !near(sum.L1, row.L1) || !near(float64(sum.L2), float64(row.L2)) || !near(float64(sum.L3), float64(row.L3)) {
			t.Errorf("%d parts sum to %+v, expected %+v", len(parts), sum, row)
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-9*b && b-a < 1e-9*b }

// cacheWorld returns a world of 200 hulls after a few steps.
func cacheWorld(t *testing.T, workers int) *engine.World {
	t.Helper()
	env := hullPile(t)
	s, _ := env.Settled("")
	from, err := carrying(s)
	if err != nil {
		t.Fatal(err)
	}
	o := StepOptions{Dt: 1e-4, Workers: workers, Stiffness: from.stiffness, cap: from.cap}
	w, err := o.world(s, ThicknessLaw, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	if err := makeSteps(context.Background(), w, 5, o.Dt); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestCacheWalk: walking changes nothing; another number of cores does the same work; caches that hold everything miss
// nothing in the second step, and one that holds nothing misses every line.
func TestCacheWalk(t *testing.T) {
	w := cacheWorld(t, 1)
	hash := w.Hash()
	count := func(cores int) (n map[string]int) {
		n = map[string]int{}
		step := stepWalk{stages: w.Stages(), cores: cores}
		step.each(func(stage, core int, a access.Access) {
			if core >= cores {
				t.Fatalf("core %d of %d", core, cores)
			}
			n[step.stages[stage].Name+" "+step.walk.Names[a.Column]] += a.Bytes
		})
		return n
	}
	if one, many := count(1), count(7); !reflect.DeepEqual(one, many) || len(one) < 50 {
		t.Errorf("bytes by stage and column: %v on one core, %v on seven", one, many)
	}
	big := cachesim.Cache{Size: 64 << 20, Ways: 16}
	if m := simulate(w.Stages(), 1, cachesim.Hierarchy{L1: big, L2: big, L3: big, Group: 1}); m.bytes != 0 || m.sum(func(int, int) bool { return true }).missed != [3]int64{} {
		t.Errorf("caches of 64 MiB miss %v, %d bytes", m.sum(func(int, int) bool { return true }), m.bytes)
	}
	least := cachesim.Cache{Size: cachesim.Line, Ways: 1}
	m := simulate(w.Stages(), 1, cachesim.Hierarchy{L1: least, L2: least, L3: least, Group: 1})
	if all := m.sum(func(int, int) bool { return true }); all.missed[0] < all.accesses/2 || all.missed[2] != all.missed[0] {
		t.Errorf("caches of one line miss %v of %d accesses", all.missed, all.accesses)
	}
	if w.Hash() != hash {
		t.Error("the walk has changed the state")
	}
}

// TestCacheTrace: the file has the accesses of the walk. A disk that is full is an error that names the flag and the
// file, and the rows are complete.
func TestCacheTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accesses.csv")
	o := smallCaches
	o.Orders, o.Tiles, o.Cores, o.Copies, o.Laws, o.Trace = o.Orders[:1], o.Tiles[:1], []int{2}, o.Copies[:1], o.Laws[:1], path
	rows, _, err := measure(context.Background(), &o, hullPile(t))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	touched, cores := 0, map[string]bool{}
	for _, line := range lines[1:] {
		at, err := strconv.ParseUint(line[3], 0, 64)
		n, wrong := strconv.Atoi(line[4])
		if err != nil || wrong != nil || n < 1 || line[5] != "r" && line[5] != "w" {
			t.Fatal(line)
		}
		touched += int((at+uint64(n)+63)/64 - at/64)
		cores[line[0]] = true
	}
	if want := rows[0].Accesses * float64(rows[0].Touching); !near(float64(touched), want) || len(cores) != 2 {
		t.Errorf("%d lines touched by %d cores, expected %g by 2", touched, len(cores), want)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	o.Trace = "/dev/full"
	if rows, report, err := measure(context.Background(), &o, hullPile(t)); err == nil || !strings.Contains(err.Error(), "--trace: fileio: writing /dev/full") || len(rows) != 1 || !report.Complete {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// TestCacheOptions: caches that cannot be simulated, and a pile without contacts, are errors that name the flag or the
// pile.
func TestCacheOptions(t *testing.T) {
	for want, set := range map[string]func(o *CacheOptions){
		"--l1 is \"32\"":      func(o *CacheOptions) { o.L1 = "32" },
		"--l2 is \"-1K:8\"":   func(o *CacheOptions) { o.L2 = "-1K:8" },
		"--l3 is \"9999M:1\"": func(o *CacheOptions) { o.L3 = "9999M:1" },
		"an L1 of 1000 bytes": func(o *CacheOptions) { o.L1 = "1000:2" },
		"an L1 no larger":     func(o *CacheOptions) { o.L1 = "1M:8" },
		"--cores is 5000":     func(o *CacheOptions) { o.Cores = []int{5000} },
		"--copies is 0":       func(o *CacheOptions) { o.Copies = []int{0} },
	} {
		o := smallCaches
		set(&o)
		if _, _, err := measure(context.Background(), &o, hullPile(t)); !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	env := hullPile(t)
	s, _ := env.Settled("")
	alone := *s
	alone.Bodies, alone.Static = s.Bodies[:1], nil
	o := smallCaches
	if _, _, err := measure(context.Background(), &o, files(&alone, nil)); !errors.Is(err, ErrScene) || !strings.Contains(err.Error(), "hulls200: no two bodies touch") {
		t.Errorf("%v, expected an error about contacts", err)
	}
}
