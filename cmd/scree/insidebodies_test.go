package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

const (
	poseHead    = "shape,x,y,z,qw,qx,qy,qz\n"
	meetingHead = "body_a,body_b,a_in_b,b_in_a"
)

// TestInsideBodiesExample: links of a chain. The third link and the fourth pass through each other.
func TestInsideBodiesExample(t *testing.T) {
	args := []string{"inside", "--bodies", filepath.Join(exampleInside, "chain.csv"), "--shapes", exampleInside}
	want := meetingHead + "\n1,2,17,17\n2,3,17,17\n3,4,17,203\n3,5,51,0\n"
	for _, more := range [][]string{nil, {"--method", "ray"}, {"--method", "winding", "--workers", "3"}, {"--method", "winding-fast"}, {"--method", "fmm"}, {"--method", "fmm", "--direct", "never", "--separation", "1.5"}} {
		if r := call(append(args, more...)...); r.status != 0 || r.out != want {
			t.Errorf("%v: status %d, %q, %s", more, r.status, r.out, r.err)
		}
	}
	out := filepath.Join(t.TempDir(), "out.csv")
	call(append(args, "-o", out)...).wantsOneLine(t, 0, "out.csv: 5 bodies of 3 shapes, 4 pairs of boxes, 4 pairs with nodes inside, 339 nodes inside, 0 on a surface; auto; ")
	if read(t, out) != want {
		t.Error("the file differs from standard output")
	}
	call(append(args, "-o", out, "--method", "fmm")...).wantsOneLine(t, 0, "; fmm, values within 0, 9 of 9 cells summed directly; ")
	r := call(append(args, "--json")...)
	r.wants(t, 0)
	if p := decode[posedReport](t, r.out); p.Bodies != 5 || p.Shapes != 3 || p.Pairs != 4 || p.Meeting != 4 || p.Inside != 339 || p.Method != "auto" {
		t.Errorf("%+v", p)
	}
}

// TestInsideBodies compares random poses of three shapes, two of them not convex, with every node
// moved into every other body's frame and located there by rays.
func TestInsideBodies(t *testing.T) {
	specs := []string{"torus:1,0.3,24,12", "dyadic-foam:1,8", "octa:1"}
	rng := rand.New(rand.NewPCG(6, 6))
	meshes := map[string]*geometry.Mesh{}
	for _, spec := range specs[:2] {
		m, err := surfaces.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		meshes[spec] = m
	}
	octa, err := geometry.ParseBuiltin(specs[2])
	if err != nil {
		t.Fatal(err)
	}
	meshes[specs[2]] = meshOfPolyhedron(octa.Poly)
	var table strings.Builder
	table.WriteString(poseHead)
	var bodies []inside.PosedSolid
	solids := map[string]*inside.Solid{}
	for spec, m := range meshes {
		s, err := inside.New(m, inside.Options{Method: inside.Ray, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		solids[spec] = s
	}
	for k := range 12 {
		spec := specs[k%3]
		pose := vec.Pose{
			Pos: vec.V(4*rng.Float64(), 4*rng.Float64(), 4*rng.Float64()),
			Rot: vec.FromRotationVector(vec.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())),
		}
		fmt.Fprintf(&table, "%q,%v,%v,%v,%v,%v,%v,%v\n", spec, pose.Pos.X, pose.Pos.Y, pose.Pos.Z, pose.Rot.W, pose.Rot.X, pose.Rot.Y, pose.Rot.Z)
		bodies = append(bodies, inside.PosedSolid{Solid: solids[spec], Pose: pose})
	}
	within := func(of, in inside.PosedSolid) (n int) {
		points := make([]vec.Vec3, len(of.Solid.Nodes()))
		for i, p := range of.Solid.Nodes() {
			points[i] = in.Pose.PointInv(of.Pose.Point(p))
		}
		places := make([]inside.Place, len(points))
		if err := in.Solid.Locate(points, places, nil); err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			if p == inside.Inside {
				n++
			}
		}
		return n
	}
	want, some := meetingHead+"\n", 0
	for b := range bodies {
		for a := range b {
			if bodies[a].Box().Overlaps(bodies[b].Box()) {
				some += within(bodies[a], bodies[b])
			}
		}
	}
	for a := range bodies {
		for b := a + 1; b < len(bodies); b++ {
			if bodies[a].Box().Overlaps(bodies[b].Box()) {
				want += fmt.Sprintf("%d,%d,%d,%d\n", a+1, b+1, within(bodies[a], bodies[b]), within(bodies[b], bodies[a]))
			}
		}
	}
	if some < 100 {
		t.Fatalf("%d nodes inside: the test tests too little", some)
	}
	for _, args := range [][]string{{"--workers", "1"}, {"--workers", "3"}, {"--method", "fmm", "--direct", "never"}} {
		if r := callWith(table.String(), append([]string{"inside", "--bodies", "-"}, args...)...); r.status != 0 || r.out != want {
			t.Errorf("%v: status %d, %s\n%s\nexpected\n%s", args, r.status, r.err, r.out, want)
		}
	}
}

// TestInsideBodiesBatches: a row of 100 boxes that touch face to face, and 5000 that coincide, so that
// there are several batches. No node is inside: all are on surfaces.
func TestInsideBodiesBatches(t *testing.T) {
	table := poseHead
	for k := range 100 {
		table += fmt.Sprintf("box:1x1x1,%d,0,0,1,0,0,0\n", k)
	}
	for range 100 {
		table += "box:1x1x1,0,9,0,1,0,0,0\n"
	}
	r := callWith(table, "inside", "--bodies", "-", "--json")
	r.wants(t, 0)
	if p := decode[posedReport](t, r.out); p.Pairs != 99+4950 || p.Inside != 0 || p.Meeting != 0 || p.On != 99*8+4950*16 {
		t.Errorf("%+v", p)
	}
	rows := tableOf(t, callWith(table, "inside", "--bodies", "-").out, meetingHead)
	if len(rows) != 99+4950 || strings.Join(rows[98], ",") != "99,100,0,0" || strings.Join(rows[len(rows)-1], ",") != "199,200,0,0" {
		t.Errorf("%d rows, %v, %v", len(rows), rows[98], rows[len(rows)-1])
	}
	if r := callWith(poseHead, "inside", "--bodies", "-"); r.status != 0 || r.out != meetingHead+"\n" {
		t.Errorf("no bodies: status %d, %q", r.status, r.out)
	}
}

// TestInsideBodiesBad: errors name the flag, or the line and the value.
func TestInsideBodiesBad(t *testing.T) {
	dir := t.TempDir()
	open := write(t, "open.obj", cubeOBJ(nil, "1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3"))
	const good = "box:1x1x1,0,0,0,1,0,0,0\n"
	for _, c := range []struct {
		rows       string
		args, want []string
	}{
		{good + "box:1x1x1,0,0,0,1,1,0,0\n", nil, []string{"line 3, column qw", `"1"`, "found length 1.41421"}},
		{"box:1x1x1,0,0,0,0,0,0,0\n", nil, []string{"line 2, column qw", "found length 0"}},
		{"box:1x1x1,0,0,0,1e200,0,0,1e200\n", nil, []string{"line 2, column qw", "length 1"}},
		{"box:1x1x1,0,0,0,nan,0,0,0\n", nil, []string{"line 2, column qw", `"nan"`, "finite"}},
		{"box:1x1x1,0,1e200,0,1,0,0,0\n", nil, []string{"line 2, column y", "within 1e+140 m"}},
		{good + "cone,0,0,0,1,0,0,0\n", []string{"--shapes", open}, []string{"line 3, column shape", `"cone"`, "one of open, a builtin"}},
		{",0,0,0,1,0,0,0\n", nil, []string{"line 2, column shape", "found nothing"}},
		{good + "open,0,0,0,1,0,0,0\n", []string{"--shapes", open}, []string{"line 3: " + open + ": 4 boundary edges"}},
		{"ball:1,0,0,0,1,0,0,0\n", nil, []string{"line 2: ball:1 has no faces"}},
		{"box:1x1,0,0,0,1,0,0,0\n", nil, []string{"line 2: ", "box:1x1"}},
		{"box:1x1x1,0,0,0,1,0,0\n", nil, []string{"line 2", "8 values", "found 7"}},
		{good, []string{"--shapes", filepath.Join(dir, "none")}, []string{"--shapes", "none"}},
		{good, []string{"--shapes", dir}, []string{"--shapes: ", "the folder " + dir + " has no mesh"}},
		{good, []string{"--shapes", ""}, []string{"--shapes is empty, expected PATH"}},
		{good, []string{"--shapes", open, "--shapes", write(t, "open.off", "OFF\n")}, []string{"--shapes: ", `the same name "open"`}},
		{good, []string{"--points", "p.csv"}, []string{"--points is", "none with --bodies"}},
		{good, []string{"--mesh", "octa:1"}, []string{"--mesh is", "none with --bodies"}},
		{good, []string{"--columns", "x,y,z"}, []string{"--columns is", "none with --bodies"}},
		{good, []string{"--method", "fmm", "--box", "0,0,0,1,1,1"}, []string{"--box is", "none with --bodies"}},
		{good, []string{"--json", "-o", "-"}, []string{"-o", "--json"}},
	} {
		callWith(poseHead+c.rows, append([]string{"inside", "--bodies", "-"}, c.args...)...).wantsOneLine(t, 2, c.want...)
	}
	callWith("shape,x,y,z\n", "inside", "--bodies", "-").wantsOneLine(t, 2, "line 1", "qw")
	table := write(t, "poses.csv", poseHead+good)
	call("inside", "--bodies", table, "-o", table).wantsOneLine(t, 2, "-o "+table, "--bodies")
	call("inside", "--bodies", table, "--shapes", open, "-o", open).wantsOneLine(t, 2, "-o "+open, "--shapes")
	if !strings.Contains(read(t, open), "v ") {
		t.Error("the mesh was overwritten")
	}
}
