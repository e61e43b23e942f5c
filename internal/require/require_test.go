package require

import (
	"runtime"
	"testing"
)

// recorder replaces a test and records how it ended. Its methods that end a test end the goroutine,
// as those of testing.T do.
type recorder struct {
	testing.TB
	skipped, failed bool
}

func (r *recorder) Helper() {}

func (r *recorder) Skip(...any) {
	r.skipped = true
	runtime.Goexit()
}

func (r *recorder) Fatalf(string, ...any) {
	r.failed = true
	runtime.Goexit()
}

func TestTool(t *testing.T) {
	cases := []struct {
		name            string
		ok              bool
		env             string
		skipped, failed bool
	}{
		{"there", true, "", false, false},
		{"there and demanded", true, "all", false, false},
		{"missing", false, "", true, false},
		{"missing and demanded", false, "all", false, true},
		{"another value demands nothing", false, "some", true, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(allName, c.env)
			r := &recorder{TB: t}
			done := make(chan bool)
			went := false
			go func() {
				defer close(done)
				Tool(r, c.ok, "no such tool")
				went = true
			}()
			<-done
			if r.skipped != c.skipped || r.failed != c.failed || went != c.ok {
				t.Fatalf("skipped %v failed %v went on %v, want %v %v %v",
					r.skipped, r.failed, went, c.skipped, c.failed, c.ok)
			}
		})
	}
}

func TestRounds(t *testing.T) {
	t.Setenv(longName, "")
	want := 2
	if Quick() {
		want = 1
	}
	if n := Rounds(1, 2, 3); n != want {
		t.Errorf("%d rounds, expected %d", n, want)
	}
	if t.Setenv(longName, allValue); !Quick() {
		want = 3
	}
	if n := Rounds(1, 2, 3); n != want {
		t.Errorf("%d rounds in a soak, expected %d", n, want)
	}
}
