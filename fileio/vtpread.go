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
		Points int64 `xml:"NumberOfPoints,attr"`
		Arrays []struct {
			Type       string `xml:"type,attr"`
			Name       string `xml:"Name,attr"`
			Components int64  `xml:"NumberOfComponents,attr"`
			Offset     int64  `xml:"offset,attr"`
		} `xml:"PointData>DataArray"`
	} `xml:"PolyData>Piece"`
}

// ReadVTPPoints reads fields of floats per point from a frame that WriteVTP has written, by name. A frame without a
// field, another format and a damaged file are InputErrors.
func ReadVTPPoints(path string, names ...string) (map[string][]float64, error) {
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
	if err != nil || h.Order != "LittleEndian" || h.Header != "UInt64" || h.Compressor != "vtkZLibDataCompressor" {
		return nil, &InputError{File: path, Want: "a frame that scree run has written", Err: ErrUnknownFormat}
	}
	fields := map[string][]float64{}
	for _, a := range h.Piece.Arrays {
		if a.Type != "Float64" || !slices.Contains(names, a.Name) {
			continue
		}
		values, ok := inflateVTP(data, a.Offset, h.Piece.Points, a.Components)
		if !ok {
			return nil, &InputError{File: path, Byte: int64(len(content)-len(data)) + a.Offset, Item: a.Name,
				Want: fmt.Sprintf("%d numbers for each of %d points, compressed", a.Components, h.Piece.Points)}
		}
		fields[a.Name] = values
	}
	for _, name := range names {
		if _, ok := fields[name]; !ok {
			return nil, &InputError{File: path, Want: fmt.Sprintf("a frame with the field %q of points, as output.fields of the scene says", name)}
		}
	}
	return fields, nil
}

// inflateVTP returns an array of the binary part of a frame. It returns false if the array is damaged. It takes memory
// for what the array holds, not for what it announces.
func inflateVTP(data []byte, offset, points, components int64) (values []float64, ok bool) {
	if offset < 0 || offset > int64(len(data)) || points < 0 || points > math.MaxInt32 || components < 1 || components > 9 {
		return nil, false
	}
	from, bytesLeft := bytes.NewReader(data[offset:]), 8*points*components
	var head [3]uint64 // number of blocks, and two sizes
	if binary.Read(from, binary.LittleEndian, &head) != nil || head[0] > uint64(from.Len())/8 {
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
	values = make([]float64, plain.Len()/8)
	err := binary.Read(&plain, binary.LittleEndian, values)
	return values, err == nil && bytesLeft == 0
}
