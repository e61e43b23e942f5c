package bench

import (
	"context"
	"slices"

	"github.com/scree-dem/scree/bench/peers"
	"github.com/scree-dem/scree/broad"
	"github.com/scree-dem/scree/broad/multilevel"
	"github.com/scree-dem/scree/vec"
)

// broadPeers measures other libraries on the scenes of broadRow, and counts the pairs that differ
// from ours. If a peer is missing or has failed, the note of its row has the reason.
func broadPeers(ctx context.Context, o *BroadOptions, b *peers.Bench, n int, ratio float64, progress *tracker) ([]BroadRow, error) {
	var rows []BroadRow
	var s *peers.Scenes
	for _, name := range peers.Boxes() {
		progress.announce(searching)
		if most := peers.MostBoxes(name); n > most {
			rows = append(rows, missingRow(n, ratio, name, tooMany(most)))
			continue
		}
		if s == nil {
			s = peerScenes(o, n, ratio)
		}
		r, err := b.Boxes(ctx, name, s)
		if err != nil {
			return rows, err
		}
		row := missingRow(n, ratio, name, r.Problem)
		if r.Problem == "" {
			row.Note = r.Version + ": " + r.Accuracy
			row.Scratch, row.Median = Measured(r.Scratch.Least()*1e9)/Measured(n), Measured(r.Scratch.Median()*1e9)/Measured(n)
			if len(r.Update) > 0 {
				row.Update = Measured(r.Update.Least()*1e9) / Measured(n)
			}
			row.Pairs = Measured(len(r.First)) / Measured(n)
			if err := row.compare(s, r); err != nil {
				return rows, err
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// peerScenes returns the scenes of a row, and the motion of the first.
func peerScenes(o *BroadOptions, n int, ratio float64) *peers.Scenes {
	s := &peers.Scenes{Rounds: o.Repeat + 1, Steps: updateSteps}
	set := &broad.Input{}
	for k := range o.Repeat + 1 {
		motion := cloud(set, n, ratio, o.Seed+uint64(k))
		if k == 0 {
			s.Motion = motion
		}
		s.Boxes = append(s.Boxes, slices.Clone(set.Box))
	}
	return s
}

// compare counts the pairs that a peer misses and the additional pairs that it finds, in the first
// scene and in the same scene after the last step.
func (row *BroadRow) compare(s *peers.Scenes, r *peers.BoxesResult) error {
	truth, err := truePairs(s.Boxes[0], r.Balls)
	if err != nil {
		return err
	}
	row.Missing, row.Extra = peers.Differences(truth, r.First)
	if r.Last == nil {
		return nil
	}
	moved := slices.Clone(s.Boxes[0])
	for range s.Rounds * s.Steps {
		for i, v := range s.Motion {
			moved[i] = movedBy(moved[i], v)
		}
	}
	if truth, err = truePairs(moved, r.Balls); err != nil {
		return err
	}
	missing, extra := peers.Differences(truth, r.Last)
	row.Missing += missing
	row.ExtraMoved = extra
	return nil
}

// truePairs returns the overlapping pairs of boxes, or of the balls in the boxes.
func truePairs(boxes []vec.Box, balls bool) ([]peers.PosedPair, error) {
	set, found := &broad.Input{Box: boxes}, &broad.Found{}
	if balls {
		set.Box = nil
		for i := range boxes {
			at, radius := peers.Ball(&boxes[i])
			set.Centre, set.Radius = append(set.Centre, at), append(set.Radius, radius)
		}
	}
	err := broad.NewFinder(multilevel.New()).Find(set, found)
	pairs := make([]peers.PosedPair, len(found.A))
	for k, a := range found.A {
		pairs[k] = peers.PosedPair(a)<<32 | peers.PosedPair(found.B[k])
	}
	return pairs, err
}
