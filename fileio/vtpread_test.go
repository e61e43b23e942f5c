package fileio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readableFrame returns n points with a field of one component and one of three. Several points share a row of shared.
func readableFrame(n int) *PolyData {
	d := &PolyData{Points: make([]float64, 3*n)}
	one, three, rows := make([]float64, n), make([]float64, 3*n), make([]int32, n)
	for i := range n {
		one[i], rows[i] = 1/float64(i), int32(i%2) // the first is infinite
		for k := range 3 {
			three[3*i+k] = math.Sin(float64(3*i + k))
		}
	}
	if n > 2 {
		one[1], one[2] = math.NaN(), math.Copysign(0, -1)
	}
	d.PointData = []Field{
		{Name: "number", Ints: make([]int64, n)}, {Name: "one", Floats: one}, {Name: `three <"&'> µ`, Components: 3, Floats: three},
		{Name: "shared", Components: 3, Floats: []float64{1, 2, 3, 4, 5, 6}, Rows: rows},
	}
	return d
}

// readFields opens a frame and reads fields of floats per point.
func readFields(path string, names ...string) (map[string][]float64, error) {
	v, err := OpenVTP(path)
	if err != nil {
		return nil, err
	}
	fields := map[string][]float64{}
	for _, name := range names {
		if fields[name], err = v.Floats("PointData", name); err != nil {
			return nil, err
		}
	}
	return fields, nil
}

// TestOpenVTP: fields read back with the bits that WriteVTP has got: in no block, one, full ones, and with a rest.
func TestOpenVTP(t *testing.T) {
	const block = vtpBlockBytes / 8
	path := filepath.Join(t.TempDir(), "f.vtp")
	for _, n := range []int{0, 1, 5, block, 2*block + 1} {
		d := readableFrame(n)
		if err := WriteVTP(t.Context(), path, d); err != nil {
			t.Fatal(err)
		}
		fields, err := readFields(path, "shared", d.PointData[2].Name, "one")
		if err != nil || len(fields) != 3 {
			t.Fatalf("%d points: %d fields, %v", n, len(fields), err)
		}
		for _, want := range d.PointData[1:] {
			got, c := fields[want.Name], want.components()
			if len(got) != c*n {
				t.Fatalf("%d points: field %q with %d values", n, want.Name, len(got))
			}
			for k, x := range got {
				from := k
				if want.Rows != nil {
					from = int(want.Rows[k/c])*c + k%c
				}
				if math.Float64bits(x) != math.Float64bits(want.Floats[from]) {
					t.Fatalf("%d points: value %d of %q is %g, expected %g", n, k, want.Name, x, want.Floats[from])
				}
			}
		}
	}
	for _, name := range []string{"number", "none"} {
		if _, err := readFields(path, name); err == nil || !strings.Contains(err.Error(), path+`: expected a frame with the field "`+name) {
			t.Errorf("field %q: error %v", name, err)
		}
	}
}

// TestOpenVTPWhole: everything of a frame reads back: cells, points, field data, time and names.
func TestOpenVTPWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.vtp")
	d := bodiesFrame()
	d.Names = []string{"ä <&> cube", ""}
	d.FieldData = []Field{{Name: "pose", Components: 7, Floats: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}}, {Name: "none", Ints: []int64{}}, {Name: "form", Ints: []int64{-1, 1 << 53}}}
	if err := WriteVTP(t.Context(), path, d); err != nil {
		t.Fatal(err)
	}
	v, err := OpenVTP(path)
	if err != nil || v.Points != len(d.Points)/3 || v.Polys != len(d.Polys.Offsets) || v.Verts != 0 || v.Time != d.Time || !slices.Equal(v.Names, d.Names) {
		t.Fatalf("%d points, %d polygons, time %g, names %q, %v", v.Points, v.Polys, v.Time, v.Names, err)
	}
	points, err := v.Floats("Points", "Points")
	if err != nil || !slices.Equal(points, d.Points) {
		t.Fatalf("points %v, %v", points, err)
	}
	for name, want := range map[string][]int64{"connectivity": d.Polys.Connectivity, "offsets": d.Polys.Offsets} {
		if got, err := v.Ints("Polys", name); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s %v, %v", name, got, err)
		}
	}
	for section, fields := range map[string][]Field{"CellData": d.CellData, "FieldData": d.FieldData} {
		found := v.Fields(section)
		if len(found) != len(fields) {
			t.Fatalf("%s: %v", section, found)
		}
		for i, want := range fields {
			if found[i].Name != want.Name || found[i].components() != want.components() || (found[i].Floats == nil) != (want.Floats == nil) {
				t.Fatalf("%s: %v, expected %v", section, found[i], want)
			}
			if want.Floats != nil {
				got, err := v.Floats(section, want.Name)
				if err != nil || !slices.Equal(got, want.Floats) {
					t.Fatalf("%s: %v, %v", want.Name, got, err)
				}
			} else if got, err := v.Ints(section, want.Name); err != nil || !slices.Equal(got, want.Ints) {
				t.Fatalf("%s: %v, %v", want.Name, got, err)
			}
		}
	}
}

// TestReadDamagedVTP: a file that is cut anywhere, and one whose numbers are not those of its data, is an InputError that
// names the file.
func TestReadDamagedVTP(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.vtp")
	if err := WriteVTP(t.Context(), path, readableFrame(5)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reads := func(content []byte) error {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := readFields(path, "one", "shared")
		return err
	}
	refused := func(what string, content []byte, want string) {
		t.Helper()
		input := (*InputError)(nil)
		if err := reads(content); !errors.As(err, &input) || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected one with %q", what, err, want)
		}
	}
	for n := 0; n < len(whole); n += 5 {
		refused("a part", whole[:n], "")
	}
	refused("a long part", whole[:len(whole)-1], ErrTruncated.Error())
	for was, is := range map[string]string{
		`NumberOfPoints="5"`: `NumberOfPoints="6"`, `"shared" NumberOfComponents="3"`: `"shared" NumberOfComponents="1"`,
		`"one" NumberOfComponents="1" format="appended" offset="`: `"one" NumberOfComponents="1" format="appended" offset="9`,
	} {
		refused(is, bytes.Replace(whole, []byte(was), []byte(is), 1), "numbers for each of")
	}
	refused("another order", bytes.Replace(whole, []byte("LittleEndian"), []byte("BigEndian"), 1), ErrUnknownFormat.Error())
	refused("a mesh", []byte("OFF\n"), ErrUnknownFormat.Error())
	// Wrong bytes in the number of blocks of "one", and in the block, whose checksum shows it.
	at := bytes.Index(whole, []byte("\n_")) + 2
	at += 8 * (3 + 1) // the header of the block of "number"
	at += int(binary.LittleEndian.Uint64(whole[at-8:]))
	for _, place := range []int{at, at + 7, at + 8*4, at + 8*4 + 9} {
		damaged := bytes.Clone(whole)
		damaged[place]--
		refused("a wrong byte", damaged, "one: expected 1 numbers")
	}
}

// FuzzOpenVTP: no content of a frame makes the reader panic, or take more memory than a thousand times the file.
func FuzzOpenVTP(f *testing.F) {
	path := filepath.Join(f.TempDir(), "f.vtp")
	if err := WriteVTP(f.Context(), path, readableFrame(5)); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "f.vtp")
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		fields, err := readFields(path, "one")
		if err != nil {
			if input := (*InputError)(nil); !errors.As(err, &input) || input.File != path {
				t.Fatalf("%v does not name the file", err)
			}
		} else if n := 8 * len(fields["one"]); n > 1032*len(content) {
			t.Fatalf("%d bytes from %d", n, len(content))
		}
	})
}
