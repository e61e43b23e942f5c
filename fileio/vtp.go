package fileio

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Field is a column of values, with Components values for each point or cell. Exactly one of Floats
// and Ints is used: Ints if Floats is nil. ParaView expects three components for a vector.
type Field struct {
	Name       string    // name in ParaView
	Components int       // 0 stands for 1
	Floats     []float64 // values, or
	Ints       []int64   // values
	// Rows maps each point or cell to a row of values, so that many can share a row, such as the
	// faces of a body. If Rows is nil, row i belongs to point or cell i.
	Rows []int32
}

func (f *Field) components() int { return max(f.Components, 1) }

// len returns the number of values.
func (f *Field) len() int { return max(len(f.Floats), len(f.Ints)) }

// CellList lists the points of each cell. The points of cell i are
// Connectivity[Offsets[i-1]:Offsets[i]], with 0 instead of Offsets[-1], as in VTK.
type CellList struct {
	Connectivity []int64 // point indices, from 0
	Offsets      []int64 // end of each cell in Connectivity
}

// PolyData is one part of a frame for ParaView: bodies as polygons with fields per cell, or
// contacts as vertices with fields per point. The caller may reuse its columns.
type PolyData struct {
	Points    []float64 // x, y, z of each point, m, world frame
	Verts     CellList  // points drawn as dots
	Polys     CellList  // convex polygons, counter-clockwise seen from outside
	PointData []Field   // fields per point
	CellData  []Field   // fields per cell; cells of Verts come before cells of Polys
	FieldData []Field   // fields of any length, which belong to the frame
	Time      float64   // s, time of the frame; written as TimeValue in the field data, where VTK readers expect it
	Timeless  bool      // the file serves several times and has no TimeValue
	Names     []string  // names of the bodies, written as field data "name"; may be empty
}

// WriteVTP writes the frame as a VTK XML PolyData file. Values are appended binary Float64 and
// Int64, little-endian, compressed as by vtkZLibDataCompressor (VTK file formats, XML; see
// vtpblocks.go). The file appears only when it is complete. If the context is cancelled before, no
// file appears, and the error is that of the context. Columns of wrong length, invalid indices and
// decreasing offsets are errors. Values may be NaN, which ParaView shows in a special colour.
func WriteVTP(ctx context.Context, path string, d *PolyData) error {
	if err := d.check(); err != nil {
		return fmt.Errorf("fileio: cannot write %s: %w", path, err)
	}
	return writeAtomic(path, func(a *atomicFile) error { return encodeVTP(ctx, a, d) })
}

// vtpEnd is the end of each VTP file.
const vtpEnd = "\n</AppendedData>\n</VTKFile>\n"

// CheckVTPEnd returns an error that wraps ErrTruncated if the file does not end as WriteVTP ends
// it. It reads only the end of the file.
func CheckVTPEnd(path string) error {
	file, size, err := openRegular(path)
	if err != nil {
		return err
	}
	defer file.Close() // The file is only read.
	end := make([]byte, min(int64(len(vtpEnd)), size))
	if _, err := file.ReadAt(end, size-int64(len(end))); err != nil {
		return fmt.Errorf("fileio: reading %s: %w", path, err)
	}
	if string(end) != vtpEnd {
		return &InputError{File: path, Value: string(end), Want: strconv.Quote(vtpEnd) + " at the end", Err: ErrTruncated}
	}
	return nil
}

// check returns an error if VTK would read beyond a column.
func (d *PolyData) check() error {
	if d == nil {
		return errors.New("the frame is nil, expected points and cells")
	}
	if d.Time-d.Time != 0 {
		return fmt.Errorf("the time is %g, expected finite", d.Time)
	}
	for i, name := range d.Names {
		if strings.ContainsRune(name, 0) {
			return fmt.Errorf("name %d, %q, has a NUL", i, name)
		}
	}
	if len(d.Points)%3 != 0 {
		return fmt.Errorf("%d coordinates are no points of three", len(d.Points))
	}
	nPoints := len(d.Points) / 3
	return cmp.Or(d.Verts.check("verts", nPoints), d.Polys.check("polys", nPoints), checkFields(d.PointData, "point", nPoints),
		checkFields(d.CellData, "cell", len(d.Verts.Offsets)+len(d.Polys.Offsets)), d.checkFieldData())
}

func (c *CellList) check(what string, nPoints int) error {
	last := int64(0)
	for i, end := range c.Offsets {
		if end < last {
			return fmt.Errorf("%s: offset %d of cell %d comes after %d", what, end, i, last)
		}
		last = end
	}
	if last != int64(len(c.Connectivity)) {
		return fmt.Errorf("%s: the last offset is %d, and %d corners are given", what, last, len(c.Connectivity))
	}
	for i, v := range c.Connectivity {
		if v < 0 || v >= int64(nPoints) {
			return fmt.Errorf("%s: corner %d names point %d of %d", what, i, v, nPoints)
		}
	}
	return nil
}

func checkFields(fields []Field, what string, n int) error {
	for i := range fields {
		f := &fields[i]
		if f.Floats != nil && f.Ints != nil {
			return fmt.Errorf("%s field %q holds both floats and ints", what, f.Name)
		}
		if f.Rows != nil {
			if err := f.checkRows(what, n); err != nil {
				return err
			}
		} else if f.len() != n*f.components() {
			return fmt.Errorf("%s field %q has %d values, expected %d of %d components",
				what, f.Name, f.len(), n, f.components())
		}
		for k := range i {
			if fields[k].Name == f.Name {
				return fmt.Errorf("%s field %q is given twice", what, f.Name)
			}
		}
	}
	return nil
}

// checkRows checks that each point or cell has a valid row of values.
func (f *Field) checkRows(what string, n int) error {
	rows := f.len() / f.components()
	if len(f.Rows) != n || f.len()%f.components() != 0 {
		return fmt.Errorf("%s field %q has %d values of %d components and the rows of %d, expected those of %d", what, f.Name, f.len(), f.components(), len(f.Rows), n)
	}
	for i, r := range f.Rows {
		if r < 0 || int(r) >= rows {
			return fmt.Errorf("%s field %q: %d has row %d of %d", what, f.Name, i, r, rows)
		}
	}
	return nil
}

// checkFieldData checks that fields of the frame have whole tuples, and names of their own.
func (d *PolyData) checkFieldData() error {
	for i := range d.FieldData {
		f := &d.FieldData[i]
		if err := checkFields(d.FieldData[i:i+1], "frame", f.len()/f.components()); err != nil {
			return err
		}
		if f.Name == timeName || f.Name == namesName || slices.ContainsFunc(d.FieldData[:i], func(g Field) bool { return g.Name == f.Name }) {
			return fmt.Errorf("frame field %q is given twice", f.Name)
		}
	}
	return nil
}

// arrays returns the arrays of the file in the order of their blocks.
func (d *PolyData) arrays() (all []*vtpArray) {
	add := func(section string, f Field) {
		kind := "Int64"
		if f.Floats != nil {
			kind = "Float64"
		}
		all = append(all, &vtpArray{section: section, name: f.Name, kind: kind, components: f.components(), floats: f.Floats, ints: f.Ints, rows: f.Rows})
	}
	for _, f := range d.FieldData {
		add("FieldData", f)
	}
	for _, f := range d.PointData {
		add("PointData", f)
	}
	for _, f := range d.CellData {
		add("CellData", f)
	}
	points := d.Points
	if points == nil {
		points = []float64{}
	}
	add("Points", Field{Name: "Points", Components: 3, Floats: points})
	add("Verts", Field{Name: "connectivity", Ints: d.Verts.Connectivity})
	add("Verts", Field{Name: "offsets", Ints: d.Verts.Offsets})
	add("Polys", Field{Name: "connectivity", Ints: d.Polys.Connectivity})
	add("Polys", Field{Name: "offsets", Ints: d.Polys.Offsets})
	return all
}

// vtpSections are the elements of a piece, in order; the field data stands before the piece. Empty sections are written too.
var vtpSections = [...]string{"PointData", "CellData", "Points", "Verts", "Polys"}

// encodeVTP compresses all arrays. Then it writes the XML part, with the offset of each array, and
// the blocks in the same order. The buffered writer keeps the first error, which the last write
// returns.
func encodeVTP(ctx context.Context, a *atomicFile, d *PolyData) error {
	arrays := d.arrays()
	if err := compressArrays(ctx, arrays); err != nil {
		return err
	}
	offset := 0 // offset of the next array, counted from the byte after the underscore
	declare := func(section string) {
		for _, v := range arrays {
			if v.section == section {
				tuples := ""
				if section == "FieldData" {
					tuples = fmt.Sprintf(" NumberOfTuples=\"%d\"", v.bytes()/8/v.components)
				}
				fmt.Fprintf(a, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"%s format=\"appended\" offset=\"%d\"/>\n",
					v.kind, escapedXML(v.name), v.components, tuples, offset)
				offset += v.packedBytes()
			}
		}
	}
	fmt.Fprintf(a, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\""+
		" byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n")
	fmt.Fprint(a, "<FieldData>\n")
	d.writeTimeAndNames(a)
	declare("FieldData")
	fmt.Fprint(a, "</FieldData>\n")
	fmt.Fprintf(a, "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n",
		len(d.Points)/3, len(d.Verts.Offsets), len(d.Polys.Offsets))
	for _, section := range vtpSections {
		fmt.Fprintf(a, "<%s>\n", section)
		declare(section)
		fmt.Fprintf(a, "</%s>\n", section)
	}
	fmt.Fprint(a, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_")
	for _, v := range arrays {
		v.write(a)
	}
	_, err := fmt.Fprint(a, vtpEnd)
	return err
}

// Names of arrays in the field data.
const (
	timeName  = "TimeValue"
	namesName = "name"
)

// writeTimeAndNames writes the time and the names. A text is written as the codes of its bytes and a
// final 0, as vtkStringArray expects.
func (d *PolyData) writeTimeAndNames(a io.Writer) {
	if !d.Timeless {
		fmt.Fprintf(a, "<DataArray type=\"Float64\" Name=\"%s\" NumberOfTuples=\"1\" format=\"ascii\">%s</DataArray>\n", timeName, timeText(d.Time))
	}
	if len(d.Names) > 0 {
		fmt.Fprintf(a, "<Array type=\"String\" Name=\"%s\" NumberOfTuples=\"%d\" format=\"ascii\">\n", namesName, len(d.Names))
		var line []byte
		for _, name := range d.Names {
			line = line[:0]
			for _, c := range []byte(name) {
				line = append(strconv.AppendUint(line, uint64(c), 10), ' ')
			}
			_, _ = a.Write(append(line, '0', '\n')) // The buffered writer keeps the first error.
		}
		fmt.Fprint(a, "</Array>\n")
	}
}

// escapedXML returns the text escaped for an attribute.
func escapedXML(s string) string {
	var b strings.Builder
	// Writing to a strings.Builder never fails.
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

// timeText formats a time for ParaView.
func timeText(t float64) string { return strconv.FormatFloat(t, 'g', -1, 64) }
