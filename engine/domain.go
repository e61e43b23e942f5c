package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// ErrDomain marks bodies and walls that do not fit a domain with periodic sides.
var ErrDomain = errors.New("does not fit the domain")

// Side says what the two sides of a domain across one axis do (Itasca 2023, model domain). The zero value does nothing.
type Side uint8

const (
	Open     Side = iota // bodies pass
	Periodic             // bodies meet the images of others: see Domain
	Reflect              // turns the velocity along the axis round of a body whose centre of mass is outside and moves out; its spin stays
	Stop                 // takes the velocity and the spin of a body whose centre of mass is outside, and holds it for good
	Destroy              // removes a body that is wholly outside
)

var sideNames = []string{"open", "periodic", "reflect", "stop", "destroy"}

// Sides returns the names of all sides, in their order.
func Sides() []string { return slices.Clone(sideNames) }

func (s Side) String() string {
	if int(s) < len(sideNames) {
		return sideNames[s]
	}
	return fmt.Sprintf("side %d", uint8(s))
}

// Domain is a box, and what its sides do. Along a periodic axis space repeats with the length of the box: each body has an
// image in every period. Poses are those of the bodies that the program has added, which may leave the box; InBox returns
// the image in the box. A box must be twice as long along a periodic axis as the largest body is wide,
// and as the interaction distance of the laws.
//
// A wall has no images. A plane must be parallel to the periodic axes. A wall of facets reaches one largest diameter
// beyond both periodic sides, or stays a radius away from them. A body touches it where the image of the body in the box
// is. When the centre of mass of the body passes a side, these contacts begin anew, and the energy of their friction
// springs counts as friction.
//
// The zero value is a world without a domain.
type Domain struct {
	Box   vec.Box // m, world
	Sides [3]Side // across x, y and z
}

// checkDomain rejects a domain that means nothing, or with what it does not go together.
func (c *Config) checkDomain() error {
	d, axes := &c.Domain, 3
	if *d == (Domain{}) {
		return nil
	}
	if c.Planar {
		axes = 2
	}
	for axis, side := range d.Sides {
		lo, hi := along(d.Box.Min, axis), along(d.Box.Max, axis)
		switch {
		case int(side) >= len(sideNames):
			return mark.Errorf(ErrConfig, "engine: the domain has %v across %c, expected Open to Destroy", side, "xyz"[axis])
		case side != Open && axis >= axes:
			return mark.Errorf(ErrConfig, "engine: the domain of a planar world is %v across z, expected Open", side)
		case axis < axes && !(hi-lo > 0 && hi-lo <= math.MaxFloat64):
			return mark.Errorf(ErrConfig, "engine: the domain has the box from %v to %v, expected a finite one with a volume", d.Box.Min, d.Box.Max)
		}
	}
	switch {
	case d.Sides == [3]Side{}:
	case c.translates():
		return mark.Errorf(ErrConfig, "engine: a domain with %v, expected Verlet", PositionVerlet)
	case c.Method == narrow.FDSPaper:
		return mark.Errorf(ErrConfig, "engine: a domain with method fds-paper, which stores one list a pair, expected another method")
	}
	return nil
}

// along returns the component of a vector along axis 0, 1 or 2.
func along(v vec.Vec3, axis int) float64 { return [3]float64{v.X, v.Y, v.Z}[axis] }

// DomainBox returns the box of the domain now, m, world: that of Config.Domain, with the lengths that a cell that deforms
// has. Its middle stays.
func (w *World) DomainBox() vec.Box {
	box := w.cfg.Domain.Box
	middle := box.Center()
	for axis, side := range w.cfg.Domain.Sides {
		if half := float64(0.5 * w.cell.Length[axis]); side == Periodic {
			setAlong(&box.Min, axis, along(middle, axis)-half)
			setAlong(&box.Max, axis, along(middle, axis)+half)
		}
	}
	return box
}

func setAlong(v *vec.Vec3, axis int, x float64) { *[3]*float64{&v.X, &v.Y, &v.Z}[axis] = x }

// InBox returns the image of a point, m, in the box of the domain: displaced by whole periods along the periodic axes, up to
// rounding at the sides. The point must be within 2³¹ periods.
func (w *World) InBox(p vec.Vec3) vec.Vec3 { return p.Sub(w.space.Shift(w.space.TurnAt(p))) }

// ToBox returns the displacement, m, that brings the centre of mass of a body, and so all of the body, to its image in
// the box of the domain.
func (w *World) ToBox(id soa.ID) vec.Vec3 {
	row, ok := w.bodies.Row(id)
	if !ok {
		return vec.Vec3{}
	}
	return w.toBox(int(row))
}

func (w *World) toBox(i int) vec.Vec3 {
	if w.bodies.InvMass[i] == 0 {
		return vec.Vec3{}
	}
	return w.space.Shift(w.space.TurnAt(w.bodies.Pos.At(i))).Neg()
}

// fitsCell rejects the newest body if it is too large for the periodic box.
func (w bodyAdder) fitsCell(row int) error {
	return w.boxHolds(w.bodies.Radius[row], w.nameOf(soa.Body(row)))
}

// boxHolds rejects a body of the given radius, m, in a box that is too short.
func (w *World) boxHolds(radius float64, name string) error {
	for axis, side := range w.cfg.Domain.Sides {
		if l := w.cell.Length[axis]; side == Periodic && !(l >= w.leastPeriod(radius)) {
			beside := ""
			if reach := w.law.Reach(); reach > 0 {
				beside = fmt.Sprintf(" and twice the interaction distance, %g m", reach)
			}
			return mark.Errorf(ErrDomain, "engine: the box of the domain is %g m long along %c, where it is periodic, expected at least %.6g m, twice the diameter of %s%s",
				l, "xyz"[axis], w.leastPeriod(radius), name, beside)
		}
	}
	return nil
}

// leastPeriod returns the least length of a periodic box for a body of the given radius, m: in a shorter one a body could touch two images of another.
func (w *World) leastPeriod(radius float64) float64 {
	return float64(4*radius) + float64(2*w.law.Reach())
}

// widest returns the largest radius, m, of a body that moves, and its row.
func (w *World) widest() (radius float64, row soa.Body) {
	for i, r := range w.bodies.Radius {
		if w.bodies.InvMass[i] != 0 && r > radius {
			radius, row = r, soa.Body(i)
		}
	}
	return radius, row
}

// keepWallsAtSides stops the world if a periodic side cuts a wall.
func (w *World) keepWallsAtSides() {
	if w.fault != nil {
		return
	}
	if err := w.checkWallsAtSides(); err != nil {
		w.fault = mark.Errorf(ErrFault, "engine: step %d: %w", w.step, err)
	}
}

// checkWallsAtSides rejects walls that a periodic side cuts. The extents of pieces must be those of the present poses.
func (w *World) checkWallsAtSides() error {
	if !w.cell.periodic {
		return nil
	}
	radius, _ := w.widest()
	box, extent := w.DomainBox(), &w.space.Pieces.Extent
	for i := range w.walls {
		row := w.walls[i].body
		first, end := w.bodies.FirstPiece[row], w.bodies.FirstPiece[row+1]
		for axis, side := range w.cfg.Domain.Sides {
			if side != Periodic {
				continue
			}
			lo, hi := math.Inf(1), math.Inf(-1)
			for p := int(first); p < int(end); p++ {
				if !w.space.IsPlane(soa.Piece(p)) {
					lo, hi = min(lo, along(extent.Min.At(p), axis)), max(hi, along(extent.Max.At(p), axis))
				} else if n := w.space.Pieces.Pose(&w.bodies, soa.Piece(p)).Rot.Rotate(vec.Vec3{Z: 1}); math.Abs(along(n, axis)) > parallelTol {
					return &WallError{w.bodies.ID[row], fmt.Sprintf("%s is a plane with the normal %v, expected one parallel to %c, along which the domain is periodic",
						w.wallName(w.bodies.ID[row]), n, "xyz"[axis]), ErrDomain}
				}
			}
			from, to := along(box.Min, axis), along(box.Max, axis)
			if beyond := lo <= from-2*radius && hi >= to+2*radius; !beyond && !(lo >= from+radius && hi <= to-radius) && lo <= hi {
				return &WallError{w.bodies.ID[row], fmt.Sprintf("%s reaches from %.6g m to %.6g m along %c, where the domain is periodic; expected it to reach from at most %.6g m to at "+
					"least %.6g m, one largest diameter beyond both sides, or to stay between %.6g m and %.6g m", w.wallName(w.bodies.ID[row]), lo, hi, "xyz"[axis],
					from-2*radius, to+2*radius, from+radius, to-radius), ErrDomain}
			}
		}
	}
	return nil
}

// parallelTol is the largest component of a plane's unit normal along a periodic axis.
// Smaller: rounding of a rotation is refused. Larger: a plane that rises from image to image passes.
const parallelTol = 1e-12

// atSides lets the sides that reflect, stop or destroy act on the bodies that have passed them in the last step. It returns
// the first error of SetFixed, SetVelocity and RemoveBody.
func (w *World) atSides() error {
	d, b := &w.cfg.Domain, &w.bodies
	var stopped, gone []soa.ID
	for axis, side := range d.Sides {
		if side == Open || side == Periodic {
			continue
		}
		lo, hi := along(d.Box.Min, axis), along(d.Box.Max, axis)
		for i, x := range [3][]float64{b.Pos.X, b.Pos.Y, b.Pos.Z}[axis] {
			if lo <= x && x <= hi || b.InvMass[i] == 0 {
				continue
			}
			k, held := w.heldAt(i)
			switch out := x - hi; {
			case side == Reflect && !(held && w.held[k].Fixed&(1<<axis) != 0):
				v := b.Vel.At(i)
				if speed := along(v, axis); (speed > 0) == (out > 0) && speed != 0 {
					w.change()
					setAlong(&v, axis, -speed)
					b.Vel.Set(i, v)
				}
			case side == Stop && !(held && w.held[k].Fixed == FixAll && b.Vel.At(i) == vec.Vec3{} && b.Spin.At(i) == vec.Vec3{}):
				stopped = append(stopped, b.ID[i])
			case side == Destroy && max(out, lo-x) > 0 && w.isOutside(soa.Body(i), axis, lo, hi):
				gone = append(gone, b.ID[i])
			}
		}
	}
	for _, id := range stopped {
		if err := errors.Join(w.SetFixed(id, FixAll, nil, nil), w.SetVelocity(id, vec.Vec3{}, vec.Vec3{})); err != nil {
			return err
		}
	}
	for _, id := range gone {
		if row, there := b.Row(id); there {
			w.cell.Destroyed++
			w.cell.Mass += b.Mass[row]
			if err := w.RemoveBody(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// isOutside reports whether all of a body lies below lo or above hi along an axis.
func (w *World) isOutside(row soa.Body, axis int, lo, hi float64) bool {
	all, p := vec.EmptyBox(), &w.space.Pieces
	for k := w.bodies.FirstPiece[row]; k < w.bodies.FirstPiece[row+1]; k++ {
		var box vec.Box
		kernels.WorldBox(w.space.Shapes.View(p.Shape[k]), p.Pose(&w.bodies, k), &box)
		all = all.Union(box)
	}
	return along(all.Max, axis) < lo || along(all.Min, axis) > hi
}

// Destroyed returns the number and the mass, kg, of the bodies that the sides of the domain have removed.
func (w *World) Destroyed() (bodies int, mass float64) { return w.cell.Destroyed, w.cell.Mass }
