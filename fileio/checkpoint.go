package fileio

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/cespare/xxhash/v2"

	"github.com/scree-dem/scree/soa"
)

// The format of a checkpoint file, all numbers little-endian:
//
//	16 bytes  the magic "scree checkpoint"
//	uint32    format version
//	uint32    number of columns
//	uint64    bytes of the whole file
//	uint64    bytes of the header, and the header, whose content is the caller's
//	columns   uint8 kind, uint32 bytes of the name, uint64 number of values; the name, the values
//	uint64    xxHash64, seed 0, of everything before it
//
// The size at the start distinguishes a truncated file from a changed one, and limits every length.
const (
	checkpointMagic   = "scree checkpoint"
	checkpointVersion = 1

	checkpointPrefixBytes = len(checkpointMagic) + 4 + 4 + 8
	checkpointColumnBytes = 1 + 4 + 8
	checkpointHashBytes   = 8
	// checkpointLeast is the size of an empty checkpoint.
	checkpointLeast = checkpointPrefixBytes + 8 + checkpointHashBytes
	// checkpointChunk is the number of bytes that are converted, hashed and written at a time. They
	// fit into the L1 cache.
	checkpointChunk = 1 << 14
)

// The kinds of columns. The numbers are part of the file format.
const (
	kindNone uint8 = iota
	kindF64
	kindU32
	kindU16
	kindU8
	kinds
)

// kindBytes is the size of one value of each kind.
var kindBytes = [kinds]int{kindNone: 0, kindF64: 8, kindU32: 4, kindU16: 2, kindU8: 1}

// Column is one named column of a checkpoint. Without a slice the column is empty. The file
// preserves every bit of the values, also of NaN.
type Column = soa.Column

// kindOf returns the kind and the number of values of a column.
func kindOf(c *Column) (kind uint8, n int, err error) {
	held := 0
	for k, there := range [kinds]bool{kindF64: c.F64 != nil, kindU32: c.U32 != nil, kindU16: c.U16 != nil, kindU8: c.U8 != nil} {
		if there {
			kind, held = uint8(k), held+1
		}
	}
	n = max(len(c.F64), len(c.U32), len(c.U16), len(c.U8))
	if held > 1 {
		return 0, 0, fmt.Errorf("fileio: checkpoint column %q holds %d slices, expected one", c.Name, held)
	}
	return kind, n, nil
}

// WriteCheckpoint writes the header and the columns. The file appears only when it is complete and
// on disk. After an error, for example a full disk (errors.Is syscall.ENOSPC), an earlier
// checkpoint of this name is unchanged and no temporary file is left. Two columns with the same
// name are an error.
func WriteCheckpoint(path string, header []byte, cols []Column) error {
	size := uint64(checkpointLeast) + uint64(len(header))
	names := make(map[string]bool, len(cols))
	for i := range cols {
		c := &cols[i]
		kind, n, err := kindOf(c)
		if err != nil {
			return err
		}
		if names[c.Name] {
			return fmt.Errorf("fileio: checkpoint column %q is given twice", c.Name)
		}
		if uint64(len(c.Name)) > math.MaxUint32 {
			return fmt.Errorf("fileio: the name of checkpoint column %d has %d bytes", i, len(c.Name))
		}
		names[c.Name] = true
		size += uint64(checkpointColumnBytes) + uint64(len(c.Name)) + uint64(n)*uint64(kindBytes[kind])
	}
	if uint64(len(cols)) > math.MaxUint32 {
		return fmt.Errorf("fileio: %d columns are too many for a checkpoint", len(cols))
	}
	return writeAtomic(path, func(a *atomicFile) error {
		w := checkpointWriter{to: a, hash: xxhash.New(), chunk: make([]byte, 0, checkpointChunk)}
		b := append(w.chunk, checkpointMagic...)
		b = binary.LittleEndian.AppendUint32(b, checkpointVersion)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(cols)))
		b = binary.LittleEndian.AppendUint64(b, size)
		w.write(binary.LittleEndian.AppendUint64(b, uint64(len(header))))
		w.write(header)
		for i := range cols {
			w.column(&cols[i])
		}
		w.write(binary.LittleEndian.AppendUint64(w.chunk, w.hash.Sum64()))
		return w.err
	})
}

// checkpointWriter writes and hashes. It keeps the first error.
type checkpointWriter struct {
	to    io.Writer
	hash  *xxhash.Digest
	chunk []byte // empty, with capacity for checkpointChunk bytes
	err   error
}

func (w *checkpointWriter) write(b []byte) {
	if w.err != nil {
		return
	}
	w.hash.Write(b) // Writing to a hash never fails.
	_, w.err = w.to.Write(b)
}

func (w *checkpointWriter) column(c *Column) {
	kind, n, _ := kindOf(c)
	b := append(w.chunk, kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(c.Name)))
	w.write(binary.LittleEndian.AppendUint64(b, uint64(n)))
	w.write([]byte(c.Name))
	perChunk := checkpointChunk
	if kind != kindNone {
		perChunk /= kindBytes[kind]
	}
	for first := 0; first < n && w.err == nil; first += perChunk {
		end := min(first+perChunk, n)
		b := w.chunk
		switch kind {
		case kindF64:
			for _, x := range c.F64[first:end] {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			}
		case kindU32:
			for _, x := range c.U32[first:end] {
				b = binary.LittleEndian.AppendUint32(b, x)
			}
		case kindU16:
			for _, x := range c.U16[first:end] {
				b = binary.LittleEndian.AppendUint16(b, x)
			}
		case kindU8:
			b = append(b, c.U8[first:end]...)
		}
		w.write(b)
	}
}
