package peers

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed programs
var programs embed.FS

// program is a program of ours that calls a library, and what is needed to compile it.
type program struct {
	name     string   // the file in programs, without .cc
	header   string   // a header of the library, which must be installed
	flags    []string // for the compiler and the linker
	packages string   // Debian package
}

var (
	bullet    = &program{"bullet", "bullet/BulletCollision/BroadphaseCollision/btDbvtBroadphase.h", []string{"-I/usr/include/bullet", "-lBulletCollision", "-lLinearMath"}, "libbullet-dev"}
	cgalBoxes = &program{"cgalboxes", "CGAL/box_intersection_d.h", nil, "libcgal-dev"}
	cgalSide  = &program{"cgalside", "CGAL/Side_of_triangle_mesh.h", []string{"-lgmp", "-lmpfr"}, "libcgal-dev"}
	embree    = &program{"embree", "embree3/rtcore.h", []string{"-lembree3"}, "libembree-dev"}
)

// peer is a method of a library.
type peer struct {
	name     string
	most     int      // largest number of bodies: with more, it takes minutes; 0: any
	program  *program // nil: LAMMPS, which reads a script
	args     []string
	accuracy string
}

func namesOf(list []peer) (names []string) {
	for i := range list {
		names = append(names, list[i].name)
	}
	return names
}

// find returns the peer with the given name.
func find(list []peer, name string) (*peer, error) {
	if k := slices.Index(namesOf(list), name); k >= 0 {
		return &list[k], nil
	}
	return nil, fmt.Errorf("peers: %q, expected one of %s", name, strings.Join(namesOf(list), ", "))
}

// Told is what a peer tells beside its results.
type Told struct {
	Version  string
	Problem  string // why the peer has no results; empty if it has
	Accuracy string // how and why results differ from those in float64
}

// Note returns the problem, or version and accuracy.
func (t *Told) Note() string {
	if t.Problem != "" {
		return t.Problem
	}
	return t.Version + ": " + t.Accuracy
}

// Bench compiles and runs the programs in its own temporary folder. It is for one goroutine. The
// caller must close it.
type Bench struct {
	// Fast compiles without optimisation, for tests that compare results and not times.
	Fast  bool
	dir   string
	built map[*program]*built
}

type built struct{ path, problem string }

// New makes a Bench with its temporary folder.
func New() (*Bench, error) {
	dir, err := os.MkdirTemp("", "scree-peers-")
	if err != nil {
		return nil, fmt.Errorf("peers: %w", err)
	}
	b := &Bench{dir: dir, built: map[*program]*built{}}
	list, err := programs.ReadDir("programs")
	for _, f := range list {
		text, readErr := programs.ReadFile("programs/" + f.Name())
		err = errors.Join(err, readErr, os.WriteFile(b.path(f.Name()), text, 0o666))
	}
	if err != nil {
		b.Close()
		return nil, fmt.Errorf("peers: %w", err)
	}
	return b, nil
}

// Close removes the folder. A nil Bench is allowed.
func (b *Bench) Close() {
	if b != nil {
		_ = os.RemoveAll(b.dir)
	}
}

func (b *Bench) path(name string) string { return filepath.Join(b.dir, name) }

// compilers are tried in this order, after those in the environment variable CXX.
var compilers = []string{"c++", "g++", "clang++"}

func compiler() string {
	for _, name := range append(strings.Fields(os.Getenv("CXX")), compilers...) {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// build compiles a program if it is not compiled yet.
func (b *Bench) build(ctx context.Context, p *program) (*built, error) {
	if known := b.built[p]; known != nil {
		return known, nil
	}
	done := &built{path: b.path(p.name)}
	cxx := compiler()
	switch {
	case cxx == "":
		done.problem = "not installed: apt-get install g++ " + p.packages
	case !hasHeader(ctx, cxx, p.header):
		done.problem = "not installed: apt-get install " + p.packages
	default:
		args := []string{"-O3", "-march=native"}
		if b.Fast {
			args = []string{"-O0"}
		}
		args = append(append(args, "-DNDEBUG", "-std=c++17", "-o", done.path, done.path+".cc"), p.flags...)
		if out, err := exec.CommandContext(ctx, cxx, args...).CombinedOutput(); err != nil {
			done.problem = "does not compile: " + reason(out, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.built[p] = done
	return done, nil
}

// hasHeader reports whether the compiler finds a header.
func hasHeader(ctx context.Context, cxx, header string) bool {
	c := exec.CommandContext(ctx, cxx, "-x", "c++", "-std=c++17", "-fsyntax-only", "-")
	c.Stdin = strings.NewReader("#if !__has_include(<" + header + ">)\n#error missing\n#endif\n")
	return c.Run() == nil
}

// reason returns the first line of a failed process's output that explains the failure.
func reason(out []byte, err error) string {
	first := ""
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); strings.Contains(strings.ToLower(line), "error") {
			return line
		}
		if first == "" {
			first = line
		}
	}
	if first == "" {
		return err.Error()
	}
	return first
}

// Times are measurements of one kind, s.
type Times []float64

// Least returns the least time, or 0 if there is none.
func (t Times) Least() float64 {
	if len(t) == 0 {
		return 0
	}
	return slices.Min(t)
}

// Median returns the median, or the lower of the two middle times; 0 if there is none.
func (t Times) Median() float64 {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	return sorted[(len(sorted)-1)/2]
}

// Spread returns the difference of the slowest and the fastest time over the median, or 0 if the median is 0.
func (t Times) Spread() float64 {
	if t.Median() == 0 {
		return 0
	}
	return (slices.Max(t) - t.Least()) / t.Median()
}

// outcome is the parsed output of a program. A line has a word, and a number or a text.
type outcome struct {
	version string
	times   map[string]Times
	problem string // the program is missing or has failed
}

// run runs a program and returns the bytes of its output file. The program is called with args,
// followed by the names of its input and output files.
func (b *Bench) run(ctx context.Context, p *program, in string, args ...string) (*outcome, []byte, error) {
	exe, err := b.build(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	if exe.problem != "" {
		return &outcome{problem: exe.problem}, nil, nil
	}
	out := b.path("out")
	c := exec.CommandContext(ctx, exe.path, append(args, in, out)...)
	text, problem, err := b.wait(ctx, c)
	if err != nil || problem != "" {
		return &outcome{problem: problem}, nil, err
	}
	o := &outcome{times: map[string]Times{}}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		if word == "version" {
			o.version = rest
		} else if x, err := strconv.ParseFloat(rest, 64); err == nil {
			o.times[word] = append(o.times[word], x)
		}
	}
	answers, err := os.ReadFile(out)
	if err != nil {
		return nil, nil, fmt.Errorf("peers: %w", err)
	}
	return o, answers, nil
}

// patience is how long a process that was told to end may take before its streams are closed.
const patience = 2 * time.Second

// wait runs a process in the folder. It returns the output, or the problem if the process failed.
// It returns an error if it is interrupted.
func (b *Bench) wait(ctx context.Context, c *exec.Cmd) (text []byte, problem string, err error) {
	var errs bytes.Buffer
	c.Dir, c.Stderr, c.WaitDelay = b.dir, &errs, patience
	text, failed := c.Output()
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	if failed != nil {
		return nil, "failed: " + reason(append(errs.Bytes(), text...), failed), nil
	}
	return text, "", nil
}
