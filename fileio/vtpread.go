package fileio

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// VTP is a frame that WriteVTP has written. Its arrays are decompressed when they are asked for.
type VTP struct {
	Points, Verts, Polys int      // numbers of points and cells
	Time                 float64  // s; NaN if the file has none
	Names                []string // field data "name"

	path   string
	at     int64  // where data begins in the file
	data   []byte // the binary part
	arrays []vtpEntry
}

// Path returns the path of the file.
func (v *VTP) Path() string { return v.path }

// vtpEntry is an array as the XML part announces it.
type vtpEntry struct {
	Type       string `xml:"type,attr"`
	Name       string `xml:"Name,attr"`
	Components int64  `xml:"NumberOfComponents,attr"`
	Tuples     int64  `xml:"NumberOfTuples,attr"`
	Format     string `xml:"format,attr"`
	Offset     int64  `xml:"offset,attr"`
	Text       string `xml:",chardata"`

	section string
	tuples  int64 // expected; -1 if only the array knows
}

// vtpHead is the XML part of a frame.
type vtpHead struct {
	Order      string `xml:"byte_order,attr"`
	Header     string `xml:"header_type,attr"`
	Compressor string `xml:"compressor,attr"`
	PolyData   struct {
		FieldData struct {
			Arrays []vtpEntry `xml:"DataArray"`
			Texts  []vtpEntry `xml:"Array"`
		}
		Piece struct {
			Points    int64      `xml:"NumberOfPoints,attr"`
			Verts     int64      `xml:"NumberOfVerts,attr"`
			Polys     int64      `xml:"NumberOfPolys,attr"`
			PointData []vtpEntry `xml:"PointData>DataArray"`
			CellData  []vtpEntry `xml:"CellData>DataArray"`
			Places    []vtpEntry `xml:"Points>DataArray"`
			Dots      []vtpEntry `xml:"Verts>DataArray"`
			Faces     []vtpEntry `xml:"Polys>DataArray"`
		}
	}
}

// OpenVTP reads the list of arrays of a frame that WriteVTP has written. Another format and a damaged file are
// InputErrors; of a file that is cut, the error wraps ErrTruncated.
func OpenVTP(path string) (*VTP, error) {
	file, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // The file is only read.
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("fileio: reading %s: %w", path, err)
	}
	if bytes.HasPrefix(content, []byte("<?xml")) && !bytes.HasSuffix(content, []byte(vtpEnd)) {
		return nil, &InputError{File: path, Want: "a whole frame", Err: ErrTruncated}
	}
	head, data, _ := bytes.Cut(content, []byte("<AppendedData encoding=\"raw\">\n_"))
	var h vtpHead
	err = xml.Unmarshal(append(bytes.Clone(head), "</VTKFile>"...), &h)
	piece := &h.PolyData.Piece
	if err != nil || h.Order != "LittleEndian" || h.Header != "UInt64" || h.Compressor != "vtkZLibDataCompressor" ||
		min(piece.Points, piece.Verts, piece.Polys) < 0 || max(piece.Points, piece.Verts, piece.Polys) > math.MaxInt32 {
		return nil, &InputError{File: path, Want: "a frame that scree run has written", Err: ErrUnknownFormat}
	}
	v := &VTP{Points: int(piece.Points), Verts: int(piece.Verts), Polys: int(piece.Polys), Time: math.NaN(), path: path, at: int64(len(content) - len(data)), data: data}
	add := func(section string, entries []vtpEntry, tuples int64) {
		for _, e := range entries {
			if e.section, e.tuples = section, tuples; section == "FieldData" {
				e.tuples = e.Tuples
			}
			if e.Format == "appended" {
				v.arrays = append(v.arrays, e)
			} else if e.Name == timeName {
				if v.Time, err = strconv.ParseFloat(strings.TrimSpace(e.Text), 64); err != nil {
					v.Time = math.NaN()
				}
			}
		}
	}
	add("FieldData", h.PolyData.FieldData.Arrays, -1)
	add("PointData", piece.PointData, piece.Points)
	add("CellData", piece.CellData, piece.Verts+piece.Polys)
	add("Points", piece.Places, piece.Points)
	add("Verts", piece.Dots, -1)
	add("Polys", piece.Faces, -1)
	for _, e := range h.PolyData.FieldData.Texts {
		if e.Name == namesName {
			v.Names = decodeNames(e.Text)
		}
	}
	return v, nil
}

// decodeNames reads texts written as the codes of their bytes, each with a final 0.
func decodeNames(text string) (names []string) {
	var name []byte
	for code := range strings.FieldsSeq(text) {
		switch c, err := strconv.ParseUint(code, 10, 8); {
		case err != nil:
			return names
		case c == 0:
			names, name = append(names, string(name)), name[:0]
		default:
			name = append(name, byte(c))
		}
	}
	return names
}

// Fields returns the arrays of a section (PointData, CellData, FieldData, Points, Verts or Polys) without their values:
// Floats or Ints are empty, and not nil, as their kind says.
func (v *VTP) Fields(section string) (fields []Field) {
	for _, e := range v.arrays {
		if e.section == section {
			f := Field{Name: e.Name, Components: int(e.Components)}
			if f.Ints = []int64{}; e.Type == "Float64" {
				f.Floats, f.Ints = []float64{}, nil
			}
			fields = append(fields, f)
		}
	}
	return fields
}

// Floats returns the values of an array of floats. A frame without it and a damaged array are InputErrors.
func (v *VTP) Floats(section, name string) ([]float64, error) {
	bits, err := v.bits(section, name, "Float64")
	values := make([]float64, len(bits))
	for i, b := range bits {
		values[i] = math.Float64frombits(b)
	}
	return values, err
}

// Ints is Floats for an array of whole numbers.
func (v *VTP) Ints(section, name string) ([]int64, error) {
	bits, err := v.bits(section, name, "Int64")
	values := make([]int64, len(bits))
	for i, b := range bits {
		values[i] = int64(b)
	}
	return values, err
}

// vtpOwners are the things that the arrays of a section have values for, as messages name them.
var vtpOwners = map[string]string{"PointData": "points", "CellData": "cells"}

func (v *VTP) bits(section, name, kind string) ([]uint64, error) {
	i := slices.IndexFunc(v.arrays, func(e vtpEntry) bool { return e.section == section && e.Name == name && e.Type == kind })
	if i < 0 {
		want := fmt.Sprintf("a frame with the %s %q", section, name)
		if of, ok := vtpOwners[section]; ok {
			want = fmt.Sprintf("a frame with the field %q of %s, as output.fields of the scene says", name, of)
		}
		return nil, &InputError{File: v.path, Want: want}
	}
	e := &v.arrays[i]
	values, ok := v.inflate(e)
	if !ok {
		want := "whole blocks"
		if e.tuples >= 0 {
			want = fmt.Sprintf("%d numbers for each of %d, compressed", e.Components, e.tuples)
		}
		return nil, &InputError{File: v.path, Byte: v.at + e.Offset, Item: name, Want: want}
	}
	return values, nil
}

// inflate returns the values of an array. It returns false if the array is damaged. It takes memory for what the array
// holds, not for what it announces.
func (v *VTP) inflate(e *vtpEntry) (values []uint64, ok bool) {
	if e.Offset < 0 || e.Offset > int64(len(v.data)) || e.tuples > math.MaxInt32 || e.Components < 1 || e.Components > 9 {
		return nil, false
	}
	from := bytes.NewReader(v.data[e.Offset:])
	var head [3]uint64 // number of blocks, and two sizes
	if binary.Read(from, binary.LittleEndian, &head) != nil || head[0] > uint64(from.Len())/8 || head[1] != vtpBlockBytes || head[2] >= vtpBlockBytes {
		return nil, false
	}
	bytesLeft := int64(head[0]) * vtpBlockBytes
	if head[2] > 0 {
		bytesLeft += int64(head[2]) - vtpBlockBytes
	}
	if e.tuples >= 0 && bytesLeft != 8*e.tuples*e.Components || bytesLeft < 0 || bytesLeft%8 != 0 {
		return nil, false
	}
	if _, err := from.Seek(8*int64(head[0]), io.SeekCurrent); err != nil { // past the sizes of the blocks
		return nil, false
	}
	var plain bytes.Buffer
	for range head[0] {
		z, err := zlib.NewReader(from)
		if err != nil {
			return nil, false
		}
		n, err := io.Copy(&plain, io.LimitReader(z, bytesLeft+1))
		if bytesLeft -= n; err != nil || bytesLeft < 0 {
			return nil, false
		}
	}
	values = make([]uint64, plain.Len()/8)
	err := binary.Read(&plain, binary.LittleEndian, values)
	return values, err == nil && bytesLeft == 0
}
