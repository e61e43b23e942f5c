package bench

// detectorPlayer computes a replay with a Detector. It has a moving set for each
// burst, with all pairs that are candidates in one of the burst's steps. In a step in which a pair
// is no candidate, the pair stays at rest and is computed with the others.
type detectorPlayer struct {
	replay *replay
	bursts []*detectorBurst // by step, the same for all steps of a burst
}

// burstSteps is the number of steps of a burst. A longer one has more pairs that are no candidates.
const burstSteps = 50

type detectorBurst struct {
	set  *warmSet
	pool []blockPair
	row  map[int]int // from the replay's row to the row in pool
}

func newDetectorPlayer(r *replay) *detectorPlayer {
	p := &detectorPlayer{replay: r}
	var b *detectorBurst
	for k := range r.steps {
		s := &r.steps[k]
		if s.fresh || k%burstSteps == 0 {
			b = &detectorBurst{row: map[int]int{}}
		}
		p.bursts = append(p.bursts, b)
		for i, row := range s.row {
			if _, known := b.row[row]; !known {
				b.row[row] = len(b.pool)
				b.pool = append(b.pool, s.pairs[i])
			}
		}
	}
	for k, b := range p.bursts {
		if p.first(k) {
			b.set = newWarmSet(r.shapes, b.pool, 0)
		}
	}
	return p
}

// first reports whether a step is the first of its burst.
func (p *detectorPlayer) first(k int) bool { return k == 0 || p.bursts[k] != p.bursts[k-1] }

// begin sets the poses of a step. If initial, or in the first step of a burst, it discards
// everything known about the pool.
func (p *detectorPlayer) begin(k int, initial bool) {
	b, s := p.bursts[k], &p.replay.steps[k]
	for i, row := range s.row {
		b.pool[b.row[row]] = s.pairs[i]
	}
	if initial || p.first(k) {
		b.set.reset(b.pool)
	} else {
		b.set.move(b.pool)
	}
}

func (p *detectorPlayer) answer(k int, _ bool, told func(verdict)) {
	b, s := p.bursts[k], &p.replay.steps[k]
	b.set.step()
	if told == nil {
		return
	}
	b.set.index()
	for i, row := range s.row {
		out := b.set.read(b.row[row])
		told(s.pairs[i].verdict(&out))
	}
}
