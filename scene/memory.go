package scene

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
)

// Memory is what a scene takes, in bytes.
type Memory struct {
	Shapes  uint64 // and the facets of walls
	Bodies  uint64 // before any two are near each other
	Heap    uint64 // where each has the candidate pairs of a heap
	Frame   uint64 // while a frame is written; 0 where the scene has none
	Machine uint64 // what there is; 0 where that is not known
}

// Memory estimates what the scene takes, before anything of it is built.
func (s *Scene) Memory() Memory {
	apart, heap := engine.Memory(uint64(s.moving))
	shapes := s.memory.sum
	if s.law != nil && s.law.Overlaps() {
		for i := range s.walls {
			shapes += engine.FacetMemory(s.walls[i].templates)
		}
	}
	return Memory{Shapes: shapes, Bodies: apart, Heap: heap, Frame: s.frameMemory(), Machine: cpu.Memory()}
}

// String says it in words.
func (m Memory) String() string {
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

// checkMemory refuses bodies that do not fit into what there is beside the shapes, and warns of
// those that do not fit as a heap.
func (s *Scene) checkMemory(m Memory) (warning string, err error) {
	switch {
	case m.Machine == 0 || m.Shapes+m.Heap <= m.Machine:
		return "", nil
	case m.Shapes+m.Bodies > m.Machine:
		return "", s.at.fault("bodies", fmt.Sprintf("found %d in all, which with their shapes take about %s, expected no more than fit into the %s "+
			"of memory that there are", s.moving, gigabytes(m.Shapes+m.Bodies), gigabytes(m.Machine)))
	}
	return s.at.fault("bodies", m.String()).Error(), nil
}

// frameCopies is how many times the points and faces of a frame are in memory: once, and about
// once more compressed and in the buffers of that. Measured with /usr/bin/time -v: 64 000 balls
// take 7.8 kB each beside what they take without frames.
const frameCopies = 2

// frameMemory estimates what the moving bodies of a frame take, as bodyFrame draws them.
func (s *Scene) frameMemory() (sum uint64) {
	if s.output.every == 0 {
		return 0
	}
	for i := range s.groups {
		g, each := &s.groups[i], uint64(0)
		for _, h := range g.shapes { // Weights are not looked at: the mean is near enough.
			t := s.shapes[h].template
			points, corners, faces := len(t.Verts), len(t.Tail), len(t.Normals)
			if t.Kind == soa.Ball {
				points, corners, faces = len(ballPoints), 3*len(ballFaces), len(ballFaces)
			}
			each += uint64(24*points + 8*corners + 12*faces)
		}
		sum += frameCopies * each / uint64(len(g.shapes)) * uint64(g.bodies())
	}
	return sum
}

// checkFrames refuses frames that do not fit beside the bodies. checkMemory refuses the bodies.
func (s *Scene) checkFrames(m Memory) error {
	held := m.Shapes + m.Bodies
	if m.Machine == 0 || m.Frame == 0 || held > m.Machine || held+m.Frame <= m.Machine {
		return nil
	}
	return s.at.fault("output.every", fmt.Sprintf("makes frames which take about %s beside the %s of bodies and shapes, expected no more than fit into the %s "+
		"of memory that there are, or every = 0 for no frames", gigabytes(m.Frame), gigabytes(held), gigabytes(m.Machine)))
}

// shapeMemory adds up what shapes and the facets of walls take, as they are read: on several
// workers.
type shapeMemory struct {
	machine uint64 // bytes there are; 0 where that is not known
	mu      sync.Mutex
	sum     uint64 // bytes
	read    int    // shapes
	arena   map[alike]uint64
}

// alike is what shapes have in common that take about as much in the arena.
type alike struct {
	kind               soa.Kind
	verts, faces, half int
}

// add adds a shape: its template, which the scene keeps, and its rows in the arena, whose columns
// double as they grow. Of many alike the rows of the first are counted, in an arena of its own.
func (m *shapeMemory) add(t *soa.Template) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := alike{t.Kind, len(t.Verts), len(t.Normals), len(t.Tail)}
	rows, ok := m.arena[key]
	if !ok {
		var arena soa.Shapes
		_, _ = arena.Add(t) // One that does not fit is refused where the world is built.
		first := arena.Bytes()
		_, _ = arena.Add(t)
		if m.arena == nil {
			m.arena = map[alike]uint64{}
		}
		rows = uint64(arena.Bytes() - first) // Tables begin with a row of their own.
		m.arena[key] = rows
	}
	const template = unsafe.Sizeof(soa.Template{}) + unsafe.Sizeof(shape{}) + unsafe.Sizeof(shapeTable{})
	m.sum += 2*rows + uint64(template) + uint64(len(t.Verts))*24 + uint64(len(t.Normals))*42 + uint64(len(t.Tail))*4
	m.read++
}

// full reports whether the shapes so far do not fit into the memory that there is.
func (m *shapeMemory) full() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.machine > 0 && m.sum > m.machine
}

// tooMuchShape refuses a key that makes some shapes or facets, which do not fit. Reading ended with those that did.
func (s *checks) tooMuchShape(key string, all int) {
	m := &s.memory
	s.fault(key, fmt.Sprintf("found %d shapes and facets, the first %d of which take about %s, expected no more than fit into the %s "+
		"of memory that there are", all, m.read, gigabytes(m.sum), gigabytes(m.machine)))
}

// keyOfPairs returns the key that is to blame for too many candidate pairs at the start: a length
// that makes bodies neighbours which are farther apart than the largest is thick, or else the
// bodies.
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
