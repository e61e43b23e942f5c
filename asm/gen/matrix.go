package main

func matrixPrograms() []*program {
	p, of, u := newProgram("addColumns"), layoutOf("MatrixBlock"), layoutOf("Twelve")
	// Four sums are computed side by side, because each addition of a single sum would wait for the
	// previous one.
	var sums [4]num
	for j := range 12 {
		term := p.mul(p.load(of.column("K")+column(j)), p.uniform(int(u.column("X"))+j))
		if j < len(sums) {
			sums[j] = term
		} else {
			sums[j%4] = p.add(sums[j%4], term)
		}
	}
	sum := p.add(p.add(sums[0], sums[1]), p.add(sums[2], sums[3]))
	y := of.column("Y")
	p.store(y, p.add(p.load(y), sum))
	return []*program{p}
}
