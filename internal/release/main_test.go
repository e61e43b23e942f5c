package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scree-dem/scree/internal/require"
)

// TestArchive builds the archive for this machine twice, in folders and environments that differ, and reads it.
func TestArchive(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the command without paths and cgo")
	}
	platform, version := runtime.GOOS+"/"+runtime.GOARCH, "v1.2.3-rc.1"
	require.Tool(t, slices.Contains(platforms, platform), "no release is built for "+platform)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dirs := []string{t.TempDir(), t.TempDir()}
	t.Chdir(root)
	release(version, dirs[0], []string{platform})
	link := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Symlink(root, link); err == nil {
		t.Chdir(link)
	}
	t.Setenv("GOAMD64", "v2")
	t.Setenv("GOFLAGS", "-ldflags=-X=main.release=other")
	release(version, dirs[1], []string{platform})
	archives, err := filepath.Glob(filepath.Join(dirs[0], "scree_"+version+"_"+runtime.GOOS+"_"+runtime.GOARCH+".*"))
	if err != nil || len(archives) != 1 {
		t.Fatalf("archives %v, %v", archives, err)
	}
	name := filepath.Base(archives[0])
	data := read(t, archives[0])
	for _, f := range []string{name, "SHA256SUMS"} {
		if !bytes.Equal(read(t, filepath.Join(dirs[0], f)), read(t, filepath.Join(dirs[1], f))) {
			t.Errorf("%s has other bytes when it is built again", f)
		}
	}

	folder := strings.TrimSuffix(strings.TrimSuffix(name, ".zip"), ".tar.gz")
	files := unpack(t, name, data)
	command := folder + "/scree"
	if runtime.GOOS == "windows" {
		command += ".exe"
	}
	for f, want := range map[string]string{
		"LICENSE": "Apache License", "README.md": "# Scree", "CITATION.cff": "\nversion: 1.2.3-rc.1\n",
		"completions/scree.bash": "__start_scree", "completions/_scree": "#compdef scree", "completions/scree.fish": "complete -c scree", "completions/scree.ps1": "Register-ArgumentCompleter",
		"licenses/go/LICENSE": "Go Authors", "licenses/github.com/spf13/cobra@v1.10.2/LICENSE.txt": "Apache License", "licenses/github.com/viterin/vek@v0.4.3/LICENSE": "MIT",
	} {
		if text := string(files[folder+"/"+f]); !strings.Contains(text, want) {
			t.Errorf("%s in %s is %.200q, expected %q in it", f, name, text, want)
		}
	}
	// The command names the modules that are linked into it.
	at := filepath.Join(t.TempDir(), filepath.Base(command))
	if err := os.WriteFile(at, files[command], 0o777); err != nil {
		t.Fatal(err)
	}
	linked := 0
	for _, line := range strings.Split(run(t, "go", "version", "-m", at), "\n") {
		if words := strings.Fields(line); len(words) > 2 && words[0] == "dep" {
			linked++
			dir, has := folder+"/licenses/"+words[1]+"@"+words[2]+"/", false
			for f, text := range files {
				has = has || strings.HasPrefix(f, dir) && len(text) > 200
			}
			if !has {
				t.Errorf("%s is linked, and %s has no licence", words[1], dir)
			}
		}
	}
	if linked < 8 {
		t.Errorf("the command names %d modules", linked)
	}
	if text := run(t, at, "version"); text != "scree "+version+"\n" {
		t.Errorf("the command says %q", text)
	}
}

// unpack returns the files of an archive. Times and modes are those of every archive, and names are sorted.
func unpack(t *testing.T, name string, data []byte) map[string][]byte {
	t.Helper()
	files, last := map[string][]byte{}, ""
	add := func(name string, at time.Time, from io.Reader) {
		text, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		if files[name] = text; !at.Equal(packed) || name <= last {
			t.Errorf("%s is of %s, behind %s", name, at, last)
		}
		last = name
	}
	if strings.HasSuffix(name, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			from, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.Modified, from)
		}
		return files
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if runs := strings.HasSuffix(h.Name, "/scree"); h.Uid != 0 || h.Uname != "" || runs != (h.Mode == 0o755) || !runs && h.Mode != 0o644 {
			t.Errorf("%s: owner %d %q, mode %o", h.Name, h.Uid, h.Uname, h.Mode)
		}
		add(h.Name, h.ModTime, r)
	}
}

// TestZip packs for Windows what can be unpacked.
func TestZip(t *testing.T) {
	data := zipped("a/", map[string][]byte{"scree.exe": []byte("MZ"), "LICENSE": []byte("text")})
	if files := unpack(t, "a.zip", data); len(files) != 2 || string(files["a/scree.exe"]) != "MZ" || string(files["a/LICENSE"]) != "text" {
		t.Errorf("%q", files)
	}
}

// TestCheck: what is no version, a tree with changes, and a tag elsewhere are rejected.
func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir()) // which is no clone
	for _, v := range []string{"v0.0.0", "v1.22.333", "v1.0.0-rc.1", "v1.0.0-0.a-b"} {
		if err := check(v); err != nil {
			t.Errorf("%s: %v", v, err)
		}
	}
	for _, v := range []string{"", "1.0.0", "v1.0", "v1.0.0.0", "v01.0.0", "v1.0.0-", "v1.0.0-01", "v1.0.0+a", "v1.0.0 ", "v1.0.0\n", "version", "v1.0.0/x"} {
		if err := check(v); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("VERSION is %q", v)) {
			t.Errorf("%q: error %v", v, err)
		}
	}
	_, err := exec.LookPath("git")
	require.Tool(t, err == nil, "needs git")
	git := func(args ...string) {
		run(t, "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"}, args...)...)
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "first")
	git("tag", "v1.0.0")
	if err := errors.Join(check("v1.0.0"), check("v1.0.1")); err != nil {
		t.Error(err)
	}
	git("commit", "-q", "--allow-empty", "-m", "second")
	if err := check("v1.0.0"); err == nil || !strings.Contains(err.Error(), "the tag v1.0.0 is at commit") {
		t.Errorf("error %v for a tag at another commit", err)
	}
	if err := os.WriteFile("new", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := check("v1.0.1"); err == nil || !strings.Contains(err.Error(), "the tree has changes") || !strings.Contains(err.Error(), "?? new") {
		t.Errorf("error %v for a tree with changes", err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func run(t *testing.T, command string, args ...string) string {
	t.Helper()
	text, err := exec.Command(command, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", command, args, err, text)
	}
	return string(text)
}
