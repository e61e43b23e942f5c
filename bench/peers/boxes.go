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

// Scenes is the input of a neighbour search: scenes with equal numbers of boxes, and the motion of
// the boxes of the first scene.
type Scenes struct {
	Boxes  [][]vec.Box
	Motion []vec.Vec3 // m per step, of each box of the first scene
	Rounds int        // number of rounds of steps; each round is measured
	Steps  int        // number of steps in a round
}

// BoxesResult is the result of a peer on scenes. The first scene is not timed.
type BoxesResult struct {
	Version  string
	Problem  string      // why the peer has no results; empty if it has
	Accuracy string      // how and why results differ from those in float64
	Balls    bool        // pairs are those of the balls in the boxes
	Scratch  Times       // of a search with nothing known, by scene
	Update   Times       // of a step, by round; none if the peer starts anew in each step
	First    []PosedPair // of the first scene, sorted
	Last     []PosedPair // after the last step, sorted; nil if Update has none
}

// PosedPair is a pair of rows a < b, as a<<32 | b.
type PosedPair uint64

// boxPeers are the neighbour searches, and the largest number of bodies for each. With more bodies
// they take minutes.
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

// MostBoxes returns the largest number of bodies for a neighbour search, or 0 if the name is
// unknown.
func MostBoxes(name string) int {
	for i := range boxPeers {
		if boxPeers[i].name == name {
			return boxPeers[i].most
		}
	}
	return 0
}

// Boxes runs a neighbour search on scenes. name must be one of the function Boxes. Boxes returns an
// error if it is interrupted or a file cannot be written.
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
	if r.Problem != "" {
		return r, nil
	}
	whole := false
	if r.First, answers, whole = pairsOf(answers); whole && len(r.Update) > 0 {
		r.Last, _, whole = pairsOf(answers)
	}
	if !whole {
		r.Problem = endsEarly
	}
	return r, nil
}

// writeTo writes the file that Boxes of programs/common.h reads.
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

// bytesOf returns the memory of numbers, or of structs of numbers, as bytes in this machine's byte
// order.
func bytesOf[T uint64 | vec.Box | vec.Vec3 | [3]uint32](all []T) []byte {
	if len(all) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&all[0])), len(all)*int(unsafe.Sizeof(all[0])))
}

// endsEarly is the problem of a program whose file of answers is not whole.
const endsEarly = "failed: its answers end early"

// pairsOf reads the output of Pairs of programs/common.h, and returns the pairs and the remaining
// bytes. whole reports whether all pairs are there.
func pairsOf(from []byte) (pairs []PosedPair, rest []byte, whole bool) {
	if len(from) < 8 {
		return nil, nil, false
	}
	n := binary.NativeEndian.Uint64(from)
	if from = from[8:]; n > uint64(len(from)/8) {
		return nil, nil, false
	}
	pairs = make([]PosedPair, n)
	for k := range pairs {
		pairs[k] = pairOf(binary.NativeEndian.Uint32(from[8*k:]), binary.NativeEndian.Uint32(from[8*k+4:]))
	}
	slices.Sort(pairs)
	return pairs, from[8*n:], true
}

func pairOf(a, b uint32) PosedPair { return PosedPair(min(a, b))<<32 | PosedPair(max(a, b)) }

// Differences returns the number of pairs only in truth, and only in found. Both must be sorted.
func Differences(truth, found []PosedPair) (missing, extra int) {
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
