package fileio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
)

// someColumns returns columns of every kind, some empty, some of odd length, and one longer than a
// chunk.
func someColumns() []Column {
	long := make([]float64, checkpointChunk/8*2+5)
	for i := range long {
		long[i] = math.Float64frombits(uint64(i) * 0x9e3779b97f4a7c15)
	}
	return []Column{
		{Name: "pos.x", F64: []float64{0, math.Copysign(0, -1), math.Inf(-1), math.Pi, 5e-324,
			math.Float64frombits(0x7ff0000000000001), math.Float64frombits(0xfff8dead0000beef)}},
		{Name: "", U32: []uint32{0, math.MaxUint32, 7}},
		{Name: "type", U16: []uint16{1, 2, 65535}},
		{Name: "flags", U8: []uint8{0, 255, 3, 4, 5}},
		{Name: "none"},
		{Name: "no floats", F64: []float64{}},
		{Name: "no bytes", U8: []uint8{}},
		{Name: "long", F64: long},
	}
}

// bitsOf returns the columns with floats as bits, because NaN does not equal itself.
func bitsOf(cols []Column) (bits []any) {
	for _, c := range cols {
		var f []uint64
		for _, x := range c.F64 {
			f = append(f, math.Float64bits(x))
		}
		bits = append(bits, []any{c.Name, f, c.F64 == nil, c.U32, c.U16, c.U8})
	}
	return bits
}

func writeSome(t *testing.T, cols []Column) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "c.scree")
	if err := WriteCheckpoint(path, []byte(`{"step":12}`), cols); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, content
}

func TestCheckpointKeepsEveryBit(t *testing.T) {
	path, _ := writeSome(t, someColumns())
	header, cols, err := ReadCheckpoint(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(header) != `{"step":12}` {
		t.Fatalf("header %q", header)
	}
	if got, want := bitsOf(cols), bitsOf(someColumns()); !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for _, c := range cols {
		if len(c.F64) > 0 && uintptr(unsafe.Pointer(&c.F64[0]))%soa.Alignment != 0 {
			t.Fatalf("column %s is not aligned", c.Name)
		}
	}
}

// TestCheckpointFormat compares the exact bytes, so that files of this version stay readable.
func TestCheckpointFormat(t *testing.T) {
	_, content := writeSome(t, []Column{{Name: "id", U16: []uint16{258}}})
	want := []byte("scree checkpoint\x01\x00\x00\x00\x01\x00\x00\x00\x4c\x00\x00\x00\x00\x00\x00\x00" +
		"\x0b\x00\x00\x00\x00\x00\x00\x00{\"step\":12}\x03\x02\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00id\x02\x01")
	want = binary.LittleEndian.AppendUint64(want, xxhash.Sum64(want))
	if !bytes.Equal(content, want) {
		t.Fatalf("got %q\nwant %q", content, want)
	}
}

var checkpointSentinels = []error{ErrNotCheckpoint, ErrVersion, ErrTruncated, ErrHash}

// isSentinel reports whether err wraps exactly one of the checkpoint errors.
func isSentinel(err error) bool {
	n := 0
	for _, s := range checkpointSentinels {
		if errors.Is(err, s) {
			n++
		}
	}
	return n == 1
}

func TestCheckpointEveryFlippedBit(t *testing.T) {
	_, content := writeSome(t, someColumns()[:7])
	for at := range content {
		for bit := range 8 {
			damaged := bytes.Clone(content)
			damaged[at] ^= 1 << bit
			header, cols, err := decodeCheckpoint("c", bytes.NewReader(damaged), int64(len(damaged)))
			if header != nil || cols != nil || !isSentinel(err) {
				t.Fatalf("byte %d bit %d: %v", at, bit, err)
			}
			var want error
			switch {
			case at < 16:
				want = ErrNotCheckpoint
			case at < 20:
				want = ErrVersion
			case at < 24 || at >= checkpointPrefixBytes:
				want = ErrHash
			default: // The size field itself: a larger value looks like truncation, a smaller one like damage.
				continue
			}
			if !errors.Is(err, want) || !strings.Contains(err.Error(), "c, byte ") {
				t.Fatalf("byte %d bit %d: %v, want %v", at, bit, err, want)
			}
		}
	}
}

func TestCheckpointEveryCut(t *testing.T) {
	path, content := writeSome(t, someColumns()[:7])
	for n := range content {
		_, _, err := decodeCheckpoint("c", bytes.NewReader(content[:n]), int64(n))
		if !errors.Is(err, ErrTruncated) || !isSentinel(err) {
			t.Fatalf("%d of %d bytes: %v", n, len(content), err)
		}
		// A file that shrinks while it is read ends early although its size was right.
		if _, _, err := decodeCheckpoint("c", bytes.NewReader(content[:n]), int64(len(content))); !errors.Is(err, ErrTruncated) {
			t.Fatalf("%d of %d bytes, unannounced: %v", n, len(content), err)
		}
	}
	if err := os.WriteFile(path, append(content, 0), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadCheckpoint(path); !errors.Is(err, ErrHash) {
		t.Fatalf("one byte too many: %v", err)
	}
}

func TestCheckpointForeign(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"x", "solid cube", strings.Repeat("PK", 100), "scree checkpoinT and more than that"} {
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadCheckpoint(path); !errors.Is(err, ErrNotCheckpoint) || !isSentinel(err) {
			t.Fatalf("%q: %v", text, err)
		}
	}
	if _, _, err := ReadCheckpoint(dir); !errors.Is(err, ErrNotCheckpoint) {
		t.Fatalf("a folder: %v", err)
	}
	if _, _, err := ReadCheckpoint(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("no file: %v", err)
	}
}

// TestCheckpointLies tests files with a valid hash and wrong lengths. Only a limit on every length
// keeps the reader from allocating all memory.
func TestCheckpointLies(t *testing.T) {
	_, content := writeSome(t, []Column{{Name: "id", F64: []float64{1, 2}}})
	for at := 32; at+8 <= len(content)-8; at++ {
		for _, n := range []uint64{1 << 20, 1 << 40, 1 << 60, math.MaxUint64} {
			b := bytes.Clone(content[:len(content)-8])
			binary.LittleEndian.PutUint64(b[at:], n)
			b = binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
			if _, cols, err := decodeCheckpoint("c", bytes.NewReader(b), int64(len(b))); err != nil && !errors.Is(err, ErrHash) {
				t.Fatalf("length %d at byte %d: %v", n, at, err)
			} else if err == nil && len(cols) != 1 {
				t.Fatalf("length %d at byte %d: read as %v", n, at, cols)
			}
		}
	}
}

func TestWriteCheckpointRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, cols := range map[string][]Column{
		"given twice": {{Name: "a", U8: []uint8{1}}, {Name: "a", F64: []float64{1}}},
		"two slices":  {{Name: "a", U8: []uint8{1}, F64: []float64{1}}},
	} {
		if err := WriteCheckpoint(filepath.Join(dir, "c"), nil, cols); err == nil || !strings.Contains(err.Error(), `"a"`) {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Fatalf("%v was left behind", left)
	}
}

func TestCheckpointFullDisk(t *testing.T) {
	path, content := writeSome(t, someColumns())
	for _, room := range []int{0, 1, len(content) / 2, len(content) - 1} {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			onFullDisk(t, room, false)
			err := WriteCheckpoint(path, nil, append(someColumns(), Column{Name: "new", U8: make([]byte, 9)}))
			if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), path) {
				t.Fatalf("got %v", err)
			}
			onlyFile(t, path, string(content))
			if _, _, err := ReadCheckpoint(path); err != nil {
				t.Fatalf("the old checkpoint: %v", err)
			}
		})
	}
}

func TestCheckpointFullDevice(t *testing.T) {
	const device = "/dev/full"
	stat, err := os.Stat(device)
	require.Tool(t, err == nil && stat.Mode()&os.ModeDevice != 0, "this system has no "+device)
	if err := WriteCheckpoint(device, nil, someColumns()); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v", err)
	}
}

// TestCheckpointThroughPipe reads from a pipe, whose size is unknown.
func TestCheckpointThroughPipe(t *testing.T) {
	_, content := writeSome(t, someColumns()[:7])
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	path := fmt.Sprintf("/dev/fd/%d", from.Fd())
	_, err = os.Stat(path)
	require.Tool(t, err == nil, "this system has no /dev/fd")
	// The content fits into the buffer of any pipe.
	if _, err := to.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if _, cols, err := ReadCheckpoint(path); err != nil || len(cols) != 7 {
		t.Fatalf("%v, %d columns", err, len(cols))
	}
}

// TestCheckpointOfADevice: an endless device is rejected after its first bytes, and so is a size
// that exceeds any memory.
func TestCheckpointOfADevice(t *testing.T) {
	const device = "/dev/zero"
	_, err := os.Stat(device)
	require.Tool(t, err == nil, "this system has no "+device)
	if _, _, err := ReadCheckpoint(device); !errors.Is(err, ErrNotCheckpoint) {
		t.Fatalf("got %v", err)
	}
	_, content := writeSome(t, someColumns()[:7])
	forever := func(b []byte) *countingReader {
		return &countingReader{from: io.MultiReader(bytes.NewReader(b), zeros{})}
	}
	r := forever(content)
	if _, _, err := decodePiped("c", r); !errors.Is(err, ErrHash) || r.n > int64(len(content))+1 {
		t.Fatalf("a checkpoint without an end: %v after %d of %d bytes", err, r.n, len(content))
	}
	claim := bytes.Clone(content)
	binary.LittleEndian.PutUint64(claim[checkpointPrefixBytes-8:], 1<<50)
	r = forever(claim)
	if _, _, err := decodePiped("c", r); !errors.Is(err, ErrHash) || r.n > checkpointChunk {
		t.Fatalf("a checkpoint of a petabyte: %v after %d bytes", err, r.n)
	}
	r = forever([]byte("# a foreign file"))
	if _, _, err := decodePiped("c", r); !errors.Is(err, ErrNotCheckpoint) || r.n > checkpointChunk {
		t.Fatalf("a foreign file: %v after %d bytes", err, r.n)
	}
}

// zeros is an endless reader.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// countingReader counts the bytes read.
type countingReader struct {
	from io.Reader
	n    int64
}

func (r *countingReader) Read(b []byte) (int, error) {
	n, err := r.from.Read(b)
	r.n += int64(n)
	return n, err
}

// TestCheckpointWithAHole tests a sparse file of one tebibyte.
func TestCheckpointWithAHole(t *testing.T) {
	path, content := writeSome(t, someColumns()[:7])
	const size = 1 << 40
	binary.LittleEndian.PutUint64(content[checkpointPrefixBytes-8:], size)
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil {
		t.Skipf("this file system has no files of %d bytes: %v", int64(size), err)
	}
	if _, _, err := ReadCheckpoint(path); !errors.Is(err, ErrHash) || !strings.Contains(err.Error(), "at most") {
		t.Fatalf("got %v", err)
	}
}

func FuzzReadCheckpoint(f *testing.F) {
	path := filepath.Join(f.TempDir(), "c")
	if err := WriteCheckpoint(path, []byte("h"), someColumns()[:7]); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content, false)
	f.Add(content[:40], true)
	f.Add([]byte(checkpointMagic), false)
	f.Fuzz(func(t *testing.T, b []byte, repair bool) {
		// With repair set, size and hash are corrected, so that the reader reaches the data behind
		// them.
		if repair && len(b) >= checkpointLeast {
			b = bytes.Clone(b)
			copy(b, checkpointMagic)
			binary.LittleEndian.PutUint32(b[16:], checkpointVersion)
			binary.LittleEndian.PutUint64(b[24:], uint64(len(b)))
			binary.LittleEndian.PutUint64(b[len(b)-8:], xxhash.Sum64(b[:len(b)-8]))
		}
		header, cols, err := decodeCheckpoint("c", bytes.NewReader(b), int64(len(b)))
		if err != nil {
			if !isSentinel(err) {
				t.Fatalf("%v", err)
			}
			return
		}
		size := len(header)
		for _, c := range cols {
			size += len(c.Name) + 8*cap(c.F64) + 4*cap(c.U32) + 2*cap(c.U16) + cap(c.U8)
		}
		if size > len(b)+64*len(cols) {
			t.Fatalf("%d bytes of columns from %d", size, len(b))
		}
	})
}

func BenchmarkCheckpoint(b *testing.B) {
	const n = 1 << 20
	cols := []Column{{Name: "x", F64: make([]float64, n)}, {Name: "a", U32: make([]uint32, n)}}
	for i := range n {
		cols[0].F64[i], cols[1].U32[i] = float64(i), uint32(i)
	}
	path := filepath.Join(b.TempDir(), "c")
	b.Run(fmt.Sprintf("op=write/MB=%d", 12*n>>20), func(b *testing.B) {
		b.SetBytes(12 * n)
		for b.Loop() {
			if err := WriteCheckpoint(path, nil, cols); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run(fmt.Sprintf("op=read/MB=%d", 12*n>>20), func(b *testing.B) {
		b.SetBytes(12 * n)
		sum := uint32(0)
		for b.Loop() {
			_, read, err := ReadCheckpoint(path)
			if err != nil {
				b.Fatal(err)
			}
			sum = read[1].U32[n-1]
		}
		b.ReportMetric(float64(sum), "checksum")
	})
}

// TestCheckpointNamesTwice: a file with a valid hash and two columns of one name is rejected. A
// reader by name would see only one of them.
func TestCheckpointNamesTwice(t *testing.T) {
	_, content := writeSome(t, []Column{{Name: "ab", U8: []uint8{1}}, {Name: "cb", U8: []uint8{2}}})
	b := bytes.Replace(content[:len(content)-8], []byte("cb"), []byte("ab"), 1)
	b = binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
	_, _, err := decodeCheckpoint("c", bytes.NewReader(b), int64(len(b)))
	if !errors.Is(err, ErrHash) || !strings.Contains(err.Error(), `column 1: the checkpoint is damaged: found "ab", expected a name that no column before has`) {
		t.Errorf("error %v, expected that column 1 has a name again", err)
	}
}
