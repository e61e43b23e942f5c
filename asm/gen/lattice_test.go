package main

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

func checkLattice(t *testing.T, k *kernel, r *numbers, n int) {
	corner := func() uint64 {
		return uint64(r.IntN(3)) | uint64(r.IntN(3))<<21 | uint64(r.IntN(3))<<42
	}
	lower, upper := make([]uint64, n+8), make([]uint64, n+8)
	for i := range lower {
		lower[i], upper[i] = corner(), corner()|asm.LatticeGuards
	}
	var spans []asm.LatticeSpan
	var words []uint64
	all := 0
	for range r.IntN(6) {
		q := asm.LatticeSpan{Lower: corner(), Upper: corner() | asm.LatticeGuards, Lo: uint32(r.IntN(n + 1)), Of: r.Uint32()}
		q.Hi = q.Lo + uint32(r.IntN(n-int(q.Lo)+1))
		all += int(q.Hi - q.Lo)
		spans = append(spans, q)
		words = append(words, q.Lower, q.Upper, uint64(q.Hi)<<32|uint64(q.Lo), uint64(q.Of))
	}
	// The output holds all, or some.
	room := all + 8 - r.IntN(2)*r.IntN(all+8)
	span, _ := answers(room)
	box, _ := answers(room)
	got := k.call(t, 2, lower, upper, records{words, 4}, output{span}, output{box})
	wantSpan, wantBox := make([]uint32, room), make([]uint32, room)
	done, m := asm.LatticeSpans(lower, upper, spans, wantSpan, wantBox)
	if got[0] != uint64(done) || got[1] != uint64(m) || !slices.Equal(span[:m], wantSpan[:m]) || !slices.Equal(box[:m], wantBox[:m]) {
		t.Errorf("%d spans: got %d %d %v %v, want %d %d %v %v", len(spans), got[0], got[1], span, box, done, m, wantSpan[:m], wantBox[:m])
	}
}

func checkLatticeRows(t *testing.T, k *kernel, r *numbers, n int) {
	corner := func() uint64 {
		return uint64(r.IntN(3)) | uint64(r.IntN(3))<<21 | uint64(r.IntN(3))<<42
	}
	const cells = 4
	g := &asm.LatticeGrid{
		Lower: make([]uint64, n+8), Upper: make([]uint64, n+8), Row: make([]uint32, n+8),
		From: make([]uint32, n), To: make([]uint32, n), Start: make([]uint32, 9*cells+1),
	}
	for i := range g.Lower {
		g.Lower[i], g.Upper[i], g.Row[i] = corner(), corner()|asm.LatticeGuards, uint32(r.IntN(16)<<6|i)
	}
	for i := range n {
		g.From[i] = uint32(r.IntN(cells + 1))
		g.To[i] = g.From[i] + uint32(r.IntN(cells+1-int(g.From[i])))
		g.Start[1+r.IntN(9*cells)]++
	}
	for i := 1; i < len(g.Start); i++ {
		g.Start[i] += g.Start[i-1]
	}
	var lines [9]uint32
	words := make(array, 5)
	for i := range lines {
		lines[i] = uint32(i * cells)
		words[i/2] = math.Float64frombits(math.Float64bits(words[i/2]) | uint64(lines[i])<<(32*(i&1)))
	}
	first := r.IntN(n + 1)
	last := first + r.IntN(n-first+1)
	room := n*n + asm.LatticeListSlack
	const names = 1 << 10
	out, _ := answers(room)
	lists, _ := answers(3 * names)
	doubt, _ := answers(last - first)
	got := k.call(t, 3, g.Lower, g.Upper, g.Row, g.From, g.To, g.Start, words, first, last, 0, 7, output{out}, output{lists}, output{doubt})
	wantOut, wantLists, wantDoubt := make([]uint32, room), make([]asm.NameList, names), make([]uint32, last-first)
	done, next, doubts := asm.LatticeRows(g, &lines, first, last, 0, 7, wantOut, wantLists, wantDoubt)
	if got[0] != uint64(done) || got[1] != uint64(next) || got[2] != uint64(doubts) || !slices.Equal(out[:next], wantOut[:next]) ||
		!slices.Equal(doubt[:doubts], wantDoubt[:doubts]) {
		t.Errorf("%d to %d: got %v, %v, doubt %v, want %d, %v, doubt %v", first, last, got, out[:next], doubt,
			done, wantOut[:next], wantDoubt[:doubts])
	}
	for i := first; i < last; i++ {
		name := g.Row[i]
		if l := lists[3*name:]; (asm.NameList{Chunk: l[0], First: l[1], Count: l[2]}) != wantLists[name] {
			t.Errorf("%d to %d: list of %d: got %v, want %v", first, last, name, l[:3], wantLists[name])
		}
	}
}

func checkLatticeCorners(t *testing.T, k *kernel, r *numbers, n int) {
	boxes := make([]vec.Box, n)
	words := make([]uint64, 0, 6*n)
	v := func() vec.Vec3 {
		c := r.floats(3)
		if r.IntN(4) == 0 {
			c[r.IntN(3)] = []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64}[r.IntN(5)]
		}
		for _, x := range c {
			words = append(words, math.Float64bits(x))
		}
		return vec.V(c[0], c[1], c[2])
	}
	for i := range boxes {
		boxes[i] = vec.Box{Min: v(), Max: v()}
	}
	var f asm.LatticeFrame
	for axis := range 3 {
		f.From[axis], f.Step[axis] = r.NormFloat64(), 100*r.Float64()
		f.Last[axis] = float64(r.IntN(1 << asm.LatticeLane))
	}
	frame := slices.Concat(f.From[:], f.Step[:], f.Last[:])
	want := make([]uint64, 2*n)
	asm.LatticeCorners(boxes, &f, want)
	got := make([]uint64, 2*n)
	done := int(k.call(t, 1, records{words, 6}, array(frame), output{got})[0])
	if done != n-n%4 || !slices.Equal(got[:2*done], want[:2*done]) {
		t.Errorf("%v on %v: got %d, %x, want %x", boxes, f, done, got, want)
	}
}

func checkLatticePairs(t *testing.T, k *kernel, r *numbers, n int) {
	const boxes = 9
	corners := make([]uint64, 2*boxes)
	for i := range corners {
		for axis := range 3 {
			corners[i] |= uint64(2*r.IntN(3)+3*(i&1)) << (21 * axis)
		}
		if r.IntN(9) == 0 {
			corners[i] = 3 | 3<<21 | 3<<42
		}
		corners[i] |= uint64(i&1) * asm.LatticeGuards
	}
	a, b := make([]uint32, n), make([]uint32, n)
	for i := range a {
		a[i], b[i] = uint32(r.IntN(boxes)), uint32(r.IntN(boxes))
	}
	first := r.IntN(n + 1)
	at := r.IntN(first + 1)
	outA, _ := answers(n)
	outB, _ := answers(n)
	got := k.call(t, 2, corners, a, b, first, at, output{outA}, output{outB})
	wantA, wantB := make([]uint32, n), make([]uint32, n)
	done, _ := asm.LatticePairs(corners, a, b, first, at, wantA, wantB)
	// Only whole registers before the first pair in doubt.
	whole := first + (done-first)/k.lanes*k.lanes
	_, next := asm.LatticePairs(corners, a[:whole], b[:whole], first, at, wantA[:whole], wantB[:whole])
	if got[0] != uint64(whole) || got[1] != uint64(next) || !slices.Equal(outA[at:next], wantA[at:next]) || !slices.Equal(outB[at:next], wantB[at:next]) {
		t.Errorf("%x, %v, %v from %d: got %v, %v, %v, want %d, %d, %v, %v", corners, a, b, first, got, outA[at:], outB[at:],
			whole, next, wantA[at:next], wantB[at:next])
	}
}

func checkSortLists(t *testing.T, k *kernel, r *numbers, n int) {
	names, base := make([]uint32, 300), []uint32{0, 3, 200}
	for i := range names {
		names[i] = r.Uint32()>>r.IntN(2)<<10 | uint32(i)
	}
	lists := make([]asm.NameList, n+asm.ListSlack)
	words := make([]uint32, 0, 3*len(lists))
	for i := range lists {
		l := &lists[i]
		if i < n {
			*l = asm.NameList{Chunk: uint32(r.IntN(3)), First: uint32(r.IntN(80)), Count: uint32(r.IntN(17))}
			if r.IntN(40) == 0 {
				l.Count = 17
			}
		}
		words = append(words, l.Chunk, l.First, l.Count)
	}
	first := r.IntN(n + 1)
	last := first + r.IntN(n-first+1)
	at := r.IntN(3)
	room := at + 16 + r.IntN(9*n+1)
	outA, _ := answers(room)
	outB, _ := answers(room)
	got := k.call(t, 2, names, base, words, first, last, at, output{outA}, output{outB})
	wantA, wantB := make([]uint32, room), make([]uint32, room)
	done, next := asm.SortLists(names, base, lists, first, last, at, wantA, wantB)
	if got[0] != uint64(done) || got[1] != uint64(next) || !slices.Equal(outA[at:next], wantA[at:next]) || !slices.Equal(outB[at:next], wantB[at:next]) {
		t.Errorf("%v, %d to %d from %d of %d: got %v, %v, %v, want %d, %d, %v, %v", lists[first:last], first, last, at, room,
			got, outA[at:], outB[at:], done, next, wantA[at:next], wantB[at:next])
	}
}
