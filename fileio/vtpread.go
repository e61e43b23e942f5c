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
)

// vtpHead is the XML part of a frame, as far as ReadVTPPoints needs it.
type vtpHead struct {
	Order      string `xml:"byte_order,attr"`
	Header     string `xml:"header_type,attr"`
	Compressor string `xml:"compressor,attr"`
	Piece      struct {
		Points int64          `xml:"NumberOfPoints,attr"`
		Arrays []vtpArrayHead `xml:"PointData>DataArray"`
	} `xml:"PolyData>Piece"`
}

type vtpArrayHead struct {
	Type       string `xml:"type,attr"`
	Name       string `xml:"Name,attr"`
	Components int64  `xml:"NumberOfComponents,attr"`
	Offset     int64  `xml:"offset,attr"`
}

// ReadVTPPoints reads fields of floats per point from a frame that WriteVTP has written, in the order of names. A frame
// without a field, another format and a damaged file are InputErrors.
func ReadVTPPoints(path string, names ...string) ([]Field, error) {
	file, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // The file is only read.
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("fileio: reading %s: %w", path, err)
	}
	head, data, whole := bytes.Cut(content, []byte("<AppendedData encoding=\"raw\">\n_"))
	var h vtpHead
	err = xml.Unmarshal(append(bytes.Clone(head), "</VTKFile>"...), &h)
	switch {
	case !bytes.HasSuffix(content, []byte(vtpEnd)) && bytes.HasPrefix(content, []byte("<?xml")):
		return nil, &InputError{File: path, Want: "a whole frame", Err: ErrTruncated}
	case err != nil || h.Order != "LittleEndian" || h.Header != "UInt64" || h.Compressor != "vtkZLibDataCompressor":
		return nil, &InputError{File: path, Want: "a frame that scree run has written", Err: ErrUnknownFormat}
	case !whole:
		return nil, &InputError{File: path, Want: "a whole frame", Err: ErrTruncated}
	}
	var fields []Field
	for _, name := range names {
		i := slices.IndexFunc(h.Piece.Arrays, func(a vtpArrayHead) bool { return a.Name == name && a.Type == "Float64" })
		if i < 0 {
			return nil, &InputError{File: path, Want: fmt.Sprintf("a frame with the field %q of points, as output.fields of the scene says", name)}
		}
		a := h.Piece.Arrays[i]
		values, ok := inflateVTP(data, a.Offset, h.Piece.Points, a.Components)
		if !ok {
			return nil, &InputError{File: path, Byte: int64(len(content)-len(data)) + a.Offset, Item: name,
				Want: fmt.Sprintf("%d numbers for each of %d points, compressed", a.Components, h.Piece.Points)}
		}
		fields = append(fields, Field{Name: name, Components: int(a.Components), Floats: values})
	}
	return fields, nil
}

// inflateVTP returns an array of the binary part of a frame. It returns false if the array is damaged. It takes memory
// for what the array holds, not for what it announces.
func inflateVTP(data []byte, offset, points, components int64) (values []float64, ok bool) {
	const header = 3
	if offset < 0 || offset > int64(len(data))-8*header || points < 0 || points > math.MaxInt32 || components < 1 || components > 9 {
		return nil, false
	}
	data = data[offset:]
	word := func(i uint64) uint64 { return binary.LittleEndian.Uint64(data[8*i:]) }
	blocks := word(0)
	if blocks > uint64(len(data))/8-header {
		return nil, false
	}
	packed, rest := data[8*(header+blocks):], 8*points*components
	var plain bytes.Buffer
	for i := range blocks {
		size := word(header + i)
		if size > uint64(len(packed)) {
			return nil, false
		}
		z, err := zlib.NewReader(bytes.NewReader(packed[:size]))
		if err != nil {
			return nil, false
		}
		n, err := io.Copy(&plain, io.LimitReader(z, rest+1))
		if rest -= n; err != nil || rest < 0 {
			return nil, false
		}
		packed = packed[size:]
	}
	for b := range slices.Chunk(plain.Bytes(), 8) {
		if rest > 0 {
			return nil, false
		}
		values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return values, rest == 0
}
