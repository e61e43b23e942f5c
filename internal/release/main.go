package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// platforms are those that a release is built for, as the go command names them.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// shells maps the shells that scree completes to the names of files that they look for.
var shells = map[string]string{"bash": "scree.bash", "zsh": "_scree", "fish": "scree.fish", "powershell": "scree.ps1"}

// word is a word behind the numbers of a version. Numbers have no leading zeros.
const word = `(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)`

// versions matches what the go command takes for a tag of a release: a version of semver.org without build metadata.
var versions = regexp.MustCompile(`^v(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-` + word + `(\.` + word + `)*)?$`)

var (
	licences = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)
	cited    = regexp.MustCompile(`(?m)^version: .*$`)
)

// packed is the time of all files of an archive, whenever it is made. A zip file has no time before 1980.
var packed = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func main() {
	version := strings.Join(os.Args[1:], " ")
	must(0, check(version))
	release(version, filepath.Join("release", version), platforms)
}

// check rejects what is no version, a clone whose files are not those of its commit, and a version whose tag is at
// another commit. Sources that are no clone are taken as they are.
func check(version string) error {
	if !versions.MatchString(version) {
		return fmt.Errorf("VERSION is %q, expected vMAJOR.MINOR.PATCH or vMAJOR.MINOR.PATCH-NAME, as in: make release VERSION=v0.40.0", version)
	}
	if _, err := os.Stat(".git"); err != nil {
		return nil
	}
	if changed := must(output("", "git", "status", "--porcelain")); changed != "" {
		return fmt.Errorf("the tree has changes, expected none; commit them or take them away:\n%s", changed)
	}
	commits, err := output("", "git", "rev-parse", "HEAD", version+"^{commit}")
	if head, tag, _ := strings.Cut(commits, "\n"); err == nil && tag != head {
		return fmt.Errorf("the tag %s is at commit %.12s, expected it at the one that is built, %.12s", version, tag, head)
	}
	return nil // An error says that there is no tag yet.
}

// release writes the archives of some platforms, and SHA256SUMS.
func release(version, dir string, only []string) {
	must(0, os.MkdirAll(dir, 0o777))
	sums := ""
	for _, platform := range only {
		name, suffix, pack := "scree_"+version+"_"+strings.ReplaceAll(platform, "/", "_"), ".tar.gz", tarball
		if strings.HasPrefix(platform, "windows/") {
			suffix, pack = ".zip", zipped
		}
		data := pack(name+"/", contents(version, platform, dir))
		must(0, os.WriteFile(filepath.Join(dir, name+suffix), data, 0o666))
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name+suffix)
	}
	must(0, os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums), 0o666))
	fmt.Printf("%s\n%s", dir, sums)
}

// contents returns the files of an archive by name. It builds the command in the folder dir.
func contents(version, platform, dir string) map[string][]byte {
	files := map[string][]byte{}
	for _, name := range []string{"LICENSE", "README.md", "CITATION.cff"} {
		files[name] = must(os.ReadFile(name))
	}
	files["CITATION.cff"] = cited.ReplaceAll(files["CITATION.cff"], []byte("version: "+version[1:]))
	for shell, name := range shells {
		files["completions/"+name] = []byte(must(output("", "go", "run", "./cmd/scree", "completion", shell)) + "\n")
	}

	command := "scree"
	if strings.HasPrefix(platform, "windows/") {
		command += ".exe"
	}
	program := filepath.Join(dir, command)
	must(output(platform, "go", "build", "-ldflags", "-s -w -X main.release="+version, "-o", program, "./cmd/scree"))
	files[command] = must(os.ReadFile(program))
	must(0, os.Remove(program))

	// The licences of Go and of the modules that are linked.
	const module = "{{with .Module}}{{if not .Main}}{{.Path}}@{{.Version}}\t{{.Dir}}{{end}}{{end}}"
	list := must(output(platform, "go", "list", "-deps", "-f", module, "./cmd/scree")) + "\ngo\t" + must(output("", "go", "env", "GOROOT"))
	for line := range strings.Lines(list) {
		name, from, _ := strings.Cut(strings.TrimSpace(line), "\t")
		found := false
		for _, e := range must(os.ReadDir(from)) {
			if licences.MatchString(e.Name()) && e.Type().IsRegular() {
				files["licenses/"+name+"/"+e.Name()], found = must(os.ReadFile(filepath.Join(from, e.Name()))), true
			}
		}
		if !found {
			must(0, fmt.Errorf("%s is linked, expected a file LICENSE in %s", name, from))
		}
	}
	return files
}

// tarball returns a .tar.gz of files in a folder, which belong to nobody.
func tarball(folder string, files map[string][]byte) []byte {
	var all bytes.Buffer
	z := must(gzip.NewWriterLevel(&all, gzip.BestCompression))
	t := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &tar.Header{Name: folder + name, Mode: 0o644, Size: int64(len(files[name])), ModTime: packed, Format: tar.FormatUSTAR}
		if name == "scree" {
			h.Mode = 0o755
		}
		must(0, t.WriteHeader(h))
		must(t.Write(files[name]))
	}
	must(0, errors.Join(t.Close(), z.Close()))
	return all.Bytes()
}

// zipped returns a .zip of files in a folder.
func zipped(folder string, files map[string][]byte) []byte {
	var all bytes.Buffer
	z := zip.NewWriter(&all)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to := must(z.CreateHeader(&zip.FileHeader{Name: folder + name, Method: zip.Deflate, Modified: packed}))
		must(to.Write(files[name]))
	}
	must(0, z.Close())
	return all.Bytes()
}

// output runs a command for a platform, "" for this one, and returns what it prints, without the end of the last line.
// All that the bytes of a program depend on is set here, whatever the environment says.
func output(platform string, command ...string) (string, error) {
	c := exec.Command(command[0], command[1:]...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false", "GOWORK=off", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off")
	if system, arch, ok := strings.Cut(platform, "/"); ok {
		c.Env = append(c.Env, "GOOS="+system, "GOARCH="+arch)
	}
	text, err := c.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, exit.Stderr)
	}
	return strings.TrimRight(string(text), "\n"), err
}

// must ends the program at an error.
func must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
	return v
}
