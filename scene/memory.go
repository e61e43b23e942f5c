package scene

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
)

// MemoryEstimate is the estimated memory of a scene, in bytes.
type MemoryEstimate struct {
	Shapes  uint64 // shapes, and facets of walls
	Bodies  uint64 // bodies without candidate pairs
	Heap    uint64 // bodies with the candidate pairs of a heap
	Frame   uint64 // a frame while it is written; 0 without frames
	Machine uint64 // memory of the machine; 0 if unknown
}

// Memory estimates the memory of the scene before anything is built.
func (s *Scene) Memory() MemoryEstimate {
	apart, heap := engine.Memory(s.movingPieces())
	return MemoryEstimate{Shapes: s.memory.sum, Bodies: apart, Heap: heap, Frame: s.frameMemory(), Machine: cpu.Memory()}
}

// most returns the number of bodies in the whole run, at most.
func (s *Scene) most() (n int64) {
	for i := range s.groups {
		n += s.groups[i].most()
	}
	return n
}

// String describes the estimate in words.
func (m MemoryEstimate) String() string {
	there, shapes := "", ""
	if m.Machine > 0 {
		there = fmt.Sprintf(" of the %s there are", gigabytes(m.Machine))
	}
	if m.Shapes > m.Bodies/10 {
		shapes = fmt.Sprintf(", shapes %s beside", gigabytes(m.Shapes))
	}
	if m.Frame > m.Bodies/10 {
		shapes += fmt.Sprintf(", a frame %s while it is written", gigabytes(m.Frame))
	}
	return fmt.Sprintf("bodies take about %s%s, as a heap with their pairs about %s%s", gigabytes(m.Bodies), there, gigabytes(m.Heap), shapes)
}

func gigabytes(bytes uint64) string { return fmt.Sprintf("%.3g GB", float64(bytes)*1e-9) }

// checkMemory returns an error if bodies, shapes and a frame do not fit into the memory of the
// machine. It returns a warning if the bodies would not fit as a heap.
func (s *Scene) checkMemory(m MemoryEstimate) (warning string, err error) {
	held := m.Shapes + m.Bodies
	fit := fmt.Sprintf("expected no more than fit into the %s of memory that there are", gigabytes(m.Machine))
	switch {
	case m.Machine == 0:
	case held > m.Machine:
		return "", s.at.fault("bodies", fmt.Sprintf("found %d in all, which with their shapes take about %s, %s", s.most(), gigabytes(held), fit))
	case held+m.Frame > m.Machine:
		return "", s.at.fault("output.every", fmt.Sprintf("makes frames which take about %s beside the %s of bodies and shapes, %s, or every = 0 for no frames",
			gigabytes(m.Frame), gigabytes(held), fit))
	case m.Shapes+m.Heap > m.Machine:
		return s.at.fault("bodies", m.String()).Error(), nil
	}
	return "", nil
}

// frameCopies is the number of copies of a frame in memory: the frame itself, and about the same
// again for its compressed form with buffers. Measured with /usr/bin/time -v: with frames, 64 000
// balls need 7.8 kB more per ball.
const frameCopies = 2

// frameMemory estimates the memory of the moving bodies in a frame, as bodyFrame draws them.
func (s *Scene) frameMemory() (sum uint64) {
	if s.output.every == 0 {
		return 0
	}
	for i := range s.groups {
		g, each := &s.groups[i], uint64(0)
		for _, h := range g.shapes { // The mean ignores the weights; it is accurate enough.
			for _, p := range s.shapes[h].parts {
				t := p.template
				points, corners, faces := len(t.Verts), len(t.Tail), len(t.Normals)
				if len(t.Verts) == 0 { // a ball
					points, corners, faces = len(ballPoints), 3*len(ballFaces), len(ballFaces)
				}
				each += uint64(24*points + 8*corners + 12*faces)
			}
		}
		sum += frameCopies * each / uint64(len(g.shapes)) * uint64(g.most())
	}
	return sum
}

// shapeMemory sums the memory of shapes and of the facets of walls while several goroutines read
// them.
type shapeMemory struct {
	machine uint64 // bytes of the machine; 0 if unknown
	mu      sync.Mutex
	sum     uint64 // bytes
	read    int    // number of shapes
	arena   map[alike]uint64
}

// alike is the key of shapes that need about the same memory in the arena.
type alike struct {
	kind               soa.Kind
	verts, faces, half int
}

// add adds the memory of a shape: its template, which the scene stores, and its rows in the arena.
// The columns of the arena double as they grow. Shapes with the same key count as the first one,
// which is measured in an arena of its own.
func (m *shapeMemory) add(t *soa.Template) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := alike{t.Kind, len(t.Verts), len(t.Normals), len(t.Tail)}
	rows, ok := m.arena[key]
	if !ok {
		var arena soa.Shapes
		_, _ = arena.Add(t) // World.AddShape later rejects a shape that does not fit.
		first := arena.Bytes()
		_, _ = arena.Add(t)
		if m.arena == nil {
			m.arena = map[alike]uint64{}
		}
		rows = uint64(arena.Bytes() - first) // Each table starts with one extra row.
		m.arena[key] = rows
	}
	const template = unsafe.Sizeof(soa.Template{}) + unsafe.Sizeof(shape{}) + unsafe.Sizeof(shapeTable{})
	m.sum += 2*rows + uint64(template) + uint64(len(t.Verts))*24 + uint64(len(t.Normals))*42 + uint64(len(t.Tail))*4
	m.read++
}

// addFacets adds the memory of the facets of a wall, and reports whether all no longer fit.
func (m *shapeMemory) addFacets(f *geometry.WallFacets) (full bool) {
	m.sum += engine.FacetMemory(f)
	m.read += f.Len()
	return m.full()
}

// full reports whether the shapes so far exceed the memory of the machine.
func (m *shapeMemory) full() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.machine > 0 && m.sum > m.machine
}

// tooMuchShape reports a key whose shapes or facets do not fit into memory. Reading stopped after
// m.read shapes.
func (s *checks) tooMuchShape(key string, all int) {
	m := &s.memory
	s.fault(key, fmt.Sprintf("found %d shapes and facets, the first %d of which take about %s, expected no more than fit into the %s "+
		"of memory that there are", all, m.read, gigabytes(m.sum), gigabytes(m.machine)))
}

// keyOfPairs returns the key that causes too many candidate pairs at the start. It is a length
// above the size of the largest body, which makes distant bodies neighbours, or otherwise "bodies".
func (s *Scene) keyOfPairs() string {
	largest := 0.0
	for h := range s.shapes {
		largest = max(largest, s.sizeOf(h))
	}
	switch {
	case s.skin > largest:
		return "broad.skin"
	case s.law.Reach() > largest:
		return "contact.interaction"
	}
	return "bodies"
}
