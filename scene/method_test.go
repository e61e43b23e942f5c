package scene

import (
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine/narrow"
)

// TestContactMethod: a scene runs with the method it names. GJK and EPA without certificates yield
// the bits of the default. A checkpoint of one method is rejected by another.
func TestContactMethod(t *testing.T) {
	hashes, digests := map[narrow.Method]string{}, map[narrow.Method]string{}
	for _, m := range narrow.Methods() {
		s := load(t, strings.Replace(small, `"auto"`, `"`+m.String()+`"`, 1))
		if s.method != m {
			t.Fatalf("%v is read as %v", m, s.method)
		}
		all, err := s.generate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		hashes[m] = run(t, s, Options{Dir: t.TempDir(), Steps: 100}).StateHash
		digests[m], _ = s.digest(all, nil)
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
