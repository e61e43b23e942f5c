package scene

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/narrow"
)

// TestContactMethod: a scene runs with the method it names. GJK and EPA without certificates yield
// the bits of the default. A checkpoint of one method is rejected by another.
func TestContactMethod(t *testing.T) {
	hashes, digests := map[narrow.Method]string{}, map[narrow.Method]string{}
	for _, m := range narrow.Methods() {
		text := strings.Replace(small, `"auto"`, `"`+m.String()+`"`, 1)
		if m == narrow.FDSPaper {
			text = strings.Replace(text, "[law]\n", "[law]\nnormal = \"linear\"\n", 1)
		}
		s := load(t, text)
		if s.method != m {
			t.Fatalf("%v is read as %v", m, s.method)
		}
		all, err := s.generate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		hashes[m] = run(t, s, Options{Dir: t.TempDir(), Steps: 100}).StateHash
		digests[m], _ = s.digest(all)
	}
	if hashes[narrow.GJKEPA] != hashes[narrow.Auto] || digests[narrow.GJKEPA] != digests[narrow.Auto] {
		t.Errorf("gjk-epa gives %s, auto %s", hashes[narrow.GJKEPA], hashes[narrow.Auto])
	}
	if digests[narrow.FCP] == digests[narrow.Auto] || digests[narrow.FCP] == digests[narrow.SLM] {
		t.Error("scenes of other methods have the same digest")
	}
	if s := load(t, strings.Replace(small, `method = "auto"`, "", 1)); s.method != narrow.Auto {
		t.Errorf("without a method: %v", s.method)
	}
}

// TestPublishedSearchRefuses: lists of contacts are in no checkpoint, so the method fds-paper writes
// none and restarts from none. It refuses laws that read overlaps.
func TestPublishedSearchRefuses(t *testing.T) {
	text := strings.Replace(strings.Replace(small, `"auto"`, `"fds-paper"`, 1), "[law]\n", "[law]\nnormal = \"linear\"\n", 1)
	for _, c := range []struct{ from, to, want string }{
		{"[output]\n", "[output]\ncheckpoint_every = 10\n", "output.checkpoint_every: found 10, expected 0 with contact.method = \"fds-paper\""},
		{"normal = \"linear\"\n", "", "contact.method: found \"fds-paper\", expected a law that reads gaps"},
		{"method = \"fds-paper\"\n", "method = \"fds-paper\"\ninteraction = 0.01\n", "contact.method: found \"fds-paper\", expected a law that reads gaps"},
	} {
		_, err := Load(write(t, strings.Replace(text, c.from, c.to, 1), nil))
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.to, err)
		}
	}
	dir := t.TempDir()
	_, err := Run(&countdown{t.Context(), 20}, load(t, text), Options{Dir: dir, Workers: 1})
	if saved, _ := filepath.Glob(filepath.Join(dir, "checkpoint-*")); !errors.Is(err, ErrInterrupted) || len(saved) > 0 {
		t.Errorf("interrupted: %v, %v", err, saved)
	}
	_, err = Run(t.Context(), load(t, text), Options{Dir: dir, Restart: filepath.Join(dir, "some.scree")})
	if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "\"fds-paper\", expected another method for a restart") {
		t.Errorf("restart: %v", err)
	}
}
