package cpu

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Place is where a logical processor sits. Core, L2, L3 and Package name what it shares with others by
// the lowest logical processor that shares it, or are unknown; a core may have several logical processors,
// and several cores may share a second-level cache.
type Place struct {
	CPU     int // number of the logical processor, as the system counts
	Core    int
	L2, L3  int
	Package int
}

// unknown says that the system does not tell.
const unknown = -1

// systemDir is where Linux describes the logical processors.
const systemDir = "/sys/devices/system/cpu"

// Places returns where the given logical processors of this machine sit, in the order given.
func Places(cpus []int) []Place { return places(os.DirFS(systemDir), cpus) }

// places reads a tree laid out like systemDir. What is missing or not understood is unknown.
func places(system fs.FS, cpus []int) []Place {
	all := make([]Place, len(cpus))
	for i, n := range cpus {
		all[i] = placeOf(system, n)
	}
	return all
}

func placeOf(system fs.FS, n int) Place {
	dir := fmt.Sprintf("cpu%d", n)
	// Each list has had a second name since Linux 5.3.
	shared := func(names ...string) int {
		for _, name := range names {
			if n := lowest(readWord(system, dir+"/topology/"+name)); n != unknown {
				return n
			}
		}
		return unknown
	}
	p := Place{
		CPU: n, L2: unknown, L3: unknown,
		Core:    shared("core_cpus_list", "thread_siblings_list"),
		Package: shared("package_cpus_list", "core_siblings_list"),
	}
	for cache, level := range dataCaches(system, dir+"/cache/") {
		sharers := lowest(readWord(system, cache+"/shared_cpu_list"))
		switch level {
		case "2":
			p.L2 = sharers
		case "3":
			p.L3 = sharers
		}
	}
	return p
}

// lowest returns the first number of a list such as 0-3,8-11, which Linux writes in rising order.
func lowest(list string) int {
	first, _, _ := strings.Cut(list, ",")
	first, _, _ = strings.Cut(first, "-")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return unknown
	}
	return n
}

// Distance says how far a and b are apart: 0 if they share a core or a second-level cache, 1 if a
// third-level cache, 2 if a package, else 3. What is unknown is not shared.
func Distance(a, b Place) int {
	switch {
	case same(a.Core, b.Core) || same(a.L2, b.L2):
		return 0
	case same(a.L3, b.L3):
		return 1
	case same(a.Package, b.Package):
		return 2
	}
	return 3
}

func same(a, b int) bool { return a == b && a != unknown }

// Choose returns the n places that workers are put on, neighbours side by side: by package, third-level
// cache, second-level cache, core. One place of each core is taken before a second one of any, and the
// caches in turn, one filled before the next. There must be n places at least.
//
// Neighbouring workers own neighbouring parts of a loop, and share as much cache as there is to share.
func Choose(all []Place, n int) []Place {
	type ranked struct {
		Place
		thread int // of its core: 0 is the first
	}
	near := func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.L3, b.L3), cmp.Compare(a.L2, b.L2),
			cmp.Compare(a.Core, b.Core), cmp.Compare(a.CPU, b.CPU))
	}
	sorted := slices.SortedStableFunc(slices.Values(all), near)
	order := make([]ranked, len(sorted))
	for i, p := range sorted {
		order[i].Place = p
		if i > 0 && same(p.Core, sorted[i-1].Core) {
			order[i].thread = order[i-1].thread + 1
		}
	}
	slices.SortStableFunc(order, func(a, b ranked) int { return cmp.Compare(a.thread, b.thread) })
	chosen := make([]Place, n)
	for i := range chosen {
		chosen[i] = order[i].Place
	}
	slices.SortStableFunc(chosen, near)
	return chosen
}
