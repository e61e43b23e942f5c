package peers

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"unsafe"

	"github.com/scree-dem/scree/vec"
)

// Scenes is what a neighbour search is measured on: scenes of as many boxes each, and how those
// of the first move.
type Scenes struct {
	Boxes  [][]vec.Box
	Motion []vec.Vec3 // m, of each box of the first scene in a step
	Rounds int        // of steps, measured one by one
	Steps  int        // of a round
}

// BoxesResult is what a peer makes of scenes. The first scene is not timed.
type BoxesResult struct {
	Version  string
	Problem  string // why there is no more
	Accuracy string // where answers differ from those in float64, and why
	Balls    bool   // pairs are of the balls that the boxes hold
	Scratch  Times  // of a search from nothing, by scene
	Update   Times  // of a step, by round; none if the peer starts anew each time
	First    []Pair // of the first scene, sorted
	Last     []Pair // after the last step, sorted; nil where Update is
}

// Pair is rows a < b, as a<<32 | b.
type Pair uint64

// boxPeers are the neighbour searches, and the most bodies that each is asked with: more take
// minutes.
var boxPeers = []struct {
	name     string
	most     int
	program  *program // nil: LAMMPS, which reads a script
	args     []string
	accuracy string
}{
	{"bullet-dbvt", 1 << 16, bullet, []string{"dbvt"}, "boxes in float32, updated ones enlarged by 5 cm"},
	{"bullet-sap", 1 << 14, bullet, []string{"sap"}, "boxes in float32, rounded outwards to 2⁻³² of the scene"},
	{"cgal", 1 << 17, cgalBoxes, nil, "boxes in float64"},
	{"lammps", 1 << 16, nil, nil, "balls in float64, lists without a skin"},
}

// Boxes returns the names of the neighbour searches.
func Boxes() (names []string) {
	for i := range boxPeers {
		names = append(names, boxPeers[i].name)
	}
	return names
}

// MostBoxes returns the most bodies that a neighbour search is asked with, 0 for a name that
// there is not.
func MostBoxes(name string) int {
	for i := range boxPeers {
		if boxPeers[i].name == name {
			return boxPeers[i].most
		}
	}
	return 0
}

// Boxes runs a neighbour search of Boxes on scenes. Errors are interruptions and files that
// cannot be written.
func (b *Bench) Boxes(ctx context.Context, name string, s *Scenes) (*BoxesResult, error) {
	k := slices.Index(Boxes(), name)
	if k < 0 {
		return nil, fmt.Errorf("peers: neighbour search %q, expected one of %s", name, strings.Join(Boxes(), ", "))
	}
	peer := &boxPeers[k]
	if peer.program == nil {
		return b.lammps(ctx, s, peer.accuracy)
	}
	in := b.path("in")
	if err := s.writeTo(in); err != nil {
		return nil, err
	}
	o, answers, err := b.run(ctx, peer.program, in, peer.args...)
	if err != nil {
		return nil, err
	}
	r := &BoxesResult{Version: o.version, Problem: o.problem, Accuracy: peer.accuracy, Scratch: o.times["scratch"], Update: o.times["update"]}
	if r.Problem == "" {
		r.First, answers = pairsOf(answers)
		if len(r.Update) > 0 {
			r.Last, _ = pairsOf(answers)
		}
	}
	return r, nil
}

// writeTo writes what Boxes of programs/common.h reads.
func (s *Scenes) writeTo(path string) error {
	blocks := [][]byte{bytesOf([]uint64{uint64(len(s.Motion)), uint64(len(s.Boxes)), uint64(s.Rounds), uint64(s.Steps)})}
	for _, boxes := range s.Boxes {
		blocks = append(blocks, bytesOf(boxes))
	}
	return writeBlocks(path, append(blocks, bytesOf(s.Motion)))
}

func writeBlocks(path string, blocks [][]byte) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("peers: %w", err)
	}
	for _, block := range blocks {
		if _, err = f.Write(block); err != nil {
			break
		}
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("peers: %w", err)
	}
	return nil
}

// bytesOf views numbers, or structs of nothing else, as bytes in the order of this machine.
func bytesOf[T uint64 | vec.Box | vec.Vec3 | [3]uint32](all []T) []byte {
	if len(all) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&all[0])), len(all)*int(unsafe.Sizeof(all[0])))
}

// pairsOf reads what Pairs of programs/common.h writes, and returns what follows.
func pairsOf(from []byte) (pairs []Pair, rest []byte) {
	n := binary.NativeEndian.Uint64(from)
	from = from[8:]
	pairs = make([]Pair, n)
	for k := range pairs {
		pairs[k] = pairOf(binary.NativeEndian.Uint32(from[8*k:]), binary.NativeEndian.Uint32(from[8*k+4:]))
	}
	slices.Sort(pairs)
	return pairs, from[8*n:]
}

func pairOf(a, b uint32) Pair { return Pair(min(a, b))<<32 | Pair(max(a, b)) }

// Differences counts the pairs that are in truth alone, and in found alone. Both are sorted.
func Differences(truth, found []Pair) (missing, extra int) {
	i, j := 0, 0
	for i < len(truth) || j < len(found) {
		switch {
		case j == len(found) || i < len(truth) && truth[i] < found[j]:
			missing++
			i++
		case i == len(truth) || found[j] < truth[i]:
			extra++
			j++
		default:
			i++
			j++
		}
	}
	return missing, extra
}
