package main

var (
	ofShares = layoutOf("TypedOverlaps")
	sharesOf = ofShares.column // the column of asm.TypedOverlaps with a name
)

// shareNumber returns the column of a number of a row, by the constant of package asm for its
// place.
func shareNumber(place string) column { return sharesOf("Numbers") + asmColumn(place) }

func sharePrograms() []*program {
	return []*program{
		shareCorners("shareCorners4", 4, 128), shareCorners("shareCorners8", 8, 64), shareCrossings(),
		sharePrisms("sharePrisms4", 4), sharePrisms("sharePrisms6", 6), sharePrisms("sharePrisms8", 8),
		sharePrismsHeld("sharePrismsHeld4", 4), sharePrismsHeld("sharePrismsHeld6", 6), sharePrismsHeld("sharePrismsHeld8", 8),
		sharePrismsCoplanar("sharePrismsCoplanar4", 4),
	}
}

// sharing is a program that computes overlaps, with the poses of V and G.
type sharing struct {
	*program
	pos [2]vec3
	at  [2]mat3
}

func newSharing(name string, window int) *sharing {
	p := &sharing{program: newProgram(name)}
	p.window = window
	v, g := p.loadIndex(sharesOf("Bodies")), p.loadIndex(sharesOf("Bodies")+1)
	p.within(ofShares.lastColumn("Poses"), v, g)
	for k, body := range []idx{v, g} {
		p.pos[k], p.at[k] = p.gather3(sharesOf("Poses"), body), p.matrix(p.gather4(sharesOf("Poses")+3, body))
	}
	return p
}

// indices loads n indices from column first of At on, and tests them against the length of a
// table's last column.
func (p *program) indices(first, n int, last column) []idx {
	var all []idx
	for k := range n {
		all = append(all, p.loadIndex(sharesOf("At")+column(first+k)))
	}
	for k := 0; k < n; k += 4 {
		p.within(last, all[k:min(k+4, n)]...)
	}
	return all
}

// overlapOf is an overlap in a frame and a length scale (unit) of its own. The rows of to are the
// axes of the frame, in world axes. gradient, turn, volumeGradient and volumeTurn are the
// derivatives of variance and volume by the motion of one body; turns are about the centroid.
type overlapOf struct {
	unit                                       num
	to                                         mat3
	volume, variance                           num
	centroid                                   vec3 // in world axes and m
	spread                                     sym3
	gradient, turn, volumeGradient, volumeTurn vec3
	inWorld                                    bool // the derivatives are in world axes and m

	// seen, if not nil, says which body the results refer to.
	seen *seenFrom
}

// seenFrom is the body to which the results of an overlap refer: V if sign is 1, G if sign is -1.
// away is V's position relative to G's.
type seenFrom struct {
	sign num
	away vec3
}

// combined returns v[0]·m[0] + v[1]·m[1] + v[2]·m[2], for the rows m[0], m[1] and m[2].
func (p *program) combined(m mat3, v vec3) vec3 {
	return p.addScaled(p.addScaled(p.scale(m[0], v[0]), v[1], m[1]), v[2], m[2])
}

// shared stores the results of a row, in columns from at on. A known row must also have a positive
// volume and variance.
func (p *program) shared(at column, o *overlapOf, known mask) {
	zero, one := p.constant(0), p.constant(1)
	u := o.unit
	u2 := p.mul(u, u)
	volume, variance := p.mul(p.mul(u2, u), o.volume), p.mul(u2, o.variance)
	known = p.and(known, p.compare(uint8(greater), volume, zero))
	known = p.and(known, p.compare(uint8(greater), variance, zero))
	p.store(at+asmColumn("ShareVolume"), volume)
	centroid, told := o.centroid, func(slope vec3) vec3 { return slope }
	if o.seen != nil {
		ofV := p.compare(uint8(greater), o.seen.sign, zero)
		centroid = p.pickVec(ofV, centroid, p.add3(centroid, o.seen.away))
		told = func(slope vec3) vec3 { return p.scale(slope, o.seen.sign) }
	}
	p.store3(at+asmColumn("ShareCentroid"), centroid)
	s := o.spread
	var a mat3
	for i, row := range (mat3{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}) {
		a[i] = p.scale(p.combined(o.to, row), u2)
	}
	for k, ij := range [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}} {
		i, j := ij[0], ij[1]
		sum := p.add(p.add(p.mul(a[0][i], o.to[0][j]), p.mul(a[1][i], o.to[1][j])), p.mul(a[2][i], o.to[2][j]))
		p.store(at+asmColumn("ShareSpread")+column(k), sum)
	}
	p.store(at+asmColumn("ShareVariance"), variance)
	world := func(slope vec3, unit num) vec3 {
		if o.inWorld {
			return slope
		}
		return told(p.scale(p.combined(o.to, slope), unit))
	}
	gradient := world(o.gradient, u)
	p.store3(at+asmColumn("ShareVarianceGradient"), gradient)
	p.store3(at+asmColumn("ShareVarianceTurn"), world(o.turn, u2))
	p.store3(at+asmColumn("ShareVolumeGradient"), world(o.volumeGradient, u2))
	p.store3(at+asmColumn("ShareVolumeTurn"), world(o.volumeTurn, p.mul(u2, u)))
	p.store(at+asmColumn("ShareKnown"), p.pick(known, one, zero))
	p.store(at+asmColumn("ShareThickness"), p.sqrt(p.mul(p.constant(12), variance)))
	slope := p.norm(gradient)
	grows := p.compare(uint8(greater), slope, zero)
	p.store3(at+asmColumn("ShareAlong"), p.pick3(grows, p.scale(gradient, p.div(one, slope))))
}

// slopeOf returns λ = (tr C⁻²)^(-1/2) and J = λC⁻¹, from the inverse of a covariance C.
func (p *program) slopeOf(inverse sym3) (variance num, j sym3) {
	variance = p.varianceOf(inverse)
	return variance, p.scaleSym(inverse, variance)
}

// varianceOf returns the λ of slopeOf.
func (p *program) varianceOf(s sym3) num {
	square := func(v num) num { return p.mul(v, v) }
	off := p.add(p.add(square(s.xy), square(s.xz)), square(s.yz))
	norm2 := p.add(p.add(p.add(square(s.xx), square(s.yy)), square(s.zz)), p.add(off, off))
	return p.div(p.constant(1), p.sqrt(norm2))
}

func (s sym3) rows() mat3 { return mat3{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}} }

// times returns a·b for matrices that commute, so the product is symmetric.
func (p *program) times(a, b sym3) sym3 {
	r, c := a.rows(), b.rows()
	at := func(i, j int) num { return p.dot(r[i], c[j]) }
	return sym3{at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)}
}
