package fileio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"github.com/scree-dem/scree/internal/disk"
	"github.com/scree-dem/scree/soa"
)

// ReadCheckpoint returns the header and the columns of a checkpoint, as they were passed to
// WriteCheckpoint. Float columns are aligned as in package soa. The error wraps ErrNotCheckpoint
// for a file of another kind, ErrVersion for another version, ErrTruncated for a truncated file,
// and ErrHash for a changed file; nothing else is then returned. The memory is bounded by the size
// of the file and by 16 GiB. A file that does not start as a checkpoint is rejected after its first
// bytes, so endless devices are rejected too.
func ReadCheckpoint(path string) (header []byte, cols []Column, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("fileio: %w", err)
	}
	defer file.Close() // The file is only read.
	stat, err := file.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("fileio: %w", err)
	}
	if stat.IsDir() {
		return nil, nil, fmt.Errorf("fileio: %s is a folder: %w", path, ErrNotCheckpoint)
	}
	if !stat.Mode().IsRegular() {
		return decodePiped(path, file)
	}
	return decodeCheckpoint(path, file, stat.Size())
}

// maxCheckpointBytes limits a checkpoint to 16 GiB, more than 1 KiB for each of ten million bodies.
// A sparse file may claim more than any memory holds.
const maxCheckpointBytes = 1 << 34

// decodePiped reads a checkpoint from a pipe or a device, whose size is unknown. The start must be
// that of a checkpoint. decodePiped reads the announced number of bytes, and one more to check that
// the input ends there.
func decodePiped(name string, from io.Reader) (header []byte, cols []Column, err error) {
	from = disk.Steady(from)
	content := bytes.NewBuffer(make([]byte, 0, checkpointChunk))
	if _, err := io.CopyN(content, from, int64(checkpointPrefixBytes)); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, fmt.Errorf("fileio: reading %s: %w", name, err)
	}
	prefix := content.Bytes()
	sizeAt := checkpointPrefixBytes - 8
	if len(prefix) == checkpointPrefixBytes && string(prefix[:len(checkpointMagic)]) == checkpointMagic {
		announced := binary.LittleEndian.Uint64(prefix[sizeAt:])
		if announced <= maxCheckpointBytes {
			rest := io.LimitReader(from, max(int64(announced)-int64(len(prefix)), 0)+1)
			if _, err := content.ReadFrom(rest); err != nil {
				return nil, nil, fmt.Errorf("fileio: reading %s: %w", name, err)
			}
		}
	}
	return decodeCheckpoint(name, content, int64(content.Len()))
}

// ReadCheckpointHeader returns the header of a checkpoint in a regular file. It reads no column, so
// it cannot detect damage after the header.
func ReadCheckpointHeader(path string) ([]byte, error) {
	file, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // The file is only read.
	r, _ := beginCheckpoint(path, file, size)
	header := r.header()
	return header, r.err
}

// decodeCheckpoint reads a checkpoint of size bytes.
func decodeCheckpoint(name string, from io.Reader, size int64) (header []byte, cols []Column, err error) {
	r, nCols := beginCheckpoint(name, from, size)
	header, cols = r.header(), r.columns(nCols)
	if r.left != 0 {
		r.fault("end", "", fmt.Sprintf("columns that fill %d bytes more", r.left), ErrHash)
	}
	want := r.hash.Sum64()
	if got := r.uint(8, "hash"); got != want {
		r.fault("hash", fmt.Sprintf("%016x", got), fmt.Sprintf("%016x, that of the content", want), ErrHash)
	}
	if r.err != nil {
		return nil, nil, r.err
	}
	return header, cols, nil
}

// beginCheckpoint reads everything before the header, checks it against the size in bytes, and
// returns the number of columns.
func beginCheckpoint(name string, from io.Reader, size int64) (r *checkpointReader, nCols uint64) {
	r = &checkpointReader{name: name, from: disk.Steady(from), hash: xxhash.New(), chunk: make([]byte, checkpointChunk)}
	magic := r.chunk[:min(int64(len(checkpointMagic)), size)]
	r.read(magic, "magic")
	if string(magic) != checkpointMagic[:len(magic)] {
		r.fault("magic", string(magic), strconv.Quote(checkpointMagic), ErrNotCheckpoint)
	}
	if size < int64(checkpointPrefixBytes) {
		r.fault("start", fmt.Sprintf("%d bytes", size), fmt.Sprintf("at least %d", checkpointLeast), ErrTruncated)
	}
	if version := r.uint(4, "version"); version != checkpointVersion {
		r.fault("version", strconv.FormatUint(version, 10), strconv.Itoa(checkpointVersion), ErrVersion)
	}
	nCols = r.uint(4, "number of columns")
	announced := r.uint(8, "size")
	switch {
	case announced > maxCheckpointBytes:
		r.fault("size", fmt.Sprintf("%d bytes", announced), fmt.Sprintf("at most %d bytes", int64(maxCheckpointBytes)), ErrHash)
	case announced > uint64(size):
		r.fault("size", fmt.Sprintf("%d bytes", size), fmt.Sprintf("%d bytes", announced), ErrTruncated)
	case announced < uint64(size) || announced < uint64(checkpointLeast):
		r.fault("size", fmt.Sprintf("%d bytes", size), fmt.Sprintf("%d bytes", announced), ErrHash)
	default:
		// From here on the length of the file is known to be right, so a wrong length means damage.
		r.left = announced - uint64(checkpointPrefixBytes) - uint64(checkpointHashBytes)
	}
	return r, nCols
}

// checkpointReader reads and hashes. It keeps the first error, and then returns zeros.
type checkpointReader struct {
	name  string
	from  io.Reader
	hash  *xxhash.Digest
	chunk []byte
	at    int64  // number of bytes read
	left  uint64 // bytes before the hash that are not yet claimed by take
	err   error
}

func (r *checkpointReader) fault(item, value, want string, cause error) {
	if r.err == nil {
		r.err = &InputError{File: r.name, Byte: r.at, Item: item, Value: value, Want: want, Err: cause}
	}
}

// read fills b. item names the data in error messages.
func (r *checkpointReader) read(b []byte, item string) {
	if r.err != nil {
		return
	}
	n, err := io.ReadFull(r.from, b)
	r.at += int64(n)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		r.fault(item, "", fmt.Sprintf("%d bytes more", len(b)-n), ErrTruncated)
	case err != nil:
		r.err = fmt.Errorf("fileio: reading %s: %w", r.name, err)
	}
	r.hash.Write(b) // Writing to a hash never fails.
}

// uint reads a number of size bytes: 1, 4 or 8.
func (r *checkpointReader) uint(size int, item string) uint64 {
	var b [8]byte
	if r.read(b[:size], item); r.err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b[:])
}

// take claims n items of the given size from r.left. If fewer bytes are left, the file is damaged.
func (r *checkpointReader) take(n uint64, size int, item string) {
	if size > 0 && n > r.left/uint64(size) {
		r.fault(item, strconv.FormatUint(n, 10), fmt.Sprintf("a length that the %d bytes left can hold", r.left), ErrHash)
		return
	}
	r.left -= n * uint64(size)
}

// length reads a number of size bytes, and claims these bytes.
func (r *checkpointReader) length(size int, item string) uint64 {
	r.take(1, size, item)
	return r.uint(size, item)
}

// text reads n bytes, if as many are left. of names the number n in error messages.
func (r *checkpointReader) text(n uint64, of, item string) []byte {
	if r.take(n, 1, of); r.err != nil {
		return nil
	}
	b := make([]byte, n)
	r.read(b, item)
	return b
}

func (r *checkpointReader) header() []byte {
	const item = "length of the header"
	return r.text(r.length(8, item), item, "header")
}

func (r *checkpointReader) columns(nCols uint64) []Column {
	if nCols > r.left/uint64(checkpointColumnBytes) {
		r.fault("number of columns", strconv.FormatUint(nCols, 10), fmt.Sprintf("what the %d bytes left can hold", r.left), ErrHash)
	}
	if r.err != nil {
		return nil
	}
	cols, names := make([]Column, nCols), make(map[string]bool)
	for i := range cols {
		item := "column " + strconv.Itoa(i)
		kind := r.length(1, item)
		if kind >= uint64(kinds) {
			r.fault(item, strconv.FormatUint(kind, 10), "a known kind of values", ErrHash)
		}
		nameBytes, n := r.length(4, item), r.length(8, item)
		name := string(r.text(nameBytes, item, item))
		if names[name] {
			r.fault(item, name, "a name that no column before has", ErrHash)
		}
		cols[i].Name, names[name] = name, true
		if kind == uint64(kindNone) && n != 0 {
			r.fault(item, strconv.FormatUint(n, 10), "no values in a column without a kind", ErrHash)
		}
		if r.err == nil {
			r.take(n, kindBytes[kind], item)
		}
		if r.err != nil {
			return nil
		}
		r.values(&cols[i], uint8(kind), int(n), item)
	}
	return cols
}

// values reads the n values of a column.
func (r *checkpointReader) values(c *Column, kind uint8, n int, item string) {
	switch kind {
	case kindNone:
		return
	case kindF64:
		if c.F64 = soa.Float64s(n); c.F64 == nil {
			c.F64 = []float64{}
		}
	case kindU32:
		c.U32 = make([]uint32, n)
	case kindU16:
		c.U16 = make([]uint16, n)
	case kindU8:
		c.U8 = make([]uint8, n)
		r.read(c.U8, item)
		return
	}
	size := kindBytes[kind]
	perChunk := checkpointChunk / size
	for first := 0; first < n && r.err == nil; first += perChunk {
		end := min(first+perChunk, n)
		b := r.chunk[:(end-first)*size]
		r.read(b, item)
		switch kind {
		case kindF64:
			for i := range c.F64[first:end] {
				c.F64[first+i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
			}
		case kindU32:
			for i := range c.U32[first:end] {
				c.U32[first+i] = binary.LittleEndian.Uint32(b[4*i:])
			}
		case kindU16:
			for i := range c.U16[first:end] {
				c.U16[first+i] = binary.LittleEndian.Uint16(b[2*i:])
			}
		}
	}
}
