package main

// Columns of asm.Shares, in its order.
const (
	sharePosesOf   column = 0
	shareCornersOf column = sharePosesOf + poseNumbers
	shareRimsOf    column = shareCornersOf + 3 + 3*cornerEdges
	shareVertsOf   column = shareRimsOf + rimNumbers
	sharePlanesOf  column = shareVertsOf + 4
	shareBodiesOf  column = sharePlanesOf + 4
	shareAtOf      column = shareBodiesOf + 2
	shareNumbersOf column = shareAtOf + bricksFaces + 1
	shareAnswersOf column = shareNumbersOf + 20
	shareBudgetOf  column = shareAnswersOf + sharedAnswers
	shareFlushesOf column = shareBudgetOf + 1
)

// Answers of asm.Shares and asm.Solids, from the first on.
const (
	sharedVolumeOf    column = 0
	sharedCentroidOf  column = 1
	sharedSpreadOf    column = 4
	sharedVarianceOf  column = 10
	sharedPushOf      column = 11
	sharedTurnOf      column = 14
	volumePushOf      column = 17
	volumeTurnOf      column = 20
	sharedKnownOf     column = 23
	sharedThicknessOf column = 24
	sharedAlongOf     column = 25
	sharedAnswers     column = 28
)

// Numbers of asm.Shares.
const (
	shareClearOf  column = shareNumbersOf
	shareSignOf   column = shareNumbersOf + 1
	shareFaceOf   column = shareNumbersOf + 2  // of corners: normal, offset, cot, deepest
	shareOfGOf    column = shareNumbersOf + 1  // of prisms: by plane, then what is spare from the fourth side on
	shareRadiusOf column = shareNumbersOf + 19 // of prisms
)

// rimNumbers and poseNumbers are how many numbers a row of the table of rims and of poses has, cornerEdges how many edges one of corners.
const (
	rimNumbers  = 8
	cornerEdges = 8
	poseNumbers = 8
)

// Constants of asm's Shares, which a test compares with these.
const (
	shareSlender = 0x1p-4
	shareSine2   = 0x1p-12
	shareNarrow  = 0x1p-6
	shareLevel   = 0x1p-12
	shareFlat    = 0x1p-10
	shareTurn2   = 0x1p-96
	shareFlush   = 0x1p-7

	shareHeldMargin = 2
	shareHeldTurn   = 0x1p-3
	shareHeldSlope  = 1.25
)

// bricksFaces is how many faces two bricks have. All but one more than its sides may be beside a
// prism: it has a base and a top, and one side may be missing.
const bricksFaces = 12

// shareFlushes is asm.ShareFlushes.
const shareFlushes = 2

func sharePrograms() []*program {
	return []*program{
		shareCorners("shareCorners4", 4, 128), shareCorners("shareCorners8", 8, 64), shareCrossings(),
		sharePrisms("sharePrisms4", 4), sharePrisms("sharePrisms6", 6), sharePrisms("sharePrisms8", 8),
		sharePrismsHeld("sharePrismsHeld4", 4), sharePrismsHeld("sharePrismsHeld6", 6), sharePrismsHeld("sharePrismsHeld8", 8),
		sharePrismsFlush("sharePrismsFlush4", 4),
	}
}

// sharing is a program that finds overlaps: the poses of V and G.
type sharing struct {
	*program
	pos [2]vec3
	at  [2]mat3
}

func newSharing(name string, window int) *sharing {
	p := &sharing{program: newProgram(name)}
	p.byLoads, p.window = true, window
	v, g := p.loadIndex(shareBodiesOf), p.loadIndex(shareBodiesOf+1)
	p.within(shareCornersOf-1, v, g)
	for k, body := range []idx{v, g} {
		p.pos[k], p.at[k] = p.gather3(sharePosesOf, body), p.matrix(p.gather4(sharePosesOf+3, body))
	}
	return p
}

// indices loads what stands in At, from one on, and tests them by a table's last column.
func (p *program) indices(first, n int, last column) []idx {
	var all []idx
	for k := range n {
		all = append(all, p.loadIndex(shareAtOf+column(first+k)))
	}
	for k := 0; k < n; k += 4 {
		p.within(last, all[k:min(k+4, n)]...)
	}
	return all
}

// overlapOf is an overlap in a frame and a unit of its own. The frame's axes are the rows of to,
// in world axes; push and turn are the slopes of the variance and of the volume as one body moves,
// the turn about the centroid.
type overlapOf struct {
	unit                               num
	to                                 mat3
	volume, variance                   num
	centroid                           vec3 // in world axes and m
	spread                             sym3
	push, turn, volumePush, volumeTurn vec3
	inWorld                            bool // the slopes are in world axes and m

	// seen, if not nil, tells the overlap to the body that it is seen from.
	seen *seenFrom
}

// seenFrom is which body an overlap is told to: V where sign is 1, and G where it is -1; away is V's
// position relative to G's.
type seenFrom struct {
	sign num
	away vec3
}

// sum3 is a·x + b·y + c·z of three vectors.
func (p *program) combined(m mat3, v vec3) vec3 {
	return p.addScaled(p.addScaled(p.scale(m[0], v[0]), v[1], m[1]), v[2], m[2])
}

// shared writes a row, whose answers start at a column. Known rows have a positive volume and variance.
func (p *program) shared(at column, o *overlapOf, known mask) {
	zero, one := p.constant(0), p.constant(1)
	u := o.unit
	u2 := p.mul(u, u)
	volume, variance := p.mul(p.mul(u2, u), o.volume), p.mul(u2, o.variance)
	known = p.and(known, p.compare(uint8(greater), volume, zero))
	known = p.and(known, p.compare(uint8(greater), variance, zero))
	p.store(at+sharedVolumeOf, volume)
	centroid, told := o.centroid, func(slope vec3) vec3 { return slope }
	if o.seen != nil {
		ofV := p.compare(uint8(greater), o.seen.sign, zero)
		centroid = p.pickVec(ofV, centroid, p.add3(centroid, o.seen.away))
		told = func(slope vec3) vec3 { return p.scale(slope, o.seen.sign) }
	}
	p.store3(at+sharedCentroidOf, centroid)
	s := o.spread
	var a mat3
	for i, row := range (mat3{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}) {
		a[i] = p.scale(p.combined(o.to, row), u2)
	}
	for k, ij := range [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}} {
		i, j := ij[0], ij[1]
		sum := p.add(p.add(p.mul(a[0][i], o.to[0][j]), p.mul(a[1][i], o.to[1][j])), p.mul(a[2][i], o.to[2][j]))
		p.store(at+sharedSpreadOf+column(k), sum)
	}
	p.store(at+sharedVarianceOf, variance)
	world := func(slope vec3, unit num) vec3 {
		if o.inWorld {
			return slope
		}
		return told(p.scale(p.combined(o.to, slope), unit))
	}
	push := world(o.push, u)
	p.store3(at+sharedPushOf, push)
	p.store3(at+sharedTurnOf, world(o.turn, u2))
	p.store3(at+volumePushOf, world(o.volumePush, u2))
	p.store3(at+volumeTurnOf, world(o.volumeTurn, p.mul(u2, u)))
	p.store(at+sharedKnownOf, p.pick(known, one, zero))
	p.store(at+sharedThicknessOf, p.sqrt(p.mul(p.constant(12), variance)))
	slope := p.norm(push)
	grows := p.compare(uint8(greater), slope, zero)
	p.store3(at+sharedAlongOf, p.pick3(grows, p.scale(push, p.div(one, slope))))
}

// slopeOf is λ = (tr C⁻²)^(-1/2) and J = λC⁻¹, of the inverse of a covariance C.
func (p *program) slopeOf(inverse sym3) (variance num, j sym3) {
	variance = p.varianceOf(inverse)
	return variance, p.scaleSym(inverse, variance)
}

// varianceOf is the λ of slopeOf.
func (p *program) varianceOf(s sym3) num {
	square := func(v num) num { return p.mul(v, v) }
	off := p.add(p.add(square(s.xy), square(s.xz)), square(s.yz))
	norm2 := p.add(p.add(p.add(square(s.xx), square(s.yy)), square(s.zz)), p.add(off, off))
	return p.div(p.constant(1), p.sqrt(norm2))
}

func (s sym3) rows() mat3 { return mat3{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}} }

// times is a·b of matrices that commute, so that the product is symmetric.
func (p *program) times(a, b sym3) sym3 {
	r, c := a.rows(), b.rows()
	at := func(i, j int) num { return p.dot(r[i], c[j]) }
	return sym3{at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)}
}
