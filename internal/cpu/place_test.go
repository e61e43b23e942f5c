package cpu

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"
)

// core is a core of an imaginary machine: its logical processors and the sharers of its caches.
type core struct {
	threads, l2, l3, socket string
}

// machine builds a folder tree like that of Linux. An empty string omits the file.
func machine(cores map[int]core) fstest.MapFS {
	tree := fstest.MapFS{}
	for n, c := range cores {
		put := func(name, text string) {
			if text != "" {
				tree[fmt.Sprintf("cpu%d/%s", n, name)] = &fstest.MapFile{Data: []byte(text + "\n")}
			}
		}
		put("topology/thread_siblings_list", c.threads)
		put("topology/package_cpus_list", c.socket)
		for i, l := range []struct{ level, kind, shared string }{
			{"1", "Data", c.threads}, {"1", "Instruction", c.threads},
			{"2", "Instruction", c.threads}, {"2", "Unified", c.l2}, {"3", "Unified", c.l3},
		} {
			if l.shared == "" {
				continue
			}
			put(fmt.Sprintf("cache/index%d/level", i), l.level)
			put(fmt.Sprintf("cache/index%d/type", i), l.kind)
			put(fmt.Sprintf("cache/index%d/shared_cpu_list", i), l.shared)
		}
	}
	return tree
}

// machines are layouts as Linux writes them for several kinds of processors.
func machines() map[string]fstest.MapFS {
	twoSockets := map[int]core{} // four cores per socket, two threads per core, in the usual numbering
	for n := range 16 {
		lo := n % 8
		all := "0-3,8-11"
		if lo >= 4 {
			all = "4-7,12-15"
		}
		pair := fmt.Sprintf("%d,%d", lo, lo+8)
		twoSockets[n] = core{pair, pair, all, all}
	}
	zen := map[int]core{} // one socket, two complexes of two cores; the threads of a core have adjacent numbers
	for n := range 8 {
		pair := fmt.Sprintf("%d-%d", n&^1, n|1)
		zen[n] = core{pair, pair, fmt.Sprintf("%d-%d", n&^3, n|3), "0-7"}
	}
	hybrid := map[int]core{} // two fast cores with two threads; four slow cores that share one L2
	for n := range 4 {
		pair := fmt.Sprintf("%d-%d", n&^1, n|1)
		hybrid[n] = core{pair, pair, "0-7", "0-7"}
	}
	for n := 4; n < 8; n++ {
		hybrid[n] = core{fmt.Sprint(n), "4-7", "0-7", "0-7"}
	}
	return map[string]fstest.MapFS{
		"two sockets": machine(twoSockets),
		"Zen":         machine(zen),
		"hybrid":      machine(hybrid),
		"one core":    machine(map[int]core{0: {"0", "0", "0", "0"}}),
		"nothing":     {},
		"nonsense":    machine(map[int]core{0: {"x", "-1", "99999999999", "?"}, 1: {"x", "-1", "99999999999", "?"}}),
	}
}

func upTo(n int) []int {
	cpus := make([]int, n)
	for i := range cpus {
		cpus[i] = i
	}
	return cpus
}

func TestPlaces(t *testing.T) {
	none := func(n int) Topology { return Topology{n, unknown, unknown, unknown, unknown} }
	tests := []struct {
		machine string
		cpus    []int
		want    []Topology
	}{
		{"two sockets", []int{0, 5, 15}, []Topology{{0, 0, 0, 0, 0}, {5, 5, 5, 4, 4}, {15, 7, 7, 4, 4}}},
		{"Zen", []int{3, 4}, []Topology{{3, 2, 2, 0, 0}, {4, 4, 4, 4, 0}}},
		{"hybrid", []int{1, 6}, []Topology{{1, 0, 0, 0, 0}, {6, 6, 4, 0, 0}}},
		{"one core", []int{0}, []Topology{{0, 0, 0, 0, 0}}},
		{"nothing", []int{0, 7}, []Topology{none(0), none(7)}},
		{"nonsense", []int{0, 1}, []Topology{none(0), none(1)}},
	}
	for _, test := range tests {
		if got := places(machines()[test.machine], test.cpus); !slices.Equal(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.machine, got, test.want)
		}
	}
}

// TestPlacesByOtherNames reads the names that the lists have on other kernels.
func TestPlacesByOtherNames(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s + "\n")} }
	for _, names := range [][2]string{
		{"core_cpus_list", "package_cpus_list"}, {"thread_siblings_list", "core_siblings_list"},
	} {
		tree := fstest.MapFS{"cpu5/topology/" + names[0]: file("4-5"), "cpu5/topology/" + names[1]: file("2,4-5")}
		if got, want := places(tree, []int{5}), (Topology{5, 4, unknown, unknown, 2}); got[0] != want {
			t.Errorf("%v: %+v, want %+v", names, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		machine    string
		a, b, want int
	}{
		{"two sockets", 1, 9, 0}, {"two sockets", 1, 3, 1}, {"two sockets", 1, 11, 1}, {"two sockets", 1, 4, 3},
		{"Zen", 0, 1, 0}, {"Zen", 0, 2, 1}, {"Zen", 1, 4, 2},
		{"hybrid", 0, 1, 0}, {"hybrid", 1, 2, 1}, {"hybrid", 4, 7, 0}, {"hybrid", 3, 4, 1},
		{"nothing", 0, 1, 3}, {"nonsense", 0, 1, 3},
	}
	for _, test := range tests {
		p := places(machines()[test.machine], []int{test.a, test.b})
		if got := Distance(p[0], p[1]); got != test.want || Distance(p[1], p[0]) != got {
			t.Errorf("%s, %d and %d: %d and %d, want %d", test.machine, test.a, test.b, got, Distance(p[1], p[0]), test.want)
		}
	}
}

func TestChoose(t *testing.T) {
	tests := []struct {
		machine string
		cpus    []int
		n       int
		want    string
	}{
		{"two sockets", upTo(16), 1, "[0]"},
		{"two sockets", upTo(16), 4, "[0 1 2 3]"},
		{"two sockets", upTo(16), 8, "[0 1 2 3 4 5 6 7]"},
		// The second threads come last, each beside the first thread of its core.
		{"two sockets", upTo(16), 10, "[0 8 1 9 2 3 4 5 6 7]"},
		{"two sockets", upTo(16), 16, "[0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15]"},
		{"two sockets", []int{3, 11, 12, 13}, 2, "[3 12]"},
		{"two sockets", []int{3, 11, 12, 13}, 3, "[3 12 13]"},
		{"two sockets", []int{3, 11, 12, 13}, 4, "[3 11 12 13]"},
		{"Zen", upTo(8), 2, "[0 2]"},
		{"Zen", upTo(8), 4, "[0 2 4 6]"},
		{"Zen", upTo(8), 5, "[0 1 2 4 6]"},
		{"hybrid", upTo(8), 3, "[0 2 4]"},
		{"hybrid", upTo(8), 6, "[0 2 4 5 6 7]"},
		{"hybrid", upTo(8), 7, "[0 1 2 4 5 6 7]"},
		{"one core", upTo(1), 1, "[0]"},
		{"nothing", []int{2, 5, 7}, 2, "[2 5]"},
		{"nonsense", upTo(2), 2, "[0 1]"},
	}
	for _, test := range tests {
		all := places(machines()[test.machine], test.cpus)
		before := slices.Clone(all)
		var got []int
		for _, p := range Choose(all, test.n) {
			got = append(got, p.CPU)
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("%s: %d of %v: %v, want %s", test.machine, test.n, test.cpus, got, test.want)
		}
		if !slices.Equal(all, before) {
			t.Errorf("%s: the places of the caller were reordered", test.machine)
		}
	}
}

func TestLowest(t *testing.T) {
	for list, want := range map[string]int{
		"0": 0, "3": 3, "0-3": 0, "7,15": 7, "4-7,12-15": 4, "": unknown, "x": unknown, "-1": unknown,
		",": unknown, "99999999999": unknown,
	} {
		if got := lowest(list); got != want {
			t.Errorf("lowest(%q) = %d, want %d", list, got, want)
		}
	}
}

func TestPlacesOfThisMachine(t *testing.T) {
	cpus, err := Allowed()
	if err != nil {
		t.Skip(err)
	}
	if len(cpus) == 0 || !slices.IsSorted(cpus) {
		t.Fatalf("allowed: %v", cpus)
	}
	for i, p := range Places(cpus) {
		if p.CPU != cpus[i] || p.Core > p.CPU || p.L2 > p.CPU || p.L3 > p.CPU || p.Package > p.CPU {
			t.Errorf("place %+v of processor %d", p, cpus[i])
		}
	}
	cpus[0] = -7
	if again, _ := Allowed(); again[0] == -7 {
		t.Error("a caller can change what is allowed")
	}
}
