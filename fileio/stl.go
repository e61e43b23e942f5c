package fileio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/scree-dem/scree/vec"
)

// Binary STL, all little-endian: a header of any content, the number of triangles, then for each
// triangle the normal and three corners as float32, and two bytes, which some programs use for a
// colour.
const (
	stlHeaderBytes   = 80
	stlCountBytes    = 4
	stlTriangleBytes = 4*3*4 + 2
	stlPrefixBytes   = stlHeaderBytes + stlCountBytes
)

// sniffBytes is the length of the start of a file in which a NUL byte proves the file binary. A
// binary STL file with fewer than 2²⁴ triangles has a NUL in the last byte of its count, within the
// prefix. Text has none.
const sniffBytes = 512

// decodeSTL reads either kind of STL. It appends three vertices per triangle; the caller welds
// them. The stored normals are neither used nor checked, because some programs write zeros or NaN.
func (m *meshBuilder) decodeSTL(name string, content []byte) error {
	if isASCIISTL(content, int64(len(content))) {
		return m.decodeASCIISTL(name, content)
	}
	return m.decodeBinarySTL(name, content)
}

// isASCIISTL reports whether a file of size bytes is ASCII STL. A start "solid" is no proof,
// because binary headers may have it too. A size that matches the triangle count exactly, or a NUL
// byte, proves the file binary. content must hold at least the first sniffBytes of the file.
func isASCIISTL(content []byte, size int64) bool {
	if len(content) >= stlPrefixBytes {
		n := int64(binary.LittleEndian.Uint32(content[stlHeaderBytes:]))
		if size == stlPrefixBytes+n*stlTriangleBytes {
			return false
		}
	}
	if bytes.IndexByte(content[:min(len(content), sniffBytes)], 0) >= 0 {
		return false
	}
	word, _ := cutField(bytes.TrimPrefix(content, byteOrderMark))
	// Text that starts with another word also goes to the ASCII reader. The message of the ASCII
	// reader shows the first word, whereas the binary reader would show a meaningless count.
	return bytes.EqualFold(word, []byte("solid")) || isText(content)
}

// isText reports whether the start of the content has only printable ASCII and blanks.
func isText(content []byte) bool {
	for _, c := range content[:min(len(content), stlPrefixBytes)] {
		if (c < ' ' || c > '~') && !isBlank(c) {
			return false
		}
	}
	return true
}

// binarySTLCount returns the number of triangles in a binary STL file of size bytes, from its
// start. It rejects a count that does not match the size, and a mesh that does not fit into memory.
func (m *meshBuilder) binarySTLCount(start []byte, size int64) (int64, error) {
	if size < stlPrefixBytes {
		return 0, &InputError{File: m.name, Byte: size, Item: "header", Err: ErrTruncated,
			Want: fmt.Sprintf("%d bytes of header and count", stlPrefixBytes)}
	}
	n := int64(binary.LittleEndian.Uint32(start[stlHeaderBytes:]))
	if held := size - stlPrefixBytes; held != n*stlTriangleBytes {
		fault := &InputError{File: m.name, Byte: stlHeaderBytes, Item: "triangle count",
			Value: strconv.FormatInt(n, 10),
			Want:  fmt.Sprintf("the %d triangles that %d bytes hold", held/stlTriangleBytes, held)}
		switch {
		case held < n*stlTriangleBytes:
			fault.Err = ErrTruncated
		case held%stlTriangleBytes != 0:
			fault.Want += fmt.Sprintf(" (and %d bytes are left over)", held%stlTriangleBytes)
		}
		return 0, fault
	}
	if n == 0 {
		return 0, &InputError{File: m.name, Byte: stlHeaderBytes, Item: "triangle count", Value: "0",
			Want: "at least one triangle"}
	}
	return n, m.announced(int(n), 0)
}

func (m *meshBuilder) decodeBinarySTL(name string, content []byte) error {
	n, err := m.binarySTLCount(content, int64(len(content)))
	if err != nil {
		return err
	}
	body := content[stlPrefixBytes:]
	m.verts = make([]vec.Vec3, 0, 3*n)
	m.corners = make([]int, 0, 3*n)
	m.ends = make([]int, 0, n)
	for t := range int(n) {
		record := body[t*stlTriangleBytes:]
		for corner := range 3 {
			const normalBytes, pointBytes = 12, 12
			at := normalBytes + corner*pointBytes
			p := vec.Vec3{X: float32At(record, at), Y: float32At(record, at+4), Z: float32At(record, at+8)}
			if !p.Finite() {
				return &InputError{File: name, Byte: int64(stlPrefixBytes + t*stlTriangleBytes + at),
					Item:  fmt.Sprintf("triangle %d, vertex %d", t+1, corner+1),
					Value: fmt.Sprintf("%g %g %g", p.X, p.Y, p.Z), Want: "finite coordinates"}
			}
			m.verts = append(m.verts, p)
		}
		m.triangle(3*t, 3*t+1, 3*t+2)
	}
	return nil
}

// float32At returns the little-endian float32 at byte i.
func float32At(b []byte, i int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i:])))
}

// stlReader reads the words of an ASCII STL file, whatever the line breaks.
type stlReader struct{ *lineReader }

// is compares words ignoring case, because some programs write FACET.
func is(word []byte, keyword string) bool { return bytes.EqualFold(word, []byte(keyword)) }

// expect reads the given words.
func (t stlReader) expect(item string, keywords ...string) {
	for _, keyword := range keywords {
		switch word := t.word(); {
		case len(word) == 0:
			t.truncated(item, strconv.Quote(keyword))
		case !is(word, keyword):
			t.fault(item, word, strconv.Quote(keyword))
		}
	}
}

// number reads a number. If finite is false, NaN and infinities are also accepted.
func (t stlReader) number(item string, finite bool) float64 {
	word := t.word()
	if len(word) == 0 {
		t.truncated(item, "a number")
	}
	x, err := parseFloat(word)
	if ok := err == nil && isFinite(x); !ok && (finite || x == x && !math.IsInf(x, 0) && !isPrintedNaN(word)) {
		t.fault(item, word, wantFinite)
	}
	return x
}

// isPrintedNaN reports whether the word is what C prints for a number that is not finite and strconv does not read:
// -nan or nan(0x1), and 1.#QNAN, -1.#IND or 1.#INF from older libraries of Windows.
func isPrintedNaN(word []byte) bool {
	word = bytes.TrimLeft(word, "+-")
	return bytes.HasPrefix(bytes.ToLower(word), []byte("nan")) || bytes.HasPrefix(word, []byte("1.#"))
}

// decodeASCIISTL reads one or several solids into one mesh.
func (m *meshBuilder) decodeASCIISTL(name string, content []byte) error {
	t := stlReader{newLineReader(name, content)}
	t.expect("start of file", "solid")
	for more := true; more; {
		t.left = nil // A name may follow "solid" on its line.
		m.decodeSolid(t)
		t.left = nil // A name may follow "endsolid" too.
		word := t.word()
		if more = len(word) > 0; more && !is(word, "solid") {
			t.fault("", word, `the end of the file or another "solid"`)
		}
	}
	if len(m.verts) == 0 {
		t.fault("", nil, `at least one "facet"`)
	}
	return t.err
}

// decodeSolid reads facets up to and including the word endsolid.
func (m *meshBuilder) decodeSolid(t stlReader) {
	const wantFacet = `"facet" or "endsolid"`
	for t.err == nil {
		word := t.word()
		item := "triangle " + strconv.Itoa(len(m.ends)+1)
		switch {
		case len(word) == 0:
			t.truncated(item, wantFacet)
		case is(word, "endsolid"):
			return
		case !is(word, "facet"):
			t.fault(item, word, wantFacet)
		}
		t.fail(m.gathered(len(m.ends), len(m.ends))) // triangles do not share vertices yet
		t.expect(item, "normal")
		for range 3 {
			t.number(item+", normal", false)
		}
		t.expect(item, "outer", "loop")
		for range 3 {
			t.expect(item, "vertex")
			x, y, z := t.number(item+", vertex", true), t.number(item+", vertex", true), t.number(item+", vertex", true)
			m.verts = append(m.verts, vec.Vec3{X: x, Y: y, Z: z})
		}
		t.expect(item, "endloop", "endfacet")
		n := len(m.verts)
		m.triangle(n-3, n-2, n-1)
	}
}
