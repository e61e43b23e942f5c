package pairs

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry"
)

const good = "box:1x1x1,box:1x1x1,0,0,0,1,0,0,0,3,0,0,1,0,0,0"

// TestBadRows: an error in a row is reported in that row, and the rows around it are answered.
func TestBadRows(t *testing.T) {
	dir := folder(t, map[string]string{"cube.obj": cubeOBJ(0), "dented.obj": cubeOBJ(0.5), "broken.off": "OFF\n3 1\n",
		"twice.obj": cubeOBJ(0), "twice.off": "OFF\n3 1\n", "twice.stl": "solid\n"})
	shapes := shapesOf(t, dir)
	with := func(column int, value string) string {
		values := strings.Split(good, ",")
		values[column] = value
		return strings.Join(values, ",")
	}
	for _, c := range []struct {
		name, row string
		want      []string
	}{
		{"unknown shape", with(0, "sphere"), []string{"unknown shape", `"sphere"`, "cube", "box:1x1x1"}},
		{"no shape", with(1, ""), []string{"unknown shape", `""`}},
		{"bad builtin", with(0, "box:1x1"), []string{"box:1x1", "box:AxBxC"}},
		{"flat builtin", with(0, "box:1x1x0"), []string{"box:1x1x0"}},
		{"mesh that is not convex", with(1, "dented"), []string{"dented.obj", "convex", "scree shape hull"}},
		{"mesh that is broken", with(1, "broken"), []string{"broken.off", "truncated"}},
		{"NaN", with(2, "nan"), []string{`column ax: found "nan", expected a finite number`}},
		{"infinite", with(9, "-Inf"), []string{`column bx: found "-Inf", expected a finite number`}},
		{"too large", with(11, "1e999"), []string{"column bz", "1e999", "finite"}},
		{"a number of Go", with(2, "1_0"), []string{"column ax", `"1_0"`, "finite"}},
		{"a hexadecimal number", with(2, "0x1p3"), []string{"column ax", `"0x1p3"`, "finite"}},
		{"a builtin by Go's numbers", with(0, "tetra:1_0"), []string{"1_0", "finite"}},
		{"a name that two files have", with(1, "twice"), []string{"twice.obj", "twice.off", "same name"}},
		{"no number", with(3, "here"), []string{"column ay", "here", "finite"}},
		{"nothing", with(4, ""), []string{"column az", "found nothing"}},
		{"zero quaternion", with(5, "0"), []string{"column aqw", "length 1", "found length 0"}},
		{"long quaternion", with(12, "1.002"), []string{"column bqw", "length 1", "1.002"}},
		{"huge quaternion", with(13, "1e200"), []string{"column bqw", "length"}},
		{"too few values", "box:1x1x1,box:1x1x1,0,0,0,1,0,0,0,3,0", []string{"16 values", "found 11"}},
		{"cut in a number", good[:len(good)-8], []string{"16 values"}},
		{"too many values", good + ",7", []string{"16 values", "found 17"}},
		{"open quote", `"rock:1,20,1,` + good, []string{"quotes"}},
		{"quote inside", `bo"x,` + good, []string{`bo\"x`, "quotes"}},
		{"behind a quote", `"box:1x1x1"x` + good[9:], []string{"quotes"}},
		{"a zero byte", strings.Replace(good, ",0,", ",0\x00,", 1), []string{"column ax", `0\x00`}},
		{"binary", string(garbage(3000)), []string{"expected"}},
		{"poses that overflow", with(2, "1e308") + "\n" + with(9, "-1.7e308"), []string{"too far apart"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := head + "\n" + good + "\n" + c.row + "\n" + good + "\n"
			out, stats, err := text(t, table, defaults(), shapes)
			if !errors.Is(err, ErrRows) || !strings.Contains(err.Error(), "row 2, line 3: ") || !strings.Contains(err.Error(), "pairs.csv") {
				t.Errorf("error %v", err)
			}
			list := parsed(t, out)
			last := len(list) - 1
			for _, i := range []int{0, last} {
				if list[i].status != apart || list[i].gap != 2 {
					t.Errorf("row %d: %+v", i+1, list[i])
				}
			}
			if list[1].status != failed || stats.Status[failed] != int64(last-1) || stats.Pairs != int64(last+1) {
				t.Fatalf("%+v %v", list[1], stats.Status)
			}
			for _, want := range c.want {
				if !strings.Contains(list[1].message, want) {
					t.Errorf("message %q, expected %q in it", list[1].message, want)
				}
			}
			for _, not := range []string{"geometry: ", "fileio: ", "pairs: ", "line 3"} {
				if strings.Contains(list[1].message, not) {
					t.Errorf("message %q has %q", list[1].message, not)
				}
			}
		})
	}
	tracked := trackHead + good + ",1.5\n" + good + ",\n"
	list, _ := run(t, tracked, defaults(), shapes)
	if list[0].status != failed || !strings.Contains(list[0].message, "column track") || list[1].status != apart {
		t.Errorf("%+v", list)
	}
	for value, want := range map[string]string{"-0.1": "from 0 to 1e+50 m", "1e308": "from 0 to 1e+50 m", "nan": "finite"} {
		list, _ := run(t, head+",round_a\n"+good+","+value+"\n", defaults(), shapes)
		if list[0].status != failed || !strings.Contains(list[0].message, "column round_a") || !strings.Contains(list[0].message, want) {
			t.Errorf("round_a %s: %+v", value, list[0])
		}
	}
}

// garbage returns n meaningless bytes, the same each time.
func garbage(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// TestBadTables: an error of the table as a whole ends the run, and the message names the position.
func TestBadTables(t *testing.T) {
	for _, c := range []struct {
		name, table string
		want        []string
	}{
		{"empty", "", []string{"pairs.csv, line 1", "truncated", "shape_a,shape_b"}},
		{"unknown column", head + ",colour\n", []string{"pairs.csv, line 1", "colour", "round_b"}},
		{"unknown columns", "id," + head + ",colour\n", []string{"id, colour"}},
		{"missing column", strings.Replace(head, ",bqz", "", 1) + "\n", []string{"also the columns bqz"}},
		{"binary", string(garbage(4000)), []string{"pairs.csv, line 1"}},
		{"UTF-16", "\xff\xfe" + strings.ReplaceAll(head+"\n", "", "\x00")[1:], []string{"pairs.csv, line 1", "UTF-8"}},
		{"lines that end as of old", strings.ReplaceAll(head+"\n"+good+"\n", "\n", "\r"), []string{"pairs.csv, line 1", `bqz\rbox`}},
		{"column twice", head + ",ax\n", []string{`"ax"`, "each column once"}},
		{"no end of a line", head + "\n" + good + "\n" + strings.Repeat("1", 1<<17), []string{"pairs.csv, line 3", "65536 bytes"}},
		{"no end of the header", strings.Repeat("x", 1<<17), []string{"pairs.csv, line 1", "65536 bytes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := text(t, c.table, defaults(), shapesOf(t))
			var input *fileio.InputError
			if !errors.As(err, &input) {
				t.Fatalf("error %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, expected %q in it", err, want)
				}
			}
		})
	}
	list, _ := run(t, head, defaults(), shapesOf(t))
	if len(list) != 0 {
		t.Errorf("a table without rows has %v", list)
	}
}

// TestForms: the order of columns, blanks, quotes, line ends, blank lines, a byte order mark and a
// missing last line end make no difference.
func TestForms(t *testing.T) {
	names := strings.Split(head, ",")
	values := strings.Split("box:1x1x1,octa:1,0,0,0,1,0,0,0,0.5,0.25,2,1,0,0,0", ",")
	want, _, err := text(t, head+"\n"+strings.Join(values, ",")+"\n", defaults(), shapesOf(t))
	if err != nil {
		t.Fatal(err)
	}
	turned := func(s []string) string {
		var r []string
		for i := range s {
			r = append(r, s[(5*i+3)%len(s)])
		}
		return strings.Join(r, ",")
	}
	inQuotes := `"` + strings.Join(values, `","`) + `"`
	for name, table := range map[string]string{
		"order":        turned(names) + "\n" + turned(values) + "\n",
		"blanks":       " " + strings.Join(names, " ,\t") + "\n" + strings.Join(values, " , ") + "  \n",
		"quotes":       head + "\n" + inQuotes + "\n",
		"quote blanks": head + "\n" + strings.ReplaceAll(inQuotes, ",", " , ") + "\n",
		"windows":      "\ufeff" + head + "\r\n" + strings.Join(values, ",") + "\r\n",
		"blank lines":  "\n\n" + head + "\n \n" + strings.Join(values, ",") + "\n\n\n",
		"no last end":  head + "\n" + strings.Join(values, ","),
		"sign":         head + "\n" + strings.Replace(strings.Join(values, ","), ",0,0,0,1,0,0,0,", ",-0,+0,0e5,1,-0,0,0,", 1),
		"long by 1e-4": head + "\n" + strings.Replace(strings.Join(values, ","), ",0,0,0,1,0,0,0,", ",0,0,0,1.0001,0,0,0,", 1),
		"other sign":   head + "\n" + strings.Replace(strings.Join(values, ","), ",0,0,0,1,0,0,0,", ",0,0,0,-1,0,0,0,", 1),
	} {
		if got, _, err := text(t, table, defaults(), shapesOf(t)); err != nil || got != want {
			t.Errorf("%s: %v\n%s\nexpected\n%s", name, err, got, want)
		}
	}
}

// TestLoadShapes tests all sources of shapes and their errors.
func TestLoadShapes(t *testing.T) {
	dir := folder(t, map[string]string{"cube.obj": cubeOBJ(0), "other.OBJ": cubeOBJ(0), "readme.txt": "no mesh"})
	twin := folder(t, map[string]string{"cube.obj": cubeOBJ(0)})
	bad := folder(t, map[string]string{"dented.obj": cubeOBJ(0.5), "broken.stl": "solid\nfacet"})
	cube := filepath.Join(dir, "cube.obj")
	for _, paths := range [][]string{{dir}, {cube, dir}, {cube, cube, "box:1x1x1"}, {dir, bad}} {
		s := shapesOf(t, paths...)
		list, _ := run(t, head+"\n"+"cube,cube,"+good[20:]+"\n", defaults(), s)
		if list[0].gap != 2 || s.Len() < 1 {
			t.Errorf("%v: %+v, %d shapes", paths, list[0], s.Len())
		}
	}
	for _, paths := range [][]string{{dir, twin}, {dir, twin, cube}, {cube, twin}} {
		list, _ := run(t, head+"\n"+"cube,cube,"+good[20:]+"\n"+good+"\n", defaults(), shapesOf(t, paths...))
		if list[0].status != failed || !strings.Contains(list[0].message, `same name "cube"`) || list[1].status != apart {
			t.Errorf("%v: %+v", paths, list)
		}
	}
	for _, c := range []struct {
		paths []string
		is    error
		want  string
	}{
		{[]string{filepath.Join(bad, "dented.obj")}, geometry.ErrNotConvex, "dented.obj"},
		{[]string{filepath.Join(bad, "broken.stl")}, nil, "broken.stl"},
		{[]string{filepath.Join(dir, "none.obj")}, fs.ErrNotExist, "none.obj: no such file"},
		{[]string{filepath.Join(dir, "readme.txt")}, fileio.ErrUnknownFormat, "readme.txt"},
		{[]string{cube, filepath.Join(twin, "cube.obj")}, ErrShapes, `"cube"`},
		{[]string{t.TempDir()}, ErrShapes, "no mesh"},
		{[]string{"box:1x2"}, geometry.ErrValue, "box:AxBxC"},
	} {
		_, err := LoadShapes(c.paths)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, expected %v with %q", c.paths, err, c.is, c.want)
		}
	}
}

// TestNames tests names of methods and locations: available, of later releases, and unknown.
func TestNames(t *testing.T) {
	for _, name := range []string{"auto", "gjk-epa"} {
		if m, err := ParseMethod(name); err != nil || m.String() != name {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	for name, want := range map[string]error{"slm2": ErrOption, "": ErrOption} {
		if _, err := ParseMethod(name); !errors.Is(err, want) || !strings.Contains(err.Error(), `"`+name+`" is unknown, expected one of auto, gjk-epa`) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, want := range map[string]error{"reduced": nil, "none": nil, "full": nil, "dual": nil, "middle": ErrOption} {
		if l, err := ParseLocation(name); !errors.Is(err, want) || err == nil && l.String() != name {
			t.Errorf("%q: %v, %v", name, l, err)
		}
	}
}
