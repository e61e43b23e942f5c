package fileio

import (
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Field is a column of values by point or by cell, Components of them for each. Exactly one of Floats
// and Ints is used: Ints when Floats is nil. ParaView takes three components for a vector.
type Field struct {
	Name       string
	Components int // 1 when zero
	Floats     []float64
	Ints       []int64
}

func (f *Field) components() int { return max(f.Components, 1) }

// len returns the number of values, of whichever kind.
func (f *Field) len() int { return max(len(f.Floats), len(f.Ints)) }

// Cells lists points cell after cell: the points of cell i are Connectivity[Offsets[i-1]:Offsets[i]],
// with 0 for the offset before the first, as VTK has it.
type Cells struct {
	Connectivity []int64
	Offsets      []int64
}

// PolyData is one frame of one part, as ParaView draws it: bodies as polygons with fields by cell,
// contacts as vertices with fields by point. The caller keeps it and refills its columns.
type PolyData struct {
	Points    []float64 // x, y, z of each point, m, world frame
	Verts     Cells     // points that are drawn as dots
	Polys     Cells     // polygons, convex and counter-clockwise seen from outside
	PointData []Field   // Components values a point
	CellData  []Field   // Components values a cell, those of Verts before those of Polys
}

// vtpArray is one block of the file's binary part: either kind of values, and its XML attributes.
type vtpArray struct {
	name       string
	components int
	floats     []float64
	ints       []int64
}

func (v *vtpArray) bytes() uint64 { return 8 * uint64(len(v.floats)+len(v.ints)) }

// vtpBlockHeader is the uint64 with the number of bytes in front of each block.
const vtpBlockHeader = 8

// WriteVTP writes the frame as a VTK XML PolyData file: values as raw appended binary, Float64 and
// Int64, little-endian, with UInt64 block headers (VTK file formats, XML, appended raw). The file
// appears only when it is complete. Columns whose lengths do not fit, indices out of range and
// offsets that go back are errors; values may be NaN, which ParaView shows in a colour of its own.
func WriteVTP(path string, d *PolyData) error {
	if err := d.check(); err != nil {
		return fmt.Errorf("fileio: cannot write %s: %w", path, err)
	}
	return writeAtomic(path, func(a *atomicFile) error { return encodeVTP(a, d) })
}

// check finds what would make VTK read beyond a column.
func (d *PolyData) check() error {
	if len(d.Points)%3 != 0 {
		return fmt.Errorf("%d coordinates are no points of three", len(d.Points))
	}
	nPoints := len(d.Points) / 3
	if err := d.Verts.check("verts", nPoints); err != nil {
		return err
	}
	if err := d.Polys.check("polys", nPoints); err != nil {
		return err
	}
	if err := checkFields(d.PointData, "point", nPoints); err != nil {
		return err
	}
	return checkFields(d.CellData, "cell", len(d.Verts.Offsets)+len(d.Polys.Offsets))
}

func (c *Cells) check(what string, nPoints int) error {
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
		if f.len() != n*f.components() {
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

// encodeVTP writes the XML part, in which each array tells where its block starts, then the blocks
// in the same order.
func encodeVTP(a *atomicFile, d *PolyData) error {
	w := vtpWriter{to: a}
	fmt.Fprintf(a, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\""+
		" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n"+
		"<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n",
		len(d.Points)/3, len(d.Verts.Offsets), len(d.Polys.Offsets))
	w.fields("PointData", d.PointData)
	w.fields("CellData", d.CellData)
	fmt.Fprint(a, "<Points>\n")
	w.array(vtpArray{name: "Points", components: 3, floats: d.Points}, true)
	fmt.Fprint(a, "</Points>\n")
	w.cells("Verts", &d.Verts)
	w.cells("Polys", &d.Polys)
	fmt.Fprint(a, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_")
	for i := range w.blocks {
		w.block(&w.blocks[i])
	}
	_, err := fmt.Fprint(a, "\n</AppendedData>\n</VTKFile>\n")
	return err
}

// vtpWriter collects the blocks while the XML part is written. The buffered writer below keeps the
// first error, which the last write returns.
type vtpWriter struct {
	to     *atomicFile
	blocks []vtpArray
	offset uint64 // where the next block starts, from after the underscore
}

func (w *vtpWriter) fields(section string, fields []Field) {
	fmt.Fprintf(w.to, "<%s>\n", section)
	for i := range fields {
		f := &fields[i]
		w.array(vtpArray{f.Name, f.components(), f.Floats, f.Ints}, f.Floats != nil)
	}
	fmt.Fprintf(w.to, "</%s>\n", section)
}

func (w *vtpWriter) cells(section string, c *Cells) {
	fmt.Fprintf(w.to, "<%s>\n", section)
	w.array(vtpArray{name: "connectivity", components: 1, ints: c.Connectivity}, false)
	w.array(vtpArray{name: "offsets", components: 1, ints: c.Offsets}, false)
	fmt.Fprintf(w.to, "</%s>\n", section)
}

// array writes the XML element of an array and puts its block in the queue.
func (w *vtpWriter) array(v vtpArray, float bool) {
	kind := "Int64"
	if float {
		kind = "Float64"
	}
	fmt.Fprintf(w.to, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%d\"/>\n",
		kind, escapedXML(v.name), v.components, w.offset)
	w.blocks = append(w.blocks, v)
	w.offset += vtpBlockHeader + v.bytes()
}

// vtpChunk is how many values are converted at a time, in the free part of the file's buffer.
const vtpChunk = 1 << 9

// block writes the length of an array and its values.
func (w *vtpWriter) block(v *vtpArray) {
	w.to.Write(binary.LittleEndian.AppendUint64(w.to.AvailableBuffer(), v.bytes()))
	for floats := v.floats; len(floats) > 0; {
		n := min(len(floats), vtpChunk)
		b := w.to.AvailableBuffer()
		for _, x := range floats[:n] {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		w.to.Write(b)
		floats = floats[n:]
	}
	for ints := v.ints; len(ints) > 0; {
		n := min(len(ints), vtpChunk)
		b := w.to.AvailableBuffer()
		for _, x := range ints[:n] {
			b = binary.LittleEndian.AppendUint64(b, uint64(x))
		}
		w.to.Write(b)
		ints = ints[n:]
	}
}

// escapedXML returns the text as it may stand in an attribute.
func escapedXML(s string) string {
	var b strings.Builder
	// A strings.Builder takes everything.
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

// timeText writes a time as ParaView reads it.
func timeText(t float64) string { return strconv.FormatFloat(t, 'g', -1, 64) }
