package bench

import (
	"context"
	"runtime"
	"testing"

	"github.com/scree-dem/scree/engine"
)

// TestBroadScene: every scene ends in the same state with any search, on any number of workers, and
// has rebuilds.
func TestBroadScene(t *testing.T) {
	o := BroadSceneOptions{Bodies: []int{60}, Methods: []string{"cells", "multilevel", "brute"}, Facets: 40, Workers: 1, Seed: 1, Repeat: 1}
	rows, _, err := measure(context.Background(), &o, Env{})
	if err != nil {
		t.Fatal(err)
	}
	o.Workers = 2
	more, _, err := measure(context.Background(), &o, Env{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3*len(worldSceneNames()) {
		t.Fatalf("%d rows, expected %d", len(rows), 3*len(worldSceneNames()))
	}
	for i, r := range rows {
		if r.Checksum != more[i].Checksum {
			t.Errorf("%s by %s: state %s on one worker, %s on two", r.Scene, r.Method, r.Checksum, more[i].Checksum)
		}
		walled := r.Scene == "wall" || r.Scene == "moving-wall"
		if !(r.Rebuild > 0) || !(r.Update > 0) || !(r.Pairs > 0.5) || walled != (r.Facets == 50) || (i < 3) != (r.Over == 0) {
			t.Errorf("%+v, expected times, pairs, and 50 facets of a wall", r)
		}
	}
}

// TestOverEqual: a scene is compared with the scene equal whichever is measured first.
func TestOverEqual(t *testing.T) {
	o := BroadSceneOptions{Scenes: []string{"flyer", "equal", "mixed"}, Bodies: []int{40}, Methods: []string{"cells"}, Workers: 1, Seed: 1, Repeat: 1}
	rows, _, err := measure(context.Background(), &o, Env{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if want := r.Rebuild / rows[1].Rebuild; r.Scene != "equal" && r.Over != want {
			t.Errorf("%s: over_equal %g, expected %g", r.Scene, r.Over, want)
		}
	}
}

// TestClock: the time of rebuilds is measured with the engine's clock.
func TestClock(t *testing.T) {
	runtime.LockOSThread() // the clock is that of a thread
	defer runtime.UnlockOSThread()
	o := BroadSceneOptions{Workers: 1, Seed: 1}
	w, err := worldScenes[0].world(&o, 20, "")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := makeSteps(context.Background(), w, 5, sceneDt); err != nil {
		t.Fatal(err)
	}
	p := w.Profile()
	if n := w.AnsweredBy().Rebuilds; n != 6 || !(p.Rebuild > 0) || p.Rebuild > p.Seconds[engine.StagePairs] {
		t.Errorf("%d rebuilds, %g s of %g s, expected 6 and a part of the stage", n, p.Rebuild, p.Seconds[engine.StagePairs])
	}
}
