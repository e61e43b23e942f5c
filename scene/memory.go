package scene

import (
	"fmt"

	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/soa"
)

// What a body and a candidate pair take, in bytes: their columns, what columns that grow have to spare, and of a body its place
// in the scene, of a pair the lists it is in. Measured with /usr/bin/time -v: a million boxes apart on a grid take
// 1260 bytes each, and each pair of 400 000 that touch 485 more.
const (
	bodyMemory = 5 * soa.BodyBytes
	pairMemory = soa.PairBytes + soa.ContactBytes + 64
	// heapPairs is how many candidate pairs a body of a heap has: twelve neighbours, and a pair is of two.
	heapPairs = 6
)

// Memory is what a scene takes, in bytes, shapes and results not counted.
type Memory struct {
	Bodies  uint64 // before any two are near each other
	Heap    uint64 // where each has the candidate pairs of a heap
	Machine uint64 // what there is; 0 where that is not known
}

// Memory estimates what the scene takes, before anything of it is built.
func (s *Scene) Memory() Memory {
	n := uint64(s.moving)
	return Memory{Bodies: n * bodyMemory, Heap: n * (bodyMemory + heapPairs*pairMemory), Machine: cpu.Memory()}
}

// String says it in words.
func (m Memory) String() string {
	there := ""
	if m.Machine > 0 {
		there = fmt.Sprintf(" of the %s there are", gigabytes(m.Machine))
	}
	return fmt.Sprintf("bodies take about %s%s, as a heap with their pairs about %s", gigabytes(m.Bodies), there, gigabytes(m.Heap))
}

func gigabytes(bytes uint64) string { return fmt.Sprintf("%.3g GB", float64(bytes)*1e-9) }

// checkMemory refuses bodies that do not fit into what there is, and warns of those that do not fit as a heap.
func (s *Scene) checkMemory(m Memory) (warning string, err error) {
	switch {
	case m.Machine == 0 || m.Heap <= m.Machine:
		return "", nil
	case m.Bodies > m.Machine:
		return "", s.at.fault("bodies", fmt.Sprintf("found %d in all, which take about %s, expected no more than fit into the %s of memory that there are",
			s.moving, gigabytes(m.Bodies), gigabytes(m.Machine)))
	}
	return fmt.Sprintf("%s:%d: bodies: %s", s.at.file, s.at.line("bodies"), m), nil
}
