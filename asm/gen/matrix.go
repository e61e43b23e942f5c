package main

func matrixPrograms() []*program {
	p, of, u := newProgram("addColumns"), layoutOf("MatrixBlock"), layoutOf("Twelve")
	var sum num
	for j := range 12 {
		term := p.mul(p.load(of.column("K")+column(j)), p.uniform(int(u.column("X"))+j))
		if j == 0 {
			sum = term
		} else {
			sum = p.add(sum, term)
		}
	}
	y := of.column("Y")
	p.store(y, p.add(p.load(y), sum))
	return []*program{p}
}
