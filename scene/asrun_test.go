package scene

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// setRun is a scene that runs ten steps, with a value set.
func setRun(t *testing.T, sets ...string) *Scene {
	t.Helper()
	text := strings.Replace(setScene, "[2, 2, 2]", "[2, 1, 1]", 1)
	s, err := Decode(strings.NewReader(text), "s.toml", t.TempDir(), sets...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSceneAsRun: the folder of a run with values set has the scene as set, which makes the same bits. A run without
// removes it, but no scene of the user.
func TestSceneAsRun(t *testing.T) {
	dir := t.TempDir()
	s := setRun(t, "law.friction=0.3", "gravity.vector=[0,0,-1.6]", "bodies.pile.velocity=[0,0,-1]")
	if sum, at := s.Done(dir); sum != nil || at != "" {
		t.Errorf("the folder is empty, and holds %v, %q", sum, at)
	}
	first := run(t, s, Options{Dir: dir})
	path := filepath.Join(dir, sceneName)
	again, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if sum := run(t, again, Options{Dir: t.TempDir()}); sum.StateHash != first.StateHash {
		t.Errorf("%s makes state %s, expected %s", path, sum.StateHash, first.StateHash)
	}
	sum, _ := s.Done(dir)
	if sum == nil || sum.StateHash != first.StateHash {
		t.Errorf("the run is complete, and found as %v", sum)
	}
	other := setRun(t, "law.friction=0.4")
	if sum, at := other.Done(dir); sum != nil || at != "" {
		t.Errorf("a run with other values is found as %v, %q", sum, at)
	}
	run(t, again, Options{Dir: dir}) // The scene that is read stays.
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	run(t, setRun(t), Options{Dir: dir})
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the scene of another run stays: %v", err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, setRun(t), Options{Dir: dir})
	_, err = Run(t.Context(), s, Options{Dir: dir})
	if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), path+": is a scene that no run has written") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("%v, the user's scene is %q", err, text)
	}
}
