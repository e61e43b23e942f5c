package report

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"math"
)

// A chunk of data is, before compression with deflate, little-endian:
//
//	length of the head, 4 bytes; the head, JSON: {"meta": …, "columns": [column, …]}; blanks to a multiple of 8 bytes;
//	the columns, each at a multiple of 8 bytes
//
// The bytes of a number of a column lie apart: first the lowest bytes of all numbers, then the next ones. Numbers that change
// little from row to row become much smaller in this way.

// column describes a column of a chunk.
type column struct {
	Name       string    `json:"name"`
	Type       string    `json:"type"`            // u8, i8, u16, i16, u32, f32, f64
	Components int       `json:"components"`      // numbers a row
	Rows       int       `json:"rows"`            // number of rows
	Offset     int       `json:"offset"`          // from the end of the head, bytes
	Min        []float64 `json:"min,omitempty"`   // of each component: a number v means min + (max − min)·v/65535
	Max        []float64 `json:"max,omitempty"`   // of each component
	Scale      float64   `json:"scale,omitempty"` // a number v means v·scale; 0: v
}

// chunk collects columns.
type chunk struct {
	columns []column
	data    []byte
}

// number is a type of the numbers of a column.
type number interface {
	uint8 | int8 | uint16 | int16 | uint32 | float32 | float64
}

// addColumn adds a column of numbers as they are, but for the name, the components and the scale.
func addColumn[N number](k *chunk, c column, values []N) {
	var zero N
	c.Type = map[any]string{uint8(0): "u8", int8(0): "i8", uint16(0): "u16", int16(0): "i16", uint32(0): "u32", float32(0): "f32", float64(0): "f64"}[any(zero)]
	c.Components = max(c.Components, 1)
	c.Rows, c.Offset = len(values)/c.Components, len(k.data)
	flat, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		panic(err) // The types are fixed.
	}
	size := binary.Size(zero)
	for b := range size {
		for i := b; i < len(flat); i += size {
			k.data = append(k.data, flat[i])
		}
	}
	for len(k.data)%8 != 0 {
		k.data = append(k.data, 0)
	}
	k.columns = append(k.columns, c)
}

// quantizedSteps is the number of steps of a quantized column, between its ends.
const quantizedSteps = math.MaxUint16

// quantize adds a column of 16 bits a number, between the least and the largest number of each component. If these have
// two signs, 0 is one of the steps. Numbers that are not finite become 0, or the nearest end.
func (k *chunk) quantize(name string, components int, values []float64) {
	c := column{Name: name, Components: components}
	out := make([]uint16, len(values))
	for j := range components {
		low, high := math.Inf(1), math.Inf(-1)
		for i := j; i < len(values); i += components {
			if x := values[i]; !notFinite(x) {
				low, high = min(low, x), max(high, x)
			}
		}
		if low > high {
			low, high = 0, 0
		}
		step := (high - low) / quantizedSteps
		if low < 0 && high > 0 {
			step = (high - low) / (quantizedSteps - 1)
			low = -float64(step * math.Ceil(-low/step))
			high = low + float64(step*quantizedSteps)
		}
		for i := j; i < len(values); i += components {
			x := values[i]
			if x != x {
				x = 0
			}
			if step > 0 {
				out[i] = uint16(math.Round((min(max(x, low), high) - low) / step))
			}
		}
		c.Min, c.Max = append(c.Min, low), append(c.Max, high)
	}
	addColumn(k, c, out)
}

// whole adds a column of whole numbers ≥ 0, in 16 bits each where they fit.
func (k *chunk) whole(name string, values []uint32) {
	narrow := make([]uint16, len(values))
	for i, v := range values {
		if narrow[i] = uint16(v); uint32(narrow[i]) != v {
			addColumn(k, column{Name: name}, values)
			return
		}
	}
	addColumn(k, column{Name: name}, narrow)
}

// write compresses the chunk. meta is any value with a form in JSON.
func (k *chunk) write(meta any, level int) ([]byte, error) {
	head, err := json.Marshal(struct {
		Meta    any      `json:"meta"`
		Columns []column `json:"columns"`
	}{meta, k.columns})
	if err != nil {
		return nil, err
	}
	for (4+len(head))%8 != 0 {
		head = append(head, ' ')
	}
	var out bytes.Buffer
	z, err := flate.NewWriter(&out, level)
	if err != nil {
		return nil, err
	}
	_, _ = z.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(head)))) // A buffer has no errors.
	_, _ = z.Write(head)
	_, _ = z.Write(k.data)
	err = z.Close()
	return out.Bytes(), err
}
