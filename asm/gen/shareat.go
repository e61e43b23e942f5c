package main

import "fmt"

// Columns of asm.SharesAt, in its order.
const (
	shareAtPosOf     column = 0
	shareAtRotOf     column = 3
	shareAtFansOf    column = 7
	shareAtRimsOf    column = shareAtFansOf + 3 + 3*fanEdges
	shareAtVertsOf   column = shareAtRimsOf + rimNumbers
	shareAtBodiesOf  column = shareAtVertsOf + 3
	shareAtOf        column = shareAtBodiesOf + 2
	shareAtNumbersOf column = shareAtOf + 8
	shareAtAnswersOf column = shareAtNumbersOf + 8
)

// rimNumbers is how many numbers a row of the table of rims has.
const rimNumbers = 8

// shareAtColumn is a column in Go.
func shareAtColumn(c column) string {
	for _, of := range []struct {
		from column
		name string
	}{
		{shareAtAnswersOf, "Answers"}, {shareAtNumbersOf, "Numbers"}, {shareAtOf, "At"}, {shareAtBodiesOf, "Bodies"},
		{shareAtVertsOf, "Verts"}, {shareAtRimsOf, "Rims"}, {shareAtFansOf, "Fans"}, {shareAtRotOf, "Rot"}, {shareAtPosOf, "Pos"},
	} {
		if c >= of.from {
			return fmt.Sprintf("c.%s[%d]", of.name, c-of.from)
		}
	}
	panic("gen: no such column")
}

// shareAt writes the overlaps of which rows say where their numbers stand.
func shareAt(avx2, avx512 *lanes) { compilePrograms(avx2, avx512, shareAtPrograms()...) }

func shareAtPrograms() []*program {
	return []*program{shareCornersAt("shareCornersAt4", 4), shareCornersAt("shareCornersAt8", 8), shareCrossingsAt()}
}

// lookUp is a program whose rows say where numbers stand.
func lookUp(name string) (p *program, bodies [2]idx) {
	p = newProgram(name)
	p.byLoads = true
	for k := range bodies {
		bodies[k] = p.loadIndex(shareAtBodiesOf + column(k))
	}
	p.within(shareAtPosOf, bodies[:]...)
	return p, bodies
}

// indices loads what stands in At, from one on, and tests them by a table's last column.
func (p *program) indices(first, n int, last column) []idx {
	var all []idx
	for k := range n {
		all = append(all, p.loadIndex(shareAtOf+column(first+k)))
	}
	p.within(last, all...)
	return all
}

// shareCornersAt is shareCorners with look-ups: asm.ShareCornersAt4 says what At and Numbers are.
func shareCornersAt(name string, edges int) *program {
	p, bodies := lookUp(name)
	fan := p.indices(0, 1, shareAtRimsOf-1)[0]
	sides := p.indices(1, 4, shareAtVertsOf-1)
	number := func(k int) column { return shareAtNumbersOf + column(k) }
	c := cornerOnFace{
		posV: p.gather3(shareAtPosOf, bodies[0]), at: p.matrix(p.gather4(shareAtRotOf, bodies[0])),
		posG: p.gather3(shareAtPosOf, bodies[1]), on: p.matrix(p.gather4(shareAtRotOf, bodies[1])),
		tip: p.gather3(shareAtFansOf, fan), face: p.load3(number(0)), offset: p.load(number(3)),
		cot: p.load(number(4)), deepest: p.load(number(5)), clear: p.load(number(6)),
	}
	for k, side := range sides {
		c.in[k], c.inOffset[k] = p.gather3(shareAtRimsOf, side), p.gather(shareAtRimsOf+3, side)
	}
	for k := range edges {
		c.edges = append(c.edges, p.gather3(shareAtFansOf+column(3+3*k), fan))
	}
	o, known := p.shareCorner(&c)
	o.seen = &seenFrom{p.load(number(7)), p.sub3(c.posV, c.posG)}
	p.sharedAt(o, known)
	return p
}

// shareCrossingsAt is shareCrossings with look-ups.
func shareCrossingsAt() *program {
	p, bodies := lookUp("shareCrossingsAt")
	verts := p.indices(0, 4, shareAtVertsOf)
	rims := p.indices(4, 4, shareAtVertsOf-1)
	var e [2]edgeAndFaces
	for k := range e {
		e[k] = edgeAndFaces{
			pos: p.gather3(shareAtPosOf, bodies[k]), at: p.matrix(p.gather4(shareAtRotOf, bodies[k])),
			tail: p.gather3(shareAtVertsOf, verts[2*k]), head: p.gather3(shareAtVertsOf, verts[2*k+1]),
			length: p.gather(shareAtRimsOf+4, rims[2*k]),
		}
		for f, rim := range rims[2*k : 2*k+2] {
			e[k].faces[f] = faceStrip{
				p.gather3(shareAtRimsOf, rim), p.gather(shareAtRimsOf+5, rim), p.gather(shareAtRimsOf+6, rim), p.gather(shareAtRimsOf+7, rim),
			}
		}
	}
	o, known := p.shareCrossing(&e[0], &e[1], p.load(shareAtNumbersOf+6))
	p.sharedAt(o, known)
	return p
}

// sharedAt writes a row, with the thickness and the way along which it grows.
func (p *program) sharedAt(o *overlapOf, known mask) {
	variance, push := p.shared(shareAtAnswersOf, o, known)
	slope := p.norm(push)
	grows := p.compare(uint8(greater), slope, p.constant(0))
	p.store(shareAtAnswersOf+shareThicknessOf, p.sqrt(p.mul(p.constant(12), variance)))
	p.store3(shareAtAnswersOf+shareAlongOf, p.pick3(grows, p.scale(push, p.div(p.constant(1), slope))))
}
