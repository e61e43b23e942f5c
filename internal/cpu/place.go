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

// Topology is the position of a logical processor in the machine. Core, L2, L3 and Package identify a
// shared unit by its lowest logical processor, or are unknown. A core may have several logical
// processors, and several cores may share a second-level cache.
type Topology struct {
	CPU     int // number of the logical processor in the system
	Core    int
	L2, L3  int
	Package int
}

// unknown marks a value that the system does not report.
const unknown = -1

// systemDir is the folder in which Linux describes the logical processors.
const systemDir = "/sys/devices/system/cpu"

// Places returns the places of the given logical processors, in the given order.
func Places(cpus []int) []Topology { return places(os.DirFS(systemDir), cpus) }

// places reads a folder laid out like systemDir. Values that are missing or invalid are unknown.
func places(system fs.FS, cpus []int) []Topology {
	all := make([]Topology, len(cpus))
	for i, n := range cpus {
		all[i] = poseRowOf(system, n)
	}
	return all
}

func poseRowOf(system fs.FS, n int) Topology {
	dir := fmt.Sprintf("cpu%d", n)
	// Since Linux 5.3 each list has two names.
	shared := func(names ...string) int {
		for _, name := range names {
			if n := lowest(readWord(system, dir+"/topology/"+name)); n != unknown {
				return n
			}
		}
		return unknown
	}
	p := Topology{
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

// lowest returns the first number of a list such as 0-3,8-11. Linux writes lists in increasing
// order.
func lowest(list string) int {
	first, _, _ := strings.Cut(list, ",")
	first, _, _ = strings.Cut(first, "-")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return unknown
	}
	return n
}

// Distance returns 0 if a and b share a core or a second-level cache, 1 if they share a third-level
// cache, 2 if they share a package, and 3 otherwise. Unknown units are not shared.
func Distance(a, b Topology) int {
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

// Choose returns the n places for workers. The result is sorted by package, third-level cache,
// second-level cache and core. Choose takes one place of each core before a second place of any
// core, and fills one cache before the next. all must have at least n places.
//
// Neighbouring workers own neighbouring parts of a loop. With this order they share as much cache
// as possible.
func Choose(all []Topology, n int) []Topology {
	type ranked struct {
		Topology
		thread int // index among the threads of its core
	}
	near := func(a, b Topology) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.L3, b.L3), cmp.Compare(a.L2, b.L2),
			cmp.Compare(a.Core, b.Core), cmp.Compare(a.CPU, b.CPU))
	}
	sorted := slices.SortedStableFunc(slices.Values(all), near)
	order := make([]ranked, len(sorted))
	for i, p := range sorted {
		order[i].Topology = p
		if i > 0 && same(p.Core, sorted[i-1].Core) {
			order[i].thread = order[i-1].thread + 1
		}
	}
	slices.SortStableFunc(order, func(a, b ranked) int { return cmp.Compare(a.thread, b.thread) })
	chosen := make([]Topology, n)
	for i := range chosen {
		chosen[i] = order[i].Topology
	}
	slices.SortStableFunc(chosen, near)
	return chosen
}
