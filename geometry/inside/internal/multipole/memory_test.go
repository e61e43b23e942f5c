package multipole

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/sched"
)

// slivers is a ring of triangles a hundred times as long as wide, and a ball of small triangles.
func slivers() *tri.Surface {
	s, ball := surfaceOf(must(surfaces.Parse("torus:1,0.25,3,600"))), surfaceOf(must(surfaces.Parse("sphere:0.1,4")))
	n := uint32(len(s.Verts))
	for _, k := range ball.Tris {
		s.Tris = append(s.Tris, [3]uint32{k[0] + n, k[1] + n, k[2] + n})
	}
	s.Verts = append(s.Verts[:n:n], ball.Verts...)
	return s
}

// planted returns the trees of a surface before anything is converted.
func planted(s *tri.Surface, degree, depth int) *Method {
	m := plant(s, defaultLeaf, &Options{}, one)
	m.Degree, m.Depth = degree, depth
	return m
}

// TestRoom checks that a depth whose lists do not fit is rejected before the lists are made, and
// that the depth named by the error is accepted.
func TestRoom(t *testing.T) {
	pool := sched.New(2)
	defer pool.Close()
	s := slivers()
	o := Options{Depth: 7, Degree: 4, Memory: 32 << 20}
	_, err := New(s, o, pool)
	if !errors.Is(err, geometry.ErrTooLarge) || !strings.Contains(err.Error(), "depth is 7: its level 6 needs about ") || !strings.Contains(err.Error(), "expected depth 5 or less") {
		t.Fatalf("error %v", err)
	}
	o.Depth = 5
	m := must(New(s, o, pool))
	if kept := m.Bytes() - m.tree.Bytes() - 96*len(m.moments); m.Depth != 5 || kept > o.Memory {
		t.Errorf("depth %d keeps %d bytes of %d", m.Depth, kept, o.Memory)
	}
	points := scattered(5, 500, s.Box().Enlarged(0.1))
	_, want := answers(must(New(s, Options{Depth: 5, Degree: 4}, one)), points)
	_, got := answers(m, points)
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("point %d: %v counted, %v not", i, got[i], want[i])
		}
	}
	if _, err := New(s, Options{Degree: 4, Points: 1 << 40, Memory: 1000}, one); !errors.Is(err, geometry.ErrTooLarge) || !strings.Contains(err.Error(), "depth is chosen: its level 1") {
		t.Errorf("error %v", err)
	}
}

// TestRoomIsOfAllLevels checks that memory used by one level is not available to the next.
func TestRoomIsOfAllLevels(t *testing.T) {
	m := planted(slivers(), 1, 4)
	m.gather(one)
	far, norms := m.measure(one)
	w := m.newSpreader(newCuts(1, leastOffset), far, norms)
	top := new(children)
	w.top(top)
	f := m.settle([]*children{top}, 0)
	count, _ := tallyOf([]*spreader{w}, f, 1, one, func(*tally) bool { return false })
	lists := count.lists(m.Degree)
	r := &memoryLimit{degree: m.Degree, left: 2*lists + count.working(1) - 1, given: 4}
	for k, fits := range []bool{true, false} {
		if got, err := r.reserve([]*spreader{w}, f, 1, one); got != fits || errors.Is(err, geometry.ErrTooLarge) == fits {
			t.Errorf("level %d: %v, error %v", k+1, got, err)
		}
	}
}

// TestChosenIgnoresMemory checks that the limit of a chosen depth shrinks by the same number of bytes
// whether or not memory is short.
func TestChosenIgnoresMemory(t *testing.T) {
	m := planted(slivers(), 1, 4)
	m.gather(one)
	far, norms := m.measure(one)
	w := []*spreader{m.newSpreader(newCuts(1, leastOffset), far, norms)}
	top := new(children)
	w[0].top(top)
	f := m.settle([]*children{top}, 0)
	count, _ := tallyOf(w, f, 1, one, func(*tally) bool { return false })
	const chosen = 1 << 20
	for _, left := range []int{math.MaxInt, count.lists(m.Degree) + count.working(1)} {
		r := &memoryLimit{degree: m.Degree, left: left, chosen: chosen}
		most := w[0].atMost(f, 1)
		if fits, err := r.reserve(w, f, 1, one); !fits || err != nil || r.chosen != chosen-most.lists(m.Degree) {
			t.Errorf("%d bytes left: %d of %d remain, fits %v, error %v", left, r.chosen, chosen, fits, err)
		}
	}
}

// TestTally compares the count with the lists that are then made: it must be exact, and never
// exceed atMost.
func TestTally(t *testing.T) {
	for name, s := range map[string]*tri.Surface{"slivers": slivers(), "rock": rough(3)} {
		m := planted(s, 1, 4)
		m.gather(one)
		r, norms := m.measure(one)
		w := m.newSpreader(newCuts(1, leastOffset), r, norms)
		top := new(children)
		w.top(top)
		f := m.settle([]*children{top}, 0)
		for level := 1; len(f.at) > 0; level++ {
			most := w.atMost(f, level)
			count, share := tallyOf([]*spreader{w}, f, level, one, func(*tally) bool { return false })
			made := tally{}
			var chunks []*children
			for lo := 0; lo < len(f.at); lo += chunkParents {
				c := new(children)
				hi := min(lo+chunkParents, len(f.at))
				w.makeChildren(f, lo, hi, c)
				made.add(tally{8 * (hi - lo), len(c.near), len(c.near), len(w.pairs)})
				chunks = append(chunks, c)
			}
			if count != made || share != 1 || most.cells != made.cells || most.near < made.near || most.chunkPairs < made.chunkPairs {
				t.Errorf("%s, level %d: counted %+v, at most %+v, made %+v, share %v", name, level, count, most, made, share)
			}
			f = m.settle(chunks, level)
		}
	}
}

// TestChosenRoom checks that a chosen depth ends at the first level whose lists are too long,
// whatever the memory. The result is then computed from the preceding level.
func TestChosenRoom(t *testing.T) {
	s := slivers()
	depthOf := func(left int) (*Method, error) {
		m := planted(s, 6, 6)
		m.gather(one)
		_, err := m.spreadOut(one, &memoryLimit{degree: 6, left: left, chosen: 4 << 20}, false)
		return m, err
	}
	m, err := depthOf(math.MaxInt)
	if err != nil || m.Depth < 2 || m.Depth > 5 {
		t.Fatalf("depth %d, %v", m.Depth, err)
	}
	t.Logf("depth %d, %d cells, %d summed, %d conversions, bound %g, lists %d", m.Depth, m.Cells, m.Summed, m.conversions, m.Bound, m.nears)
	points := scattered(7, 2000, s.Box().Enlarged(0.1))
	_, values := answers(m, points)
	for i, v := range values {
		if want := math.Round(plain(s, points[i])); math.Abs(v-want) > m.Bound+0x1p-36 {
			t.Fatalf("point %v: %v, want %v, bound %g", points[i], v, want, m.Bound)
		}
	}
	if again, err := depthOf(m.Bytes()); err == nil && again.Depth != m.Depth {
		t.Errorf("depth %d where memory is short, %d where it is not", again.Depth, m.Depth)
	}
}
