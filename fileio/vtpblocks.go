package fileio

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// An array in the binary part of a VTK XML file, as vtkXMLDataParser reads it, all numbers uint64:
//
//	number of blocks | bytes of a block | bytes of the last block, 0 if it is full or there is none
//	bytes of each block, compressed
//	the blocks, each a zlib stream of its own
//
// The fields of a body repeat for each of its faces, within zlib's window of 32 KiB, so they
// compress to almost nothing. Coordinates of 64 bits hardly compress.

// vtpBlockBytes is the size of a block before compression. Larger blocks compress no better,
// because zlib's window is 32 KiB. Smaller blocks lose the window too often. Goroutines compress
// blocks in parallel.
const vtpBlockBytes = 1 << 18

// vtpArray is an array of a frame: its values, its XML attributes, and its compressed blocks.
type vtpArray struct {
	section, name, kind string
	components          int
	floats              []float64
	ints                []int64
	rows                []int32  // row of values for each cell or point; nil: in order
	blocks              [][]byte // compressed
}

// bytes returns the size of the values.
func (v *vtpArray) bytes() int {
	if v.rows != nil {
		return 8 * v.components * len(v.rows)
	}
	return 8 * (len(v.floats) + len(v.ints))
}

// bits returns the bits of value i.
func (v *vtpArray) bits(i int) uint64 {
	if v.rows != nil {
		i = int(v.rows[i/v.components])*v.components + i%v.components
	}
	if v.floats != nil {
		return math.Float64bits(v.floats[i])
	}
	return uint64(v.ints[i])
}

// packedBytes returns the size of the header and the compressed blocks.
func (v *vtpArray) packedBytes() int {
	n := 8 * (3 + len(v.blocks))
	for _, b := range v.blocks {
		n += len(b)
	}
	return n
}

// compressArrays compresses the blocks of all arrays in parallel. It uses at most half of the
// processors, because the steps of the run continue meanwhile. The bytes do not depend on the
// order. It stops between two blocks when the context is cancelled.
func compressArrays(ctx context.Context, arrays []*vtpArray) error {
	var g errgroup.Group
	g.SetLimit(max(runtime.GOMAXPROCS(0)/2, 1))
	for _, v := range arrays {
		v.blocks = make([][]byte, (v.bytes()+vtpBlockBytes-1)/vtpBlockBytes)
		for i := range v.blocks {
			g.Go(func() (err error) {
				if err := ctx.Err(); err != nil {
					return err
				}
				v.blocks[i], err = v.compress(i)
				return err
			})
		}
	}
	return g.Wait()
}

// deflater is the memory for compressing a block. A zlib writer takes 800 kB.
type deflater struct {
	plain []byte
	out   bytes.Buffer
	zlib  *zlib.Writer
}

var deflaters = sync.Pool{New: func() any {
	// BestSpeed is a valid level.
	z, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	if err != nil {
		panic("fileio: " + err.Error())
	}
	return &deflater{plain: make([]byte, 0, vtpBlockBytes), zlib: z}
}}

// compress returns block i as a zlib stream.
func (v *vtpArray) compress(i int) ([]byte, error) {
	const perBlock = vtpBlockBytes / 8
	d := deflaters.Get().(*deflater)
	defer deflaters.Put(d)
	plain := d.plain[:0]
	first, end := i*perBlock, min((i+1)*perBlock, v.bytes()/8)
	for i := first; i < end; i++ {
		plain = binary.LittleEndian.AppendUint64(plain, v.bits(i))
	}
	d.out.Reset()
	d.zlib.Reset(&d.out)
	if _, err := d.zlib.Write(plain); err != nil {
		return nil, fmt.Errorf("compressing %q: %w", v.name, err)
	}
	if err := d.zlib.Close(); err != nil {
		return nil, fmt.Errorf("compressing %q: %w", v.name, err)
	}
	return bytes.Clone(d.out.Bytes()), nil
}

// write writes the header and the blocks. The buffered writer keeps an error.
func (v *vtpArray) write(a *atomicFile) {
	b := a.AvailableBuffer()
	b = binary.LittleEndian.AppendUint64(b, uint64(len(v.blocks)))
	b = binary.LittleEndian.AppendUint64(b, vtpBlockBytes)
	b = binary.LittleEndian.AppendUint64(b, uint64(v.bytes()%vtpBlockBytes))
	for _, block := range v.blocks {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(block)))
	}
	a.Write(b)
	for _, block := range v.blocks {
		a.Write(block)
	}
}
