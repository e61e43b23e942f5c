package broad

import "testing"

// Bodies far away must not change the grid of the others. The grid must not become hashed, and must
// not grow except for a cell or two at its border. The list must equal brute force.
func TestFarBodiesKeepTheGrid(t *testing.T) {
	const n = FewRows + 100
	w := newWorld(Config{Skin: 0.01})
	h := w.ball(0.4)
	for range n {
		w.one(within(random(1), 1), rotation(random(1)), h)
	}
	w.scatter(3, packedSide(n, 0.5, 0.64))
	w.rebuild(nil)
	near := w.cells.Stats()
	for _, far := range []float64{1e3, 1e6, 1e9} {
		for i, k := range []int{7, 2000, n - 1} {
			p := w.bodies.Pos.At(k)
			p.X, p.Z = far, -far*float64(i)
			w.bodies.Pos.Set(k, p)
		}
		w.rebuild(nil)
		s := w.cells.Stats()
		if s.Hashed != 0 || 2*s.Cells > 3*near.Cells || 3*s.Cells < 2*near.Cells {
			t.Errorf("%d cells, %d spaces hashed, with bodies at %g m; %d and %d without", s.Cells, s.Hashed, far, near.Cells, near.Hashed)
		}
	}
	w.other(t)
}
