package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/verify"
)

// TestVerify runs cases, shows them as text and as JSON, and writes the reports.
func TestVerify(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	r := call("verify", "V16c", "V9", "-o", dir, "--workers", "2")
	r.wants(t, 0, "verify.html")
	for _, want := range []string{"V16c       pass", "velocity upwards", "expected 1 m/s", "in a clone of the repository: go test ./narrow", "1 pass, 0 fail, 1 shown by Go tests\n20", ", 2 workers: V16c V9\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("standard output lacks %q:\n%s", want, r.out)
		}
	}
	if page := read(t, dir, "verify.html"); !strings.Contains(page, "<svg") || strings.Contains(page, "src=") {
		t.Error("verify.html has no plot, or reads other files")
	}
	read(t, dir, "verify.csv")
	read(t, dir, "V16c", "run-1", "history.csv")
	list := decode[[]struct {
		Case, Class, Verdict string
		Checks               []verify.Comparison
	}](t, call("verify", "V1", "--json").out)
	if len(list) != 1 || list[0].Case != "V1" || list[0].Class != "quick" || list[0].Verdict != "pass" || len(list[0].Checks) == 0 {
		t.Errorf("%+v", list)
	}
	if strings.Contains(r.out, "(exhaustive search),") {
		t.Errorf("a case that did not run has a time:\n%s", r.out)
	}
	call("verify", "V17b", "--quick").wantsOneLine(t, 2, "V17b is a default case, not quick")
	call("verify", "V24", "--json").wantsOneLine(t, 2, "V24 needs bonds")
	call("verify", "--export", "V9", "-o", dir).wantsOneLine(t, 2, "in a clone of the repository: go test ./narrow")
	call("verify", "V99").wantsOneLine(t, 2, "expected perhaps")
	call("verify", "--quick", "--all").wantsOneLine(t, 2, "one of them")
	call("verify", "-o", "-").wantsOneLine(t, 2, "a folder")
}

// TestVerifyExport exports a case, and runs its first command in a shell.
func TestVerifyExport(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("needs sh")
	}
	dir := t.TempDir()
	r := call("verify", "--export", "V16", "-o", dir)
	r.wants(t, 0)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if len(lines) < 2 || !strings.HasPrefix(lines[1], "scree run ") {
		t.Fatalf("standard output:\n%s", r.out)
	}
	cmd := exec.Command(shell, "-c", lines[1])
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(built(t))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", lines[1], err, text)
	}
	read(t, dir, "V16", "run-1", "states.csv")
	call("verify", "--export", "V16", "-o", dir).wants(t, 0)
	var path string
	scenes, err := filepath.Glob(filepath.Join(dir, "V16", "*.toml"))
	if err != nil || len(scenes) == 0 {
		t.Fatal(scenes, err)
	}
	if path = scenes[0]; os.WriteFile(path, []byte("mine"), 0o666) != nil {
		t.Fatal(path)
	}
	call("verify", "--export", "V16", "-o", dir).wantsOneLine(t, 2, path+" differs")
}

// TestVerifyWrongLaw runs the program with a law that is wrong by little, with a run that is too short, and with a value
// that no scene takes.
func TestVerifyWrongLaw(t *testing.T) {
	for _, c := range []struct {
		set, want string
		status    int
	}{
		{"law.friction=0.5002", "V18 V1\nscenes are changed: --set law.friction=0.5002; unchanged: V1\n", 1}, {"time.end=1e-3", "the last row is at", 1},
		{"law.frition=1", "friction", 2}, {"time.steps=1", "scree: V18/slope.toml:6: time.end", 2}, {"friction", "is no KEY=VALUE", 2},
	} {
		text, err := exec.Command(built(t), "verify", "V18", "V1", "--set", c.set).CombinedOutput()
		exit, ok := err.(*exec.ExitError)
		if !ok || exit.ExitCode() != c.status || !strings.Contains(string(text), c.want) {
			t.Errorf("%s: %v, expected exit status %d and %q in\n%s", c.set, err, c.status, c.want, text)
		}
	}
}
