package multilevel

// ownHashed looks up entries in their own hashed level.
func (s *scanner) ownHashed(l *level, lo, hi uint32) {
	for i := lo; i < hi && !s.full; i++ {
		box := &s.m.box[s.m.row[i]]
		s.lines(l, i, l.cellBelow(&box.Min, 1), l.cellBelow(&box.Max, 0), true)
	}
}

// amongHashed looks up entries in a hashed level of larger boxes.
func (s *scanner) amongHashed(l *level, lo, hi uint32) {
	for i := lo; i < hi && !s.full; i++ {
		if box := &s.m.box[s.m.row[i]]; near(box, l) {
			s.lines(l, i, l.cellBelow(&box.Min, 1), l.cellBelow(&box.Max, 0), false)
		}
	}
}

// lines compares entry i with what is entered between two cells. In its own level it takes later
// entries alone: the earlier ones look at this one.
func (s *scanner) lines(l *level, i uint32, from, to cell, own bool) {
	for z := from.z; z <= to.z; z++ {
		for y := from.y; y <= to.y; y++ {
			first := l.place(from.x, y, z)
			n := min(uint32(to.x-from.x)+1, l.cells)
			if over := int(first+n) - int(l.cells); over > 0 {
				s.direct(l, i, 0, uint32(over), y, z, own)
				n -= uint32(over)
			}
			s.direct(l, i, first, first+n, y, z, own)
		}
	}
}

// direct compares entry i with the entries of line (y, z) at the places first ≤ place < last.
// Lines that share places are told apart where boxes overlap, so that no pair is found twice.
func (s *scanner) direct(l *level, i, first, last uint32, y, z int32, own bool) {
	m := s.m
	p := m.row[i]
	box := &m.box[p]
	lo, hi := m.start[l.base+first], m.start[l.base+last]
	if own {
		lo = max(lo, i+1)
	}
	for j := lo; j < hi; j++ {
		r := m.row[j]
		if !overlap(box, &m.box[r]) {
			continue
		}
		if at := l.cellBelow(&m.box[r].Min, 0); at.y != y || at.z != z {
			continue
		}
		a, b := min(p, r), max(p, r)
		s.list = append(s.list, uint64(a)<<32|uint64(b))
		s.count[a>>m.sorter.Shift]++
		if len(s.list)-s.told >= tellAt {
			if s.tell(); s.full {
				return
			}
		}
	}
}
