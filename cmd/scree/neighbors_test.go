package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const exampleBodies = "../../examples/neighbors"

// TestNeighborsExample runs the printed example of Muth et al. 2007, Fig. 7, with every method.
func TestNeighborsExample(t *testing.T) {
	for _, method := range neighborNames {
		r := call("neighbors", "--in", filepath.Join(exampleBodies, "boxes.csv"), "--method", method, "--workers", "1")
		r.wants(t, 0)
		if want := "i,j\n1,2\n1,3\n3,4\n"; r.out != want {
			t.Errorf("%s finds %q, expected %q", method, r.out, want)
		}
	}
}

// bodyTable returns a table of frames with randomly placed bodies, with shuffled rows in each
// frame, and the pairs by definition.
func bodyTable(boxes bool, skin float64) (table, pairs string) {
	r := rand.New(rand.NewPCG(7, 7))
	var in, out strings.Builder
	in.WriteString("frame,id,x,y,z,r\n")
	if boxes {
		in.Reset()
		in.WriteString("maxx,maxy,maxz,frame,minx,miny,minz,id\n")
	}
	out.WriteString("frame,i,j\n")
	const n = 60
	var at [n][3]float64
	var half [n][3]float64
	for i := range at {
		for k := range 3 {
			at[i][k], half[i][k] = float64(int(r.Float64()*16))/4, float64(1+int(r.Float64()*4))/8
		}
	}
	for frame := range 4 {
		for _, i := range r.Perm(n) {
			a, h := at[i], half[i]
			if boxes {
				fmt.Fprintf(&in, "%g,%g,%g,%d,%g,%g,%g,%d\n", a[0]+h[0], a[1]+h[1], a[2]+h[2], 5*frame, a[0]-h[0], a[1]-h[1], a[2]-h[2], 3*i)
			} else {
				fmt.Fprintf(&in, "%d,%d,%g,%g,%g,%g\n", 5*frame, 3*i, a[0], a[1], a[2], h[0])
			}
		}
		for i := range n {
			for j := i + 1; j < n; j++ {
				apart, d2 := false, 0.0
				for k := range 3 {
					d := at[i][k] - at[j][k]
					d2 += d * d
					apart = apart || max(d, -d)-half[i][k]-half[j][k] > skin
				}
				reach := half[i][0] + half[j][0] + skin
				if boxes && !apart || !boxes && d2 <= reach*reach {
					fmt.Fprintf(&out, "%d,%d,%d\n", 5*frame, 3*i, 3*j)
				}
			}
		}
		for i := range at {
			at[i][i%3] += float64(i%5-2) / 8
		}
	}
	return in.String(), out.String()
}

// TestNeighborsOfFrames: coordinates and sizes are multiples of 1/8, so sums are exact and many
// bodies just touch.
func TestNeighborsOfFrames(t *testing.T) {
	for _, boxes := range []bool{false, true} {
		for _, skin := range []float64{0, 0.125} {
			table, want := bodyTable(boxes, skin)
			for _, method := range neighborNames {
				r := callWith(table, "neighbors", "--in", "-", "--method", method, "--skin", fmt.Sprint(skin))
				r.wants(t, 0)
				if r.out != want {
					t.Errorf("boxes %v, skin %g: %s finds %d bytes of pairs, expected %d", boxes, skin, method, len(r.out), len(want))
				}
			}
		}
	}
}

// TestNeighborsCounts compares the counts of all bodies with those of the pairs by definition, with
// every method and with cells of several widths.
func TestNeighborsCounts(t *testing.T) {
	for _, boxes := range []bool{false, true} {
		table, pairs := bodyTable(boxes, 0)
		counts := map[[2]int]int{}
		for _, line := range strings.Split(strings.TrimSpace(pairs), "\n")[1:] {
			var frame, i, j int
			if _, err := fmt.Sscanf(line, "%d,%d,%d", &frame, &i, &j); err != nil {
				t.Fatal(err)
			}
			counts[[2]int{frame, i}]++
			counts[[2]int{frame, j}]++
		}
		want := "frame,i,count\n"
		for frame := range 4 {
			for i := range 60 {
				want += fmt.Sprintf("%d,%d,%d\n", 5*frame, 3*i, counts[[2]int{5 * frame, 3 * i}])
			}
		}
		var options [][]string
		for _, method := range neighborNames {
			options = append(options, []string{"--method", method})
		}
		for _, cell := range []string{"1", "1.7", "100"} { // the longest side is 1
			options = append(options, []string{"--method", "lc", "--cell", cell})
		}
		for _, option := range options {
			r := callWith(table, append([]string{"neighbors", "--in", "-", "--counts"}, option...)...)
			r.wants(t, 0)
			if r.out != want {
				t.Errorf("boxes %v, %v: %q, expected %q", boxes, option, r.out, want)
			}
		}
	}
	r := callWith("x,y,z,r\n0,0,0,1\n9,0,0,1\n2,0,0,1\n", "neighbors", "--in", "-", "--counts")
	if r.wants(t, 0); r.out != "i,count\n0,1\n1,0\n2,1\n" {
		t.Errorf("three balls without ids: %q", r.out)
	}
	r = callWith("x,y,z,r\n", "neighbors", "--in", "-", "--counts", "--method", "lc", "--cell", "1e-3")
	if r.wants(t, 0); r.out != "i,count\n" {
		t.Errorf("no balls: %q", r.out)
	}
}

// TestNeighborsStream: the pairs of a frame are written as soon as a row of the next frame has been
// read.
func TestNeighborsStream(t *testing.T) {
	in, rows := io.Pipe()
	pairs, out := io.Pipe()
	done := make(chan int)
	go func() {
		status := Main([]string{"neighbors", "--in", "-"}, in, out, io.Discard)
		_ = out.Close()
		done <- status
	}()
	lines := bufio.NewScanner(pairs)
	next := func(want string) {
		t.Helper()
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("line %q, expected %q", lines.Text(), want)
		}
	}
	_, _ = io.WriteString(rows, "x,y,z,r,frame\n0,0,0,1,0\n")
	for frame := range 5 {
		_, _ = fmt.Fprintf(rows, "2,0,0,1,%d\n0,0,0,1,%d\n", frame, frame+1)
		if frame == 0 {
			next("frame,i,j")
		}
		next(fmt.Sprintf("%d,0,1", frame))
	}
	_ = rows.Close()
	if status := <-done; status != 0 || lines.Scan() {
		t.Errorf("status %d, more output %q", status, lines.Text())
	}
}

// TestNeighborsFiles writes pairs to a file and counts to standard output.
func TestNeighborsFiles(t *testing.T) {
	table := filepath.Join(exampleBodies, "balls.csv")
	out := filepath.Join(t.TempDir(), "out.csv")
	shown := call("neighbors", "--in", table)
	shown.wants(t, 0)
	r := call("neighbors", "--in", table, "-o", out, "--json")
	r.wants(t, 0)
	report := decode[neighborsReport](t, r.out)
	if report.Frames != 3 || report.Bodies != 36 || report.Pairs != int64(strings.Count(shown.out, "\n")-1) || report.Method != "multilevel" || report.Asked != "auto" || report.Fresh == 0 {
		t.Errorf("%+v", report)
	}
	if read(t, out) != shown.out {
		t.Error("the file differs from standard output")
	}
	call("neighbors", "--in", table, "-o", out).wantsOneLine(t, 0, "out.csv: 13 pairs of 36 bodies in 3 frames")
	call("neighbors", "--in", write(t, "wrong.csv", "x,y,z,r\n0,0,0,nan\n"), "-o", out).wantsOneLine(t, 2, "wrong.csv, line 2")
	if read(t, out) != shown.out {
		t.Error("a table that is wrong has changed the file")
	}
	own := write(t, "own.csv", "x,y,z,r\n0,0,0,1\n")
	call("neighbors", "--in", own, "-o", own).wantsOneLine(t, 2, "-o "+own, "--in")
}

// TestNeighborsBad: errors in the command line and in tables are reported in one line that names
// the cause.
func TestNeighborsBad(t *testing.T) {
	const balls, boxes = "x,y,z,r\n0,0,0,1\n", "minx,miny,minz,maxx,maxy,maxz\n"
	for _, c := range []struct {
		name, table string
		args, want  []string
	}{
		{"nothing", "", []string{}, []string{"--in", "scree neighbors --in"}},
		{"no table", "", []string{"--in", "no-such.csv"}, []string{"no-such.csv"}},
		{"folder", "", []string{"--in", os.TempDir()}, []string{"--in", "folder"}},
		{"method", balls, []string{"--method", "tree"}, []string{`--method is "tree"`, "multilevel"}},
		{"skin", balls, []string{"--skin", "-1"}, []string{"--skin is -1"}},
		{"no cell", balls, []string{"--method", "lc", "--cell", "0"}, []string{"--cell is 0", "a width above 0"}},
		{"no cell and auto", balls, []string{"--cell", "0"}, []string{"--cell is 0", "a width above 0"}},
		{"negative cell", balls, []string{"--method", "lc", "--cell", "-2"}, []string{"--cell is -2", "a width above 0"}},
		{"huge cell", balls, []string{"--method", "lc", "--cell", "1e150"}, []string{"--cell is 1e+150", "up to 2e+140 m"}},
		{"cell that is no number", balls, []string{"--method", "lc", "--cell", "nan"}, []string{"--cell", `"nan"`}},
		{"cell of another method", balls, []string{"--cell", "3"}, []string{"--cell is 3", "none but with --method lc"}},
		{"narrow cell", balls, []string{"--method", "lc", "--cell", "1.9"}, []string{"--cell is 1.9", "bodies.csv, frame 0", "at least 2 m", "longest side"}},
		{"cell and skin", balls, []string{"--method", "lc", "--cell", "2", "--skin", "0.5"}, []string{"--cell is 2", "at least 2.5 m"}},
		{"no skin", balls, []string{"--skin", "nan"}, []string{"--skin"}},
		{"two results", balls, []string{"--json", "-o", "-"}, []string{"-o", "--json"}},
		{"empty", "", nil, []string{"bodies.csv, line 1", "x,y,z,r or minx,miny,minz,maxx,maxy,maxz"}},
		{"unknown column", "x,y,z,radius\n", nil, []string{"line 1", "radius", "among x, y, z, r"}},
		{"missing radius", "\nx,y,z,id\n", nil, []string{"line 2", "also the columns r"}},
		{"missing corner", "minx,miny,minz,maxx,maxy\n", nil, []string{"line 1", "also the columns maxz"}},
		{"both", "x,y,z,r,minx\n", nil, []string{"line 1", "x,y,z,r,minx", "balls or of boxes"}},
		{"neither", "id,frame\n", nil, []string{"line 1", "x,y,z,r or minx"}},
		{"short row", balls + "1,2,3\n", nil, []string{"line 3", "4 values", "found 3"}},
		{"no number", balls + "1,2,north,1\n", nil, []string{"line 3, column z", `"north"`, "finite"}},
		{"nan", balls + "1,nan,3,1\n", nil, []string{"line 3, column y", `"nan"`, "finite"}},
		{"infinite", balls + "1,2,3,inf\n", nil, []string{"line 3, column r", `"inf"`, "finite"}},
		{"zero radius", balls + "1,2,3,0\n", nil, []string{"line 3, column r", `"0"`, "at least 1e-140 m"}},
		{"negative radius", balls + "1,2,3,-2\n", nil, []string{"line 3, column r", `"-2"`, "at least 1e-140 m"}},
		{"far", balls + "2e140,2,3,1\n", nil, []string{"line 3, column x", `"2e140"`, "1e+140"}},
		{"inverted", boxes + "0,0,0,1,1,1\n0,2,0,1,1,1\n", nil, []string{"line 3, column maxy", `"1"`, "at least miny, which is 2"}},
		{"infinite box", boxes + "0,0,0,1,1,inf\n", nil, []string{"line 2, column maxz", `"inf"`}},
		{"repeated id", "id,x,y,z,r\n4,0,0,0,1\n5,0,0,0,1\n4,1,1,1,1\n", nil, []string{"line 4, column id", `"4"`, "line 2"}},
		{"fraction of an id", "id,x,y,z,r\n0.5,0,0,0,1\n", nil, []string{"line 2, column id", `"0.5"`, "whole number"}},
		{"large id", "id,x,y,z,r\n4294967296,0,0,0,1\n", nil, []string{"line 2, column id", "4294967295"}},
		{"negative id", "id,x,y,z,r\n-1,0,0,0,1\n", nil, []string{"line 2, column id", `"-1"`}},
		{"no frame", "frame,x,y,z,r\n,0,0,0,1\n", nil, []string{"line 2, column frame", "found nothing"}},
		{"frames", "frame,x,y,z,r\n1,0,0,0,1\n0,0,0,0,1\n", nil, []string{"line 3, column frame", `"0"`, "at least 1", "rising"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"neighbors"}, c.args...)
			if c.name != "nothing" && !strings.Contains(strings.Join(args, " "), "--in") {
				args = append(args, "--in", write(t, "bodies.csv", c.table))
			}
			call(args...).wantsOneLine(t, 2, c.want...)
		})
	}
}
