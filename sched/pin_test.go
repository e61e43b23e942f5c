package sched

import (
	"errors"
	"fmt"
	"testing"

	"github.com/scree-dem/scree/internal/cpu"
)

func TestStealOrder(t *testing.T) {
	if got := fmt.Sprint(stealOrder(0, 1, nil), stealOrder(0, 2, nil), stealOrder(1, 2, nil), stealOrder(2, 6, nil)); got !=
		"[] [1] [0] [3 1 4 0 5]" {
		t.Errorf("orders %s", got)
	}
	scattered := make([]cpu.Topology, 40)
	for i := range scattered {
		scattered[i] = cpu.Topology{CPU: i, Core: i % 17, L2: i % 7, L3: i % 3, Package: i % 2}
	}
	for n := 1; n < 40; n++ {
		for _, places := range [][]cpu.Topology{nil, scattered[:n]} {
			for i := range n {
				seen := make([]bool, n)
				seen[i] = true
				for _, v := range stealOrder(i, n, places) {
					if seen[v] {
						t.Fatalf("worker %d of %d meets %d twice or itself", i, n, v)
					}
					seen[v] = true
				}
				for v, s := range seen {
					if !s {
						t.Fatalf("worker %d of %d never tries %d", i, n, v)
					}
				}
			}
		}
	}
}

func TestStealOrderBySharedCaches(t *testing.T) {
	// sockets: two packages of two third-level caches of two cores of two threads each, placed one
	// after the other. hybrid: two cores of two threads, then four cores that share a second-level
	// cache.
	var sockets, hybrid, unknown []cpu.Topology
	for i := range 16 {
		sockets = append(sockets, cpu.Topology{CPU: i, Core: i &^ 1, L2: i &^ 1, L3: i &^ 3, Package: i &^ 7})
		unknown = append(unknown, cpu.Topology{CPU: i, Core: -1, L2: -1, L3: -1, Package: -1})
	}
	for i := range 8 {
		p := cpu.Topology{CPU: i, Core: i &^ 1, L2: i &^ 1, L3: 0, Package: 0}
		if i >= 4 {
			p.Core, p.L2 = i, 4
		}
		hybrid = append(hybrid, p)
	}
	tests := []struct {
		name   string
		i      int
		places []cpu.Topology
		want   string
	}{
		{"first of a complex", 0, sockets, "[1 2 3 4 5 6 7 15 14 13 12 11 10 9 8]"},
		{"last of a package", 7, sockets, "[6 5 4 3 2 1 0 8 9 10 11 12 13 14 15]"},
		{"middle", 10, sockets, "[11 9 8 12 13 14 15 7 6 5 0 4 1 3 2]"},
		{"fast core", 1, hybrid, "[0 2 3 7 4 6 5]"},
		{"slow core", 5, hybrid, "[6 4 7 3 0 2 1]"},
		{"nothing known", 3, unknown, fmt.Sprint(stealOrder(3, 16, nil))},
		{"alone", 0, sockets[:1], "[]"},
	}
	for _, test := range tests {
		if got := fmt.Sprint(stealOrder(test.i, len(test.places), test.places)); got != test.want {
			t.Errorf("%s: worker %d tries %s, want %s", test.name, test.i, got, test.want)
		}
	}
}

func TestNewPinnedRefuses(t *testing.T) {
	p, err := NewPinned(1 << 20)
	if p != nil || !errors.Is(err, ErrPin) {
		t.Fatalf("a million workers: %v, %v", p, err)
	}
	if cpus, err := cpu.Allowed(); err != nil {
		if _, err := NewPinned(1); !errors.Is(err, ErrPin) || !errors.Is(err, cpu.ErrAffinity) {
			t.Errorf("where nothing can be pinned: %v", err)
		}
	} else if p, err := NewPinned(len(cpus) + 1); p != nil || !errors.Is(err, ErrPin) {
		t.Errorf("one worker too many: %v", err)
	}
}

func TestPoolOfNewIsNotPinned(t *testing.T) {
	p := New(2)
	defer p.Close()
	if p.CPUs() != nil {
		t.Errorf("processors %v", p.CPUs())
	}
	unpin, err := p.PinCaller()
	if err != nil {
		t.Fatal(err)
	}
	unpin()
}
