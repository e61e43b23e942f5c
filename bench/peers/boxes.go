package peers

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
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
	Told
	Balls   bool        // pairs are those of the balls in the boxes
	Scratch Times       // of a search with nothing known, by scene
	Update  Times       // of a step, by round; none if the peer starts anew in each step
	First   []PosedPair // of the first scene, sorted
	Last    []PosedPair // after the last step, sorted; nil if Update has none
}

// PosedPair is a pair of rows a < b, as a<<32 | b.
type PosedPair uint64

// boxPeers are the neighbour searches.
var boxPeers = []peer{
	{"bullet-dbvt", 1 << 16, bullet, []string{"dbvt"}, "boxes in float32, updated ones enlarged by 5 cm"},
	{"bullet-sap", 1 << 14, bullet, []string{"sap"}, "boxes in float32, rounded outwards to 2⁻³² of the scene"},
	{"cgal", 1 << 17, cgalBoxes, nil, "boxes in float64"},
	{"lammps", 1 << 16, nil, nil, "balls in float64, lists without a skin"},
}

// Boxes returns the names of the neighbour searches.
func Boxes() []string { return namesOf(boxPeers) }

// MostBoxes returns the largest number of bodies for a neighbour search, or 0 if the name is
// unknown.
func MostBoxes(name string) int {
	if p, err := find(boxPeers, name); err == nil {
		return p.most
	}
	return 0
}

// Boxes runs a neighbour search on scenes. name must be one of the function Boxes. Boxes returns an
// error if it is interrupted or a file cannot be written.
func (b *Bench) Boxes(ctx context.Context, name string, s *Scenes) (*BoxesResult, error) {
	peer, err := find(boxPeers, name)
	if err != nil {
		return nil, err
	}
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
	r := &BoxesResult{Told: Told{o.version, o.problem, peer.accuracy}, Scratch: o.times["scratch"], Update: o.times["update"]}
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
	if err := os.WriteFile(path, slices.Concat(blocks...), 0o666); err != nil {
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

// Differences returns the number of pairs only in truth, and only in found. Both must be sorted; truth has each pair once.
func Differences(truth, found []PosedPair) (missing, extra int) {
	for _, pair := range truth {
		if _, ok := slices.BinarySearch(found, pair); !ok {
			missing++
		}
	}
	return missing, len(found) - (len(truth) - missing)
}
