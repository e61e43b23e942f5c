package scree_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/require"
)

var block = regexp.MustCompile("(?s)```(sh|go)\n(.*?)```")

// TestTutorial runs the code blocks of docs/tutorial.md in an empty folder, in order: the shell
// blocks, with a shorter run, and then the program.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	t.Parallel()
	shell, err := exec.LookPath("sh")
	require.Tool(t, err == nil, "needs sh")
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	do := func(in, name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = in
		c.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
		text, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, text)
		}
		return string(text)
	}
	do(home, "go", "build", "-o", filepath.Join(bin, "scree"), "./cmd/scree")
	count := map[string]int{}
	for _, m := range block.FindAllStringSubmatch(read(t, "docs/tutorial.md"), -1) {
		count[m[1]]++
		switch m[1] {
		case "sh":
			text := strings.Replace(m[2], "end = 1.0", "end = 0.02", 1)
			if got := do(dir, shell, "-e", "-c", text); strings.Contains(text, "--check") && !strings.Contains(got, "warnings: 0") {
				t.Errorf("the scene is not without warnings:\n%s", got)
			}
		case "go":
			if n := strings.Count(m[2], "\n") - strings.Count(m[2], "\n\n"); n > 51 {
				t.Errorf("the program has %d lines", n)
			}
			source := filepath.Join(dir, "main.go")
			program := strings.Replace(m[2], "range 25000", "range 2500", 1)
			if err := os.WriteFile(source, []byte(program), 0o666); err != nil {
				t.Fatal(err)
			}
			do(home, "go", "build", "-o", filepath.Join(bin, "drum"), source)
			if got := do(dir, filepath.Join(bin, "drum")); !strings.Contains(got, "contacts at 0.10 s") {
				t.Errorf("the program prints %q", got)
			}
		}
	}
	if count["sh"] != 5 || count["go"] != 1 {
		t.Errorf("the page has %v blocks", count)
	}
}
