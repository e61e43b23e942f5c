package scene

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSceneAsRun: the folder of a run has the scene as run, with values set, which makes the same bits. A scene of the user
// stays.
func TestSceneAsRun(t *testing.T) {
	dir, scenes := t.TempDir(), t.TempDir()
	file := filepath.Join(scenes, "s.toml")
	if err := os.WriteFile(file, []byte(strings.Replace(setScene, "[2, 2, 2]", "[2, 1, 1]", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	set := func(sets ...string) *Scene {
		s, err := Load(file, sets...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	done := func(state string, sets ...string) {
		t.Helper()
		got := ""
		sum, checkpoint, err := Done(file, dir, sets...)
		if sum != nil {
			got = sum.StateHash
		}
		if got != state || checkpoint != "" || err != nil {
			t.Errorf("%q: found %q, %q, %v, expected %q", sets, got, checkpoint, err, state)
		}
	}
	sets := []string{"law.friction=0.3", "gravity.vector=[0,0,-1.6]", "bodies.pile.velocity=[0,0,-1]"}
	done("", sets...)
	first := run(t, set(sets...), Options{Dir: dir})
	done(first.StateHash, sets...)
	done("", "law.friction=0.4")
	done("")
	path := filepath.Join(dir, sceneName)
	again, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if sum := run(t, again, Options{Dir: t.TempDir()}); sum.StateHash != first.StateHash {
		t.Errorf("%s makes state %s, expected %s", path, sum.StateHash, first.StateHash)
	}
	run(t, again, Options{Dir: dir}) // The scene that is read stays.
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	done(run(t, set(), Options{Dir: dir}).StateHash)
	done("", sets...)
	if err := os.WriteFile(path, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, set(), Options{Dir: dir})
	_, err = Run(t.Context(), set(sets...), Options{Dir: dir})
	if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), path+": is a scene that no run has written") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("%v, the user's scene is %q", err, text)
	}
	if _, _, err := Done(file, dir, "law.frction=1"); !errors.Is(err, ErrInput) {
		t.Errorf("error %v", err)
	}
}
