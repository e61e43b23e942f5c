package fileio

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/vec"
)

// bodiesFrame returns two cubes with fields per cell and per point.
func bodiesFrame() *PolyData {
	d := &PolyData{Time: 0.1, Names: []string{"ä <&> cube", ""}}
	var id, kind []int64
	var velocity []float64
	for b := range 2 {
		m := cube(vec.Vec3{X: 2 * float64(b), Z: 0.1}, 1.0/3)
		first := int64(len(d.Points) / 3)
		for _, v := range m.Verts {
			d.Points = append(d.Points, v.X, v.Y, v.Z)
		}
		for i, f := range m.Faces {
			for _, v := range f {
				d.Polys.Connectivity = append(d.Polys.Connectivity, first+int64(v))
			}
			d.Polys.Offsets = append(d.Polys.Offsets, int64(len(d.Polys.Connectivity)))
			id = append(id, int64(b))
			kind = append(kind, int64(i)<<40)
			velocity = append(velocity, float64(b), -1.0/3, float64(i))
		}
	}
	d.CellData = []Field{{Name: "id", Ints: id}, {Name: "kind", Ints: kind}, {Name: "velocity", Components: 3, Floats: velocity}}
	d.PointData = []Field{{Name: `speed <"&'> µ`, Floats: make([]float64, 16)}}
	d.PointData[0].Floats[3] = math.NaN()
	return d
}

// contactsFrame returns three contacts as dots.
func contactsFrame() *PolyData {
	return &PolyData{
		Points: []float64{0, 0, 0, 1, 2, 3, -1, 0.5, 1e-9},
		Verts:  CellList{Connectivity: []int64{0, 1, 2}, Offsets: []int64{1, 2, 3}},
		PointData: []Field{{Name: "gap", Floats: []float64{-1e-6, 0, 2e-3}},
			{Name: "force", Components: 3, Floats: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}}},
	}
}

// dotsFrame returns n dots, whose columns with one component have 8n bytes.
func dotsFrame(n int) *PolyData {
	d := &PolyData{Points: make([]float64, 3*n)}
	id := make([]int64, n)
	for i := range n {
		d.Points[3*i] = float64(i)
		id[i] = int64(i) * int64(i)
		d.Verts.Connectivity = append(d.Verts.Connectivity, int64(i))
		d.Verts.Offsets = append(d.Verts.Offsets, int64(i+1))
	}
	d.PointData = []Field{{Name: "id", Ints: id}}
	return d
}

// vtpRead is the content that readVTP finds in a file.
type vtpRead struct {
	time                 float64
	names                []string // one empty name if there are none
	points, verts, polys int
	arrays               map[string]any // by section and name: []float64 or []int64
	components           map[string]int
}

// inflated returns the contents of the blocks of an array, and the size of the blocks with their
// header.
func inflated(t *testing.T, b []byte) (plain []byte, packed int) {
	t.Helper()
	word := func(i int) int { return int(binary.LittleEndian.Uint64(b[8*i:])) }
	blocks, size, last := word(0), word(1), word(2)
	packed = 8 * (3 + blocks)
	for i := range blocks {
		want := size
		if i == blocks-1 && last > 0 {
			want = last
		}
		z, err := zlib.NewReader(bytes.NewReader(b[packed : packed+word(3+i)]))
		if err != nil {
			t.Fatal(err)
		}
		block, err := io.ReadAll(z)
		if err != nil || len(block) != want {
			t.Fatalf("block %d holds %d bytes, expected %d: %v", i, len(block), want, err)
		}
		plain = append(plain, block...)
		packed += word(3 + i)
	}
	return plain, packed
}

// readVTP reads a file according to the format, without the code that wrote it.
func readVTP(t *testing.T, path string) vtpRead {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The data after the underscore is not XML, so cut it out and read the rest as XML.
	const mark = "<AppendedData encoding=\"raw\">\n_"
	head, appended, ok := bytes.Cut(content, []byte(mark))
	if !ok || !bytes.HasSuffix(appended, []byte("\n</AppendedData>\n</VTKFile>\n")) {
		t.Fatal("no appended part")
	}
	type section struct {
		Arrays []struct {
			Type       string `xml:"type,attr"`
			Name       string `xml:"Name,attr"`
			Components int    `xml:"NumberOfComponents,attr"`
			Format     string `xml:"format,attr"`
			Offset     int    `xml:"offset,attr"`
		} `xml:"DataArray"`
	}
	var file struct {
		Type   string `xml:"type,attr"`
		Order  string `xml:"byte_order,attr"`
		Header string `xml:"header_type,attr"`
		Packed string `xml:"compressor,attr"`
		Field  struct {
			Arrays []struct {
				Type   string  `xml:"type,attr"`
				Name   string  `xml:"Name,attr"`
				Tuples int     `xml:"NumberOfTuples,attr"`
				Format string  `xml:"format,attr"`
				Value  float64 `xml:",chardata"`
			} `xml:"DataArray"`
			Names struct {
				Codes string `xml:",chardata"`
			} `xml:"Array"`
		} `xml:"PolyData>FieldData"`
		Piece struct {
			NPoints   int `xml:"NumberOfPoints,attr"`
			NVerts    int `xml:"NumberOfVerts,attr"`
			NPolys    int `xml:"NumberOfPolys,attr"`
			PointData section
			CellData  section
			Points    section
			Verts     section
			Polys     section
		} `xml:"PolyData>Piece"`
	}
	whole := string(head) + "</VTKFile>"
	if err := xml.Unmarshal([]byte(whole), &file); err != nil {
		t.Fatal(err)
	}
	if file.Type != "PolyData" || file.Order != "LittleEndian" || file.Header != "UInt64" ||
		file.Packed != "vtkZLibDataCompressor" {
		t.Fatalf("header %s %s %s %s", file.Type, file.Order, file.Header, file.Packed)
	}
	var time []float64
	for _, a := range file.Field.Arrays {
		if a.Name == "TimeValue" && a.Type == "Float64" && a.Tuples == 1 && a.Format == "ascii" {
			time = append(time, a.Value)
		}
	}
	if len(time) != 1 {
		t.Fatalf("the frame has %d times", len(time))
	}
	names := strings.Split(strings.Trim(file.Field.Names.Codes, "\n"), "\n")
	for i, line := range names {
		var name []byte
		for _, code := range strings.Fields(line) {
			c, err := strconv.ParseUint(code, 10, 8)
			if err != nil {
				t.Fatal(err)
			}
			name = append(name, byte(c))
		}
		names[i] = string(bytes.TrimSuffix(name, []byte{0}))
	}
	read := vtpRead{time[0], names, file.Piece.NPoints, file.Piece.NVerts, file.Piece.NPolys, map[string]any{}, map[string]int{}}
	used := 0
	for name, s := range map[string]section{"point": file.Piece.PointData, "cell": file.Piece.CellData,
		"": file.Piece.Points, "verts": file.Piece.Verts, "polys": file.Piece.Polys} {
		for _, a := range s.Arrays {
			if a.Format != "appended" {
				t.Fatalf("%s: format %s", a.Name, a.Format)
			}
			block, packed := inflated(t, appended[a.Offset:])
			used += packed
			n := len(block)
			var values any
			switch a.Type {
			case "Float64":
				x := make([]float64, n/8)
				for i := range x {
					x[i] = math.Float64frombits(binary.LittleEndian.Uint64(block[8*i:]))
				}
				values = x
			case "Int64":
				x := make([]int64, n/8)
				for i := range x {
					x[i] = int64(binary.LittleEndian.Uint64(block[8*i:]))
				}
				values = x
			default:
				t.Fatalf("%s: type %s", a.Name, a.Type)
			}
			read.arrays[name+"/"+a.Name] = values
			read.components[name+"/"+a.Name] = a.Components
		}
	}
	if want := len(appended) - len("\n</AppendedData>\n</VTKFile>\n"); used != want {
		t.Fatalf("blocks of %d bytes, expected %d", used, want)
	}
	return read
}

func TestVTPReadsBack(t *testing.T) {
	for name, d := range map[string]*PolyData{"bodies": bodiesFrame(), "contacts": contactsFrame(), "nothing": {},
		"full blocks": dotsFrame(2 * vtpBlockBytes / 8), "blocks and a rest": dotsFrame(2*vtpBlockBytes/8 + 1)} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.vtp")
			if err := WriteVTP(t.Context(), path, d); err != nil {
				t.Fatal(err)
			}
			got := readVTP(t, path)
			if got.time != d.Time || len(d.Names) > 0 && !slices.Equal(got.names, d.Names) {
				t.Errorf("time %g and names %q, expected %g and %q", got.time, got.names, d.Time, d.Names)
			}
			if got.points != len(d.Points)/3 || got.verts != len(d.Verts.Offsets) || got.polys != len(d.Polys.Offsets) {
				t.Fatalf("%d points, %d verts, %d polys", got.points, got.verts, got.polys)
			}
			same := func(key string, components int, floats []float64, ints []int64) {
				t.Helper()
				want := any(append([]int64{}, ints...))
				if floats != nil {
					want = append([]float64{}, floats...)
				}
				if fmt.Sprint(got.arrays[key]) != fmt.Sprint(want) || got.components[key] != components {
					t.Fatalf("%s: got %v of %d, want %v of %d", key, got.arrays[key], got.components[key], want, components)
				}
			}
			if len(d.Points) > 0 {
				same("/Points", 3, d.Points, nil)
			}
			same("verts/connectivity", 1, nil, d.Verts.Connectivity)
			same("verts/offsets", 1, nil, d.Verts.Offsets)
			same("polys/connectivity", 1, nil, d.Polys.Connectivity)
			same("polys/offsets", 1, nil, d.Polys.Offsets)
			for _, f := range d.PointData {
				same("point/"+f.Name, f.components(), f.Floats, f.Ints)
			}
			for _, f := range d.CellData {
				same("cell/"+f.Name, f.components(), f.Floats, f.Ints)
			}
			if len(got.arrays) != 5+len(d.PointData)+len(d.CellData) {
				t.Fatalf("%d arrays", len(got.arrays))
			}
		})
	}
}

func TestVTPRefuses(t *testing.T) {
	cases := []struct {
		name   string
		change func(d *PolyData)
		want   string
	}{
		{"coordinates", func(d *PolyData) { d.Points = d.Points[:5] }, "5 coordinates"},
		{"time", func(d *PolyData) { d.Time = math.Inf(1) }, "time is +Inf"},
		{"name", func(d *PolyData) { d.Names = []string{"a\x00b"} }, "has a NUL"},
		{"point index", func(d *PolyData) { d.Polys.Connectivity[5] = 16 }, "corner 5 names point 16 of 16"},
		{"negative index", func(d *PolyData) { d.Polys.Connectivity[5] = -1 }, "point -1"},
		{"offset goes back", func(d *PolyData) { d.Polys.Offsets[3] = 2 }, "offset 2 of cell 3 comes after 12"},
		{"offset too short", func(d *PolyData) { d.Polys.Offsets = d.Polys.Offsets[:11] }, "last offset is 44"},
		{"cell field", func(d *PolyData) { d.CellData[2].Floats = d.CellData[2].Floats[:9] }, `cell field "velocity" has 9 values, expected 12 of 3`},
		{"point field", func(d *PolyData) { d.PointData[0].Components = 2 }, "expected 16 of 2"},
		{"frame field", func(d *PolyData) { d.FieldData = []Field{{Name: "pose", Components: 7, Floats: make([]float64, 8)}} }, `frame field "pose" has 8 values, expected 1 of 7`},
		{"frame field twice", func(d *PolyData) { d.FieldData = []Field{{Name: "a", Ints: []int64{}}, {Name: "a", Ints: []int64{}}} }, `frame field "a" is given twice`},
		{"time twice", func(d *PolyData) { d.FieldData = []Field{{Name: "TimeValue", Floats: []float64{}}} }, `frame field "TimeValue" is given twice`},
		{"both kinds", func(d *PolyData) { d.CellData[0].Floats = make([]float64, 12) }, "both floats and ints"},
		{"one name twice", func(d *PolyData) { d.CellData[1].Name = "id" }, `"id" is given twice`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := bodiesFrame()
			c.change(d)
			dir := t.TempDir()
			err := WriteVTP(t.Context(), filepath.Join(dir, "f.vtp"), d)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Fatalf("%v was left behind", left)
			}
		})
	}
}

// TestVTPCancelled: a cancelled write leaves no file.
func TestVTPCancelled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := WriteVTP(ctx, filepath.Join(dir, "f.vtp"), bodiesFrame()); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Fatalf("%v was left behind", left)
	}
}

// TestVTPShrinks: fields of bodies, which repeat for each face, take almost no space.
func TestVTPShrinks(t *testing.T) {
	const n = 1 << 14
	d := dotsFrame(n)
	d.PointData = []Field{{Name: "velocity", Components: 3, Floats: make([]float64, 3*n)}}
	for i := range d.PointData[0].Floats {
		d.PointData[0].Floats[i] = math.Sqrt(float64(i / 72)) // 24 faces per body
	}
	path := filepath.Join(t.TempDir(), "f.vtp")
	if err := WriteVTP(t.Context(), path, d); err != nil {
		t.Fatal(err)
	}
	stat, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if plain := int64(8 * (3 + 3 + 1 + 1) * n); stat.Size() > plain/5 {
		t.Fatalf("%d bytes of %d", stat.Size(), plain)
	}
}

func TestSeries(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out", "run")
	s, err := NewSeries(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := func() []SeriesFrame {
		file, err := os.Open(filepath.Join(dir, SeriesName))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		frames, err := decodePVD(SeriesName, file)
		if err != nil {
			t.Fatal(err)
		}
		return frames
	}
	if got := list(); len(got) != 0 {
		t.Fatalf("a new series lists %v", got)
	}
	var want []SeriesFrame
	for step := range 3 {
		for _, part := range []string{"bodies", `contacts <"&">`} {
			file := fmt.Sprintf("%s-%d.vtp", strings.Fields(part)[0], step)
			if err := WriteVTP(t.Context(), filepath.Join(dir, file), contactsFrame()); err != nil {
				t.Fatal(err)
			}
			name := file
			if step == 1 {
				name = filepath.Join(dir, file) // An absolute path becomes relative.
			}
			if err := s.Add(SeriesFrame{0.1 * float64(step), part, name}); err != nil {
				t.Fatal(err)
			}
			// After each frame the list on disk is complete.
			want = append(want, SeriesFrame{0.1 * float64(step), part, file})
			if got := list(); !reflect.DeepEqual(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
	}
	content, _ := os.ReadFile(filepath.Join(dir, SeriesName))
	if strings.Count(string(content), `part="0"`) != 3 || strings.Count(string(content), `part="1"`) != 3 {
		t.Fatalf("parts are not numbered: %s", content)
	}
	if err := s.Add(SeriesFrame{1, "bodies", "missing.vtp"}); err == nil {
		t.Fatal("a frame that is not there was listed")
	}
	if err := s.Add(SeriesFrame{math.NaN(), "bodies", "bodies-0.vtp"}); err == nil {
		t.Fatal("a frame at no time was listed")
	}
	onFullDisk(t, 100, false)
	if err := s.Add(SeriesFrame{9, "bodies", "bodies-0.vtp"}); err == nil {
		t.Fatal("a full disk took the list")
	}
	if got := list(); !reflect.DeepEqual(got, want) {
		t.Fatalf("after failures: %v", got)
	}
	onFullDisk(t, 1<<20, false)
	_, err = ResumeSeries(dir, 0.2)
	if err != nil || !reflect.DeepEqual(list(), want[:4]) {
		t.Fatalf("resumed: %v, %v", err, list())
	}
	if err := os.WriteFile(filepath.Join(dir, SeriesName), []byte("<VTKFile type='PolyData'/>"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ResumeSeries(dir, 1); err == nil || !strings.Contains(err.Error(), "PolyData") {
		t.Fatalf("another file in place of the list: %v", err)
	}
}

// vtkScript reads a series with VTK itself and prints what it found. VTK has no reader for .pvd,
// which is a ParaView format, so the script reads the list as XML, and each frame with VTK.
const vtkScript = `
import os, sys
import xml.etree.ElementTree as tree
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
folder = sys.argv[1]
for entry in tree.parse(os.path.join(folder, "series.pvd")).getroot().find("Collection"):
    reader = vtkXMLPolyDataReader()
    path = os.path.join(folder, entry.get("file"))
    assert reader.CanReadFile(path)
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0
    data = reader.GetOutput()
    print(entry.get("timestep"), data.GetNumberOfPoints(), data.GetNumberOfVerts(), data.GetNumberOfPolys(), end=" ")
    field = data.GetFieldData()
    print(field.GetArray("TimeValue").GetValue(0), end=" ")
    names = field.GetAbstractArray("name")
    if names:
        print(*[ascii(names.GetValue(i)) for i in range(names.GetNumberOfValues())], end=" ")
    if data.GetNumberOfPoints() == 0:
        print()
        continue
    print("%.17g" % data.GetPoint(2)[0], *data.GetBounds()[:1], end=" ")
    for fields in (data.GetPointData(), data.GetCellData()):
        for i in range(fields.GetNumberOfArrays()):
            a = fields.GetArray(i)
            last = ",".join("%.17g" % v for v in a.GetTuple(a.GetNumberOfTuples() - 1))
            print(ascii(fields.GetArrayName(i)), a.GetNumberOfTuples(), last, end=" ")
    cell = data.GetCell(data.GetNumberOfCells() - 1)
    print(*[cell.GetPointId(i) for i in range(cell.GetNumberOfPoints())])
`

func TestVTKReadsFrames(t *testing.T) {
	python := "/usr/bin/python3"
	err := exec.Command(python, "-c", "import vtkmodules.vtkIOXML").Run()
	require.Tool(t, err == nil, "Python with VTK is not installed (Debian: python3-vtk9)")
	dir := t.TempDir()
	s, err := NewSeries(dir)
	if err != nil {
		t.Fatal(err)
	}
	const dots = 3*vtpBlockBytes/8 + 5
	for part, d := range map[string]*PolyData{"bodies": bodiesFrame(), "contacts": contactsFrame(), "nothing": {},
		"dots": dotsFrame(dots)} {
		if err := WriteVTP(t.Context(), filepath.Join(dir, part+".vtp"), d); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{"bodies", "contacts", "nothing", "dots"} {
		if err := s.Add(SeriesFrame{0.25, part, part + ".vtp"}); err != nil {
			t.Fatal(err)
		}
	}
	var complaints bytes.Buffer
	command := exec.Command(python, "-c", vtkScript, dir)
	command.Stderr = &complaints
	got, err := command.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	want := `0.25 16 0 12 0.1 '\xe4 <&> cube' '' 0 0.0 'speed <"&\'> \xb5' 16 0 'id' 12 1 'kind' 12 5497558138880 ` +
		"'velocity' 12 1,-0.33333333333333331,5 9 11 15 13\n" +
		"0.25 3 3 0 0.0 -1 -1.0 'gap' 3 0.002 'force' 3 7,8,9 2\n" +
		"0.25 0 0 0 0.0 \n" +
		fmt.Sprintf("0.25 %d %[1]d 0 0.0 2 0.0 'id' %[1]d %d %d\n", dots, (dots-1)*(dots-1), dots-1)
	if string(got) != want {
		t.Fatalf("VTK reads\n%s\nwant\n%s", got, want)
	}
}

func BenchmarkWriteVTP(b *testing.B) {
	const n = 1 << 17
	d := &PolyData{Points: make([]float64, 3*n), PointData: []Field{{Name: "v", Components: 3, Floats: make([]float64, 3*n)}}}
	for i := range int64(n) {
		d.Verts.Connectivity = append(d.Verts.Connectivity, i)
		d.Verts.Offsets = append(d.Verts.Offsets, i+1)
	}
	path := filepath.Join(b.TempDir(), "f.vtp")
	b.Run(fmt.Sprintf("points=%d", n), func(b *testing.B) {
		b.SetBytes(8 * 8 * n)
		b.ReportAllocs()
		for b.Loop() {
			if err := WriteVTP(b.Context(), path, d); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestSharedRows: a field with rows is written as if each cell had its own values. Invalid rows are
// errors.
func TestSharedRows(t *testing.T) {
	write := func(d *PolyData) ([]byte, error) {
		path := filepath.Join(t.TempDir(), "frame.vtp")
		if err := WriteVTP(t.Context(), path, d); err != nil {
			return nil, err
		}
		return os.ReadFile(path)
	}
	shared := func() *PolyData {
		d := bodiesFrame()
		rows := []int32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
		d.CellData = []Field{{Name: "id", Ints: []int64{7, -9}, Rows: rows},
			{Name: "velocity", Components: 3, Floats: []float64{1, 2, 3, 4, 5, 1.0 / 3}, Rows: rows}}
		return d
	}
	own := shared()
	for i := range own.CellData {
		f := &own.CellData[i]
		all := Field{Name: f.Name, Components: f.Components}
		for _, row := range f.Rows {
			if f.Ints != nil {
				all.Ints = append(all.Ints, f.Ints[row])
			} else {
				all.Floats = append(all.Floats, f.Floats[3*row:3*row+3]...)
			}
		}
		*f = all
	}
	got, err1 := write(shared())
	want, err2 := write(own)
	if err := errors.Join(err1, err2); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes with shared rows, %d without, expected the same bytes; error %v", len(got), len(want), err)
	}
	for want, change := range map[string]func(f *Field){
		"has row 2 of 2":      func(f *Field) { f.Rows[3] = 2 },
		"has row -1 of 2":     func(f *Field) { f.Rows[0] = -1 },
		"the rows of 11":      func(f *Field) { f.Rows = f.Rows[:11] },
		"5 values of 3 compo": func(f *Field) { f.Floats = f.Floats[:5] },
	} {
		d := shared()
		change(&d.CellData[1])
		if _, err := write(d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected that it has %q", err, want)
		}
	}
}
