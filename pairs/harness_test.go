package pairs

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/vec"
)

const (
	head       = "shape_a,shape_b,ax,ay,az,aqw,aqx,aqy,aqz,bx,by,bz,bqw,bqx,bqy,bqz"
	trackHead  = head + ",track\n"
	roundsHead = head + ",round_a,round_b\n"
)

// answer is a row of the output.
type answer struct {
	row                          int
	status, kind, level, message string
	gap, volume                  float64
	normal, at, onA, onB         vec.Vec3
	hasAt, hasPoints             bool
}

// defaults returns the default options of the command line.
func defaults() Options { return Options{DTol: -1, Workers: 2} }

// shapesOf loads shapes. Without paths the set is empty.
func shapesOf(t testing.TB, paths ...string) *ShapeSet {
	t.Helper()
	s, err := LoadShapes(paths)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// text runs a table and returns the raw output.
func text(t testing.TB, table string, o Options, shapes *ShapeSet) (string, *Stats, error) {
	t.Helper()
	var out bytes.Buffer
	stats, err := Run(context.Background(), strings.NewReader(table), "pairs.csv", shapes, &out, o)
	return out.String(), stats, err
}

// run runs a valid table, whose rows may have faults.
func run(t testing.TB, table string, o Options, shapes *ShapeSet) ([]answer, *Stats) {
	t.Helper()
	out, stats, err := text(t, table, o, shapes)
	if err != nil && !errors.Is(err, ErrRows) {
		t.Fatal(err)
	}
	return parsed(t, out), stats
}

// parsed parses the output with the CSV reader of the standard library.
func parsed(t testing.TB, out string) []answer {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(rows[0], ",") != "row,status,gap,nx,ny,nz,x,y,z,wax,way,waz,wbx,wby,wbz,type,volume,level,message" {
		t.Fatalf("header %v", rows[0])
	}
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		return x
	}
	point := func(s []string) (v vec.Vec3, ok bool) {
		if s[0] == "" && s[1] == "" && s[2] == "" {
			return v, false
		}
		return vec.V(number(s[0]), number(s[1]), number(s[2])), true
	}
	var list []answer
	for i, r := range rows[1:] {
		a := answer{row: i + 1, status: r[1], kind: r[15], level: r[17], message: r[18]}
		if r[0] != strconv.Itoa(i+1) {
			t.Fatalf("row %d has the number %s", i+1, r[0])
		}
		if a.status == failed {
			if strings.Join(r[2:18], "") != "" || a.message == "" {
				t.Fatalf("row %d has %q", i+1, r)
			}
		} else {
			a.gap = number(r[2])
			a.normal, _ = point(r[3:6])
			a.at, a.hasAt = point(r[6:9])
			a.onA, a.hasPoints = point(r[9:12])
			a.onB, _ = point(r[12:15])
			if r[16] != "" {
				a.volume = number(r[16])
			}
			if a.message != "" {
				t.Fatalf("row %d has %q", i+1, r)
			}
		}
		list = append(list, a)
	}
	return list
}

// pose returns the seven values of a pose.
func pose(p vec.Pose) string {
	return fmt.Sprintf("%v,%v,%v,%v,%v,%v,%v", p.Pos.X, p.Pos.Y, p.Pos.Z, p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z)
}

// row returns a line of the table.
func row(a, b string, pa, pb vec.Pose, more ...any) string {
	line := quoted(a) + "," + quoted(b) + "," + pose(pa) + "," + pose(pb)
	for _, m := range more {
		line += fmt.Sprintf(",%v", m)
	}
	return line + "\n"
}

func quoted(name string) string {
	if strings.Contains(name, ",") {
		return `"` + name + `"`
	}
	return name
}

func at(x, y, z float64) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z), Rot: vec.Identity} }

func randomUnit(r *rand.Rand) vec.Vec3 {
	for {
		if v := vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()); v.Norm() > 0.1 {
			return v.Unit()
		}
	}
}

func randomPose(r *rand.Rand, far float64) vec.Pose {
	return vec.Pose{
		Pos: randomUnit(r).Scale(far * r.Float64()),
		Rot: vec.FromRotationVector(randomUnit(r).Scale(math.Pi * r.Float64())),
	}
}

func write(t testing.TB, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// cubeOBJ returns a unit cube with a corner at the origin. dent moves this corner inwards.
func cubeOBJ(dent float64) string {
	var b strings.Builder
	for i := range 8 {
		v := [3]float64{float64(i & 1), float64(i >> 1 & 1), float64(i >> 2)}
		if i == 0 {
			v = [3]float64{dent, dent, dent}
		}
		fmt.Fprintf(&b, "v %g %g %g\n", v[0], v[1], v[2])
	}
	// The faces at that corner are triangles, so that a dent leaves them planar.
	for _, f := range []string{"1 3 2", "3 4 2", "5 6 8 7", "1 2 5", "2 6 5", "3 7 8 4", "1 5 3", "5 7 3", "2 4 8 6"} {
		fmt.Fprintf(&b, "f %s\n", f)
	}
	return b.String()
}

func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		write(t, filepath.Join(dir, name), content)
	}
	return dir
}
