package fileio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// tetra returns a tetrahedron with its right angles at the origin.
func tetra() *geometry.Mesh {
	return &geometry.Mesh{Name: "tetra",
		Verts: []vec.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}},
		Faces: [][]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}
}

// cube returns a cube with the given side and lowest corner, as six quadrilaterals.
func cube(corner vec.Vec3, side float64) *geometry.Mesh {
	m := &geometry.Mesh{Name: "cube", Faces: [][]int{
		{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}}
	for i := range 8 {
		d := vec.Vec3{X: float64(i & 1), Y: float64(i >> 1 & 1), Z: float64(i >> 2)}
		m.Verts = append(m.Verts, corner.AddScaled(side, d))
	}
	return m
}

// signedVolume returns the volume of a closed mesh with planar faces, positive if the faces point
// outwards.
func signedVolume(m *geometry.Mesh) float64 {
	v := 0.0
	for _, f := range m.Faces {
		for k := 1; k+1 < len(f); k++ {
			v += m.Verts[f[0]].Dot(m.Verts[f[k]].Cross(m.Verts[f[k+1]])) / 6
		}
	}
	return v
}

// binarySTL encodes triangles with the given header and an announced number n of triangles.
func binarySTL(header string, n uint32, triangles ...[3]vec.Vec3) []byte {
	b := make([]byte, stlHeaderBytes)
	copy(b, header)
	b = binary.LittleEndian.AppendUint32(b, n)
	for _, t := range triangles {
		b = append(b, make([]byte, 12)...)
		for _, p := range t {
			for _, x := range [3]float64{p.X, p.Y, p.Z} {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
			}
		}
		b = append(b, 0x1f, 0x7c) // a colour, as some programs write
	}
	return b
}

// trianglesOf returns the corners of each face of a triangle mesh.
func trianglesOf(m *geometry.Mesh) (t [][3]vec.Vec3) {
	for _, f := range m.Faces {
		t = append(t, [3]vec.Vec3{m.Verts[f[0]], m.Verts[f[1]], m.Verts[f[2]]})
	}
	return t
}

const asciiTriangle = "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n"

// plyBinary encodes the tetrahedron, with other properties and elements in between.
func plyBinary(order binary.AppendByteOrder, name string) []byte {
	b := []byte("ply\nformat " + name + " 1.0\ncomment made by hand\nobj_info none\nelement material 2\n" +
		"property uchar red\nproperty list uchar double weights\nelement vertex 4\nproperty short q\nproperty double x\n" +
		"property float y\nproperty int z\nproperty list ushort char tags\nelement empty 4000000000\nelement face 4\n" +
		"property uchar flag\nproperty list uchar uint vertex_index\nproperty list int float uv\nend_header\n")
	b = append(b, 9, 0, 8, 1)
	b = order.AppendUint64(b, math.Float64bits(2.5))
	m := tetra()
	for i, v := range m.Verts {
		b = order.AppendUint16(b, uint16(i))
		b = order.AppendUint64(b, math.Float64bits(v.X))
		b = order.AppendUint32(b, math.Float32bits(float32(v.Y)))
		b = order.AppendUint32(b, uint32(int32(v.Z)))
		b = append(order.AppendUint16(b, 3), 1, 2, 3)
	}
	for _, f := range m.Faces {
		b = append(b, 7, 3)
		for _, v := range f {
			b = order.AppendUint32(b, uint32(v))
		}
		b = order.AppendUint32(b, 1)
		b = order.AppendUint32(b, math.Float32bits(0.5))
	}
	return b
}

const plyASCII = "ply\nformat ascii 1.0\nelement face 4\nproperty list uchar int vertex_indices\nelement vertex 4\n" +
	"property float x\nproperty float y\nproperty float z\nproperty uchar red\nproperty list uchar int l\nend_header\n" +
	"3 0 2 1\n3 0 1 3\n3 0 3 2 3 1 2 3\n0 0 0 255 0\n1 0\n0 255 1 7\n0 1 0 255 2 8 9\n0 0 1 255 0\n"

func TestReadMeshAnswers(t *testing.T) {
	want := tetra()
	asciiTetra := "solid t\n"
	for _, tri := range trianglesOf(want) {
		asciiTetra += "FACET NORMAL 0 0 0 OUTER LOOP"
		for _, p := range tri {
			asciiTetra += fmt.Sprintf(" vertex %g %g %g", p.X, p.Y, p.Z)
		}
		asciiTetra += " endloop endfacet\r\n"
	}
	tris := trianglesOf(want)
	// Welding numbers vertices by first use: 0 2 1 of the first face become 0 1 2.
	welded := &geometry.Mesh{Verts: []vec.Vec3{{}, {Y: 1}, {X: 1}, {Z: 1}},
		Faces: [][]int{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {2, 1, 3}}}
	cases := []struct {
		name, file string
		content    string
		want       *geometry.Mesh
	}{
		{"STL binary", "t.stl", string(binarySTL("header", 4, tris...)), welded},
		{"STL binary that starts with solid", "t.stl", string(binarySTL("solid facet", 4, tris...)), welded},
		{"STL binary, extension in capitals", "T.STL", string(binarySTL("", 4, tris...)), welded},
		{"STL ASCII", "t.stl", asciiTetra + "endsolid t\n", welded},
		{"STL ASCII with a mark, NaN normals and CR line ends", "t.stl", "\xef\xbb\xbf" + strings.ReplaceAll(
			strings.ReplaceAll(asciiTetra, "NORMAL 0 0 0", "normal nan -nan(ind) 1"), "-nan(ind)", "-inf") + "endsolid", welded},
		{"STL ASCII with the NaN that C prints in normals", "t.stl", strings.ReplaceAll(
			asciiTetra, "NORMAL 0 0 0", "normal -nan -nan(ind) -1.#IND") + "endsolid", welded},
		{"STL ASCII of two solids", "t.stl", strings.Replace(asciiTetra, "endfacet\r\n", "endfacet\nendsolid a b\nsolid facet x\n", 1) +
			"endsolid", welded},
		{"OBJ", "t.obj", "# c\nmtllib a.mtl\no t\nv 0 0 0\nv 1 0 0 1\nv 0 1 0 .5 .5 .5\nv 0 0 1 1 .5 .5 .5\ng side\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4 # c\n", want},
		{"OBJ with attributes, negative and forward numbers", "t.obj",
			"v 0 0 0\nf 1/1/1 3/2/1 2/3/1\nv 1 0 0\nvt 0 0\nvn 0 0 1\nv 0 1 0\nv 0 0 1\nf -4//1 -3//1 -1//1\nf 1/ 4/ 3/\nf -3/1 -2/2 -1/3", want},
		{"OBJ with continued lines and CR line ends", "t.obj", "v 0 0 0\rv 1 \\\r0 0\rv 0 1 0\rv 0 0 1\rf 1 \\ # c\r3 \\\r2\rf 1 2 4\rf 1 4 3\rf 2 3 4\r", want},
		{"OFF", "t.off", "OFF\n# c\n4 4 6\n0 0 0\n1 0 0 # c\n0 1 0\n\n0 0 1\n3 0 2 1\n3 0 1 3 255 0 0\n3 0 3 2 0.5 0.5 0.5 1\n3 1 2 3 17\n", want},
		{"OFF, counts on the first line", "t.off", "OFF 4 4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3", want},
		{"OFF without the word", "t.off", "4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3", want},
		{"COFF", "t.off", "COFF\r\n4 4 6\r\n0 0 0 1 1 1 1\r\n1 0 0 1 1 1 1\r\n0 1 0 1 1 1 1\r\n0 0 1 1 1 1 1\r\n3 0 2 1\r\n3 0 1 3\r\n3 0 3 2\r\n3 1 2 3\r\n", want},
		{"STCNOFF", "t.off", "STCNOFF 4 4 6\n0 0 0 1\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n", want},
		{"PLY ASCII, faces first", "t.ply", plyASCII, want},
		{"PLY ASCII, CRLF", "t.ply", strings.ReplaceAll(plyASCII, "\n", "\r\n"), want},
		{"PLY little-endian", "t.ply", string(plyBinary(binary.LittleEndian, "binary_little_endian")), want},
		{"PLY big-endian", "t.ply", string(plyBinary(binary.BigEndian, "binary_big_endian")), want},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := DecodeMesh(c.file, []byte(c.content))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Verts, c.want.Verts) || !reflect.DeepEqual(got.Faces, c.want.Faces) {
				t.Fatalf("got %v %v\nwant %v %v", got.Verts, got.Faces, c.want.Verts, c.want.Faces)
			}
			if v := signedVolume(got); math.Abs(v-1.0/6) > 1e-15 {
				t.Fatalf("volume %g, want 1/6", v)
			}
			if got.Name != strings.TrimSuffix(strings.TrimSuffix(c.file, filepath.Ext(c.file)), ".") {
				t.Fatalf("name %q", got.Name)
			}
		})
	}
}

// TestReadMeshFaults checks that each message names the file, the position, the value and what was
// expected.
func TestReadMeshFaults(t *testing.T) {
	one := [3]vec.Vec3{{}, {X: 1}, {Y: 1}}
	nan := [3]vec.Vec3{{}, {X: math.NaN()}, {Y: 1}}
	plyHead := "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n" +
		"property list uchar int vertex_indices\nend_header\n"
	plyLittle := strings.Replace(plyHead, "ascii", "binary_little_endian", 1)
	cases := []struct {
		name, file, content string
		want                []string
	}{
		{"unknown extension", "t.3ds", "", []string{"t.3ds", "unknown file format", ".stl"}},
		{"STL empty", "t.stl", "", []string{"t.stl", "truncated", `"solid"`}},
		{"STL short", "t.stl", "abc\x00", []string{"byte 4", "truncated", "84 bytes"}},
		{"STL garbage", "t.stl", strings.Repeat("<html> not a mesh ", 20), []string{"line 1", `"<html>"`, `"solid"`}},
		{"STL of bytes that are no text", "t.stl", strings.Repeat("\xfe\xed", 60), []string{"byte 80", "truncated", `"3992907262"`, "0 triangles"}},
		{"STL claims 4e9 triangles", "t.stl", string(binarySTL("", 4_000_000_000, one)), []string{"byte 80", "truncated", `"4000000000"`, "1 triangles"}},
		{"STL cut", "t.stl", string(binarySTL("", 2, one, one)[:160]), []string{"truncated", `"2"`}},
		{"STL binary with solid, cut", "t.stl", string(binarySTL("solid x", 2, one, one)[:160]), []string{"truncated", `"2"`}},
		{"STL too long", "t.stl", string(binarySTL("", 1, one, one)) + "x", []string{"byte 80", `"1"`, "2 triangles", "1 bytes are left over"}},
		{"STL of nothing", "t.stl", string(binarySTL("", 0)), []string{"byte 80", `"0"`, "at least one"}},
		{"STL binary NaN", "t.stl", string(binarySTL("", 2, one, nan)), []string{"byte 158", "triangle 2, vertex 2", "NaN", "finite"}},
		{"STL ASCII empty", "t.stl", "solid a\nendsolid a\n", []string{"line 2", `"facet"`}},
		{"STL ASCII cut", "t.stl", "solid a\n" + asciiTriangle[:40], []string{"line 4", "triangle 1", "truncated"}},
		{"STL ASCII NaN", "t.stl", "solid a\n" + strings.Replace(asciiTriangle, "vertex 1", "vertex nan", 1), []string{"line 5", "triangle 1", `"nan"`, "finite"}},
		{"STL ASCII huge", "t.stl", "solid a\n" + strings.Replace(asciiTriangle, "vertex 1", "vertex 1e999", 1), []string{"line 5", `"1e999"`, "finite"}},
		{"STL ASCII four corners", "t.stl", "solid a\n" + strings.Replace(asciiTriangle, " endloop", " vertex 1 1 1\nendloop", 1), []string{"line 7", `"vertex"`, `"endloop"`}},
		{"STL ASCII bad normal", "t.stl", "solid a\n" + strings.Replace(asciiTriangle, "normal 0", "normal x", 1), []string{"line 2", `"x"`}},
		{"STL ASCII trailing", "t.stl", "solid a\n" + asciiTriangle + "endsolid\nrest", []string{"line 10", `"rest"`}},
		{"OBJ empty", "t.obj", "# nothing\n", []string{"t.obj", "empty"}},
		{"OBJ bad number", "t.obj", "v 0 0 0\nv 1 x 0\n", []string{"line 2", "vertex 2", `"x"`, "finite number for y"}},
		{"OBJ two coordinates", "t.obj", "v 0 0\n", []string{"line 1", "finite number for z"}},
		{"OBJ NaN", "t.obj", "v 0 nan 0\n", []string{"line 1", `"nan"`}},
		{"OBJ infinite colour", "t.obj", "v 0 0 0 inf\n", []string{"line 1", `"inf"`, "colour"}},
		{"OBJ half a colour", "t.obj", "v 0 0 0\nv 1 0 0 .5 .5\n", []string{"line 2", "vertex 2", `"5 numbers"`, "with a weight 4, with a colour 6"}},
		{"OBJ many numbers", "t.obj", "v 0 0 0 1 1 1 1 1\n", []string{"line 1", `"8 numbers"`, "with both 7"}},
		{"OBJ slashes without a normal", "t.obj", "v 0 0 0\nf 1// 1// 1//\n", []string{"line 2", "face 1", `"1//"`, "v//vn"}},
		{"OBJ texture without a normal", "t.obj", "v 0 0 0\nf 1/1/ 1/1/ 1/1/\n", []string{"line 2", `"1/1/"`, "v/vt/vn"}},
		{"OBJ index beyond", "t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9/1\n", []string{"line 4", `"9/1"`, "from 1 to 3"}},
		{"OBJ index zero", "t.obj", "v 0 0 0\nf 0 1 1\n", []string{"line 2", "face 1", `"0"`}},
		{"OBJ index too negative", "t.obj", "v 0 0 0\nf -1 -1 -2\n", []string{"line 2", `"-2"`, "from -1 to -1"}},
		{"OBJ index of four parts", "t.obj", "v 0 0 0\nf 1/1/1/1 1 1\n", []string{"line 2", `"1/1/1/1"`, "v/vt/vn"}},
		{"OBJ index no number", "t.obj", "v 0 0 0\nf 1 a 1\n", []string{"line 2", `"a"`}},
		{"OBJ texture no number", "t.obj", "v 0 0 0\nf 1 1/a 1\n", []string{"line 2", `"1/a"`}},
		{"OBJ face of two", "t.obj", "v 0 0 0\nf 1 1\n", []string{"line 2", "2 vertices", "at least 3"}},
		{"OBJ unknown statement", "t.obj", "v 0 0 0\nsurf 0 1\n", []string{"line 2", `"surf"`}},
		{"OBJ continued into nothing", "t.obj", "v 0 0 \\", []string{"line 1", "truncated"}},
		{"OFF empty", "t.off", "\n\n", []string{"truncated", "OFF"}},
		{"OFF other", "t.off", "PLY\n", []string{"line 1", `"PLY"`}},
		{"OFF in four dimensions", "t.off", "4OFF\n1 1 1\n", []string{"line 1", `"4OFF"`, "three coordinates"}},
		{"OFF binary", "t.off", "OFF BINARY\n\x00\x00", []string{"line 1", `"BINARY"`, "ASCII"}},
		{"OFF count", "t.off", "OFF\n3 x 0\n", []string{"line 2", "number of faces", `"x"`}},
		{"OFF negative count", "t.off", "OFF\n-3 1 0\n", []string{"line 2", "number of vertices", `"-3"`}},
		{"OFF huge counts", "t.off", "OFF\n4000000000 4000000000 0\n0 0 0\n", []string{"line 2", `"4000000000 4000000000"`, "truncated"}},
		{"OFF cut", "t.off", "OFF\n3 1 0\n0 0 0\n1 0 0 # padding of the file so that the counts are plausible\n", []string{"vertex 2", "truncated", "3 vertices"}},
		{"OFF NaN", "t.off", "OFF\n3 1 0\n0 0 0\n1 NaN 0\n0 1 0\n3 0 1 2\n", []string{"line 4", "vertex 1", `"NaN"`}},
		{"OFF index", "t.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", []string{"line 6", "face 0", `"3"`, "from 0 to 2"}},
		{"OFF face cut", "t.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", []string{"line 6", `"4 0 1 2"`, "4 corners"}},
		{"OFF face of two", "t.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1  \n", []string{"line 6", `"2"`, "≥ 3"}},
		{"OFF trailing", "t.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", []string{"line 7", "end of the file"}},
		{"PLY empty", "t.ply", "", []string{"t.ply", `"ply"`}},
		{"PLY other", "t.ply", "OFF\n", []string{"line 1", `"OFF"`, "ply"}},
		{"PLY header cut", "t.ply", "ply\nformat ascii 1.0\n", []string{"truncated", "end_header"}},
		{"PLY format", "t.ply", "ply\nformat ascii 2.0\n", []string{"line 2", "ascii 2.0", "format ascii 1.0"}},
		{"PLY type", "t.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\n", []string{"line 4", "half", "double"}},
		{"PLY count", "t.ply", "ply\nformat ascii 1.0\nelement vertex -1\n", []string{"line 3", `"-1"`}},
		{"PLY no vertex", "t.ply", "ply\nformat ascii 1.0\nend_header\n", []string{"element vertex"}},
		{"PLY no z", "t.ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty int x\nproperty int y\nend_header\n", []string{"element vertex", "property z"}},
		{"PLY strips", "t.ply", "ply\nformat ascii 1.0\nelement vertex 0\nelement tristrips 1\nend_header\n", []string{"tristrips", "strips are not read"}},
		{"PLY huge", "t.ply", strings.Replace(plyLittle, "vertex 3", "vertex 4000000000", 1) + "abc", []string{"element vertex", "4000000000", "truncated"}},
		{"PLY huge list", "t.ply", strings.Replace(plyLittle, "list uchar", "list uint", 1) + strings.Repeat("\x00", 36) + "\xff\xff\xff\xff\x00\x00\x00\x00",
			[]string{"face 0, length of vertex_indices", `"4294967295"`, "truncated"}},
		{"PLY negative list", "t.ply", strings.Replace(plyHead, "list uchar", "list char", 1) + "0 0 0 0 0 0 0 0 0 -3 0 0 0", []string{"line 10", `"-3"`, "≥ 0"}},
		{"PLY element twice", "t.ply", "ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\n", []string{"line 4", "each element once"}},
		{"PLY property twice", "t.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int x\n", []string{"line 5", "each property once"}},
		{"PLY list of fractional length", "t.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty list float int v\n", []string{"line 4", "whole number"}},
		{"PLY without format", "t.ply", "ply\nelement vertex 1\nend_header\n", []string{"line 3", "format"}},
		{"PLY property without element", "t.ply", "ply\nformat ascii 1.0\nproperty int x\n", []string{"line 3", "after an element"}},
		{"PLY unknown line", "t.ply", "ply\nformat ascii 1.0\nfaces 3\n", []string{"line 3", `"faces"`}},
		{"PLY faces of fractions", "t.ply", strings.Replace(plyHead, "uchar int", "uchar float", 1) + "0 0 0\n0 0 0\n0 0 0\n3 0 1 2\n", []string{"element face", "whole numbers"}},
		{"PLY binary row cut in a passed property", "t.ply", strings.Replace(strings.Replace(plyLittle, "vertex 3", "vertex 1", 1), "end_header",
			"property double quality\nend_header", 1) + strings.Repeat("\x00", 12) + "\x03" + strings.Repeat("\x00", 16), []string{"face 0", "truncated"}},
		{"PLY NaN", "t.ply", plyHead + "0 0 0\n0 nan 0\n0 0 0\n3 0 1 2\n", []string{"line 11", "vertex 1, y", `"nan"`, "finite"}},
		{"PLY beyond float64", "t.ply", plyHead + "0 0 0\n0 1e999 0\n0 0 0\n3 0 1 2\n", []string{"line 11", "vertex 1, y", `found "1e999"`, "finite"}},
		{"OFF edges", "t.off", "OFF\n3 1 x\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", []string{"line 2", "number of edges", `"x"`}},
		{"OFF counts too long", "t.off", "3 1 0 7\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", []string{"line 1", `"7"`, "end of the line"}},
		{"STL with a far corner", "t.stl", "solid a\n" + strings.Replace(asciiTriangle, "vertex 1", "vertex 3e38", 1) + "endsolid", []string{"1 triangles", "triangles of more than 3e+32"}},
		{"PLY whole number", "t.ply", plyHead + "0 0 0\n0 0 0\n0 0 0\n3 0 1.5 2\n", []string{"line 13", `"1.5"`, "whole number"}},
		{"PLY index", "t.ply", plyHead + "0 0 0\n0 0 0\n0 0 0\n3 0 1 3\n", []string{"line 13", "face 0", `"3"`, "from 0 to 2"}},
		{"PLY trailing", "t.ply", plyHead + "0 0 0\n0 0 0\n0 0 0\n3 0 1 2\n7\n", []string{"line 14", "end of the file"}},
		{"PLY binary trailing", "t.ply", plyLittle + strings.Repeat("\x00", 36) + "\x03" + strings.Repeat("\x00", 12) + "ab", []string{fmt.Sprint("byte ", len(plyLittle)+49), `"ab"`, "end of the file"}},
		{"PLY binary NaN", "t.ply", plyLittle + strings.Repeat("\xff", 36) + "\x03" + strings.Repeat("\x00", 12), []string{"vertex 0, x", "NaN"}},
		{"PLY face of two", "t.ply", plyHead + "0 0 0\n0 0 0\n0 0 0\n2 0 1\n", []string{"line 13", "2 vertices", "at least 3"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := DecodeMesh(c.file, []byte(c.content))
			if err == nil {
				t.Fatalf("read as %v", got)
			}
			var input *InputError
			if !errors.As(err, &input) {
				t.Fatalf("%v is no InputError", err)
			}
			for _, part := range append(c.want, c.file) {
				if !strings.Contains(err.Error(), part) {
					t.Fatalf("%q does not hold %q", err, part)
				}
			}
			if strings.Contains(err.Error(), "truncated") != errors.Is(err, ErrTruncated) {
				t.Fatalf("%v: sentinel ErrTruncated %v", err, errors.Is(err, ErrTruncated))
			}
		})
	}
}

func TestReadMeshFromDisk(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadMesh(filepath.Join(dir, "none.stl")); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("missing file: %v", err)
	}
	path := filepath.Join(dir, "a.block.off")
	if err := WriteMesh(path, tetra()); err != nil {
		t.Fatal(err)
	}
	m, err := ReadMesh(path)
	if err != nil || m.Name != "a.block" {
		t.Fatalf("%v, name %q", err, m.Name)
	}
}

// TestPLYHeaderOfManyLines reads long headers. Comparing each name with all earlier ones would take
// a minute.
func TestPLYHeaderOfManyLines(t *testing.T) {
	const n = 60_000
	var b strings.Builder
	b.WriteString("ply\nformat ascii 1.0\n")
	for i := range n {
		fmt.Fprintf(&b, "element e%d 0\n", i)
	}
	b.WriteString("element vertex 1\nproperty int x\nproperty int y\nproperty int z\n")
	for i := range n {
		fmt.Fprintf(&b, "property int p%d\n", i)
	}
	last := b.Len()
	b.WriteString("end_header\n0 0 0" + strings.Repeat(" 1", n))
	head := b.String()
	if m, err := DecodeMesh("long.ply", []byte(head)); err != nil || len(m.Verts) != 1 {
		t.Fatalf("mesh %v, error %v", m, err)
	}
	for _, again := range []string{"property int p7\n", "element e9 1\n"} {
		if _, err := DecodeMesh("long.ply", []byte(head[:last]+again)); err == nil || !strings.Contains(err.Error(), "once") {
			t.Errorf("%q: error %v, expected one of a name given twice", again, err)
		}
	}
	name := strings.Repeat("n", 1<<20)
	_, err := DecodeMesh("long.ply", []byte("ply\nformat ascii 1.0\nelement "+name+" x\n"))
	if err == nil || len(err.Error()) > 500 {
		t.Errorf("error %.1000v, expected a short one", err)
	}
}
