package engine

import (
	"fmt"

	"github.com/scree-dem/scree/soa"
)

// deepShare is the penetration, as a share of the smaller body's inscribed radius, from which bodies
// that begin inside each other are warned of.
const deepShare = 0.1

// maxWarnings bounds how many such pairs are named.
const maxWarnings = 10

// warnDeep names the pairs that begin deep inside each other.
func (w *World) warnDeep() {
	deep := 0
	for i, active := range w.contacts.Active {
		if !active {
			continue
		}
		a, b := w.pairs.A[i], w.pairs.B[i]
		size := w.innerRadius(a)
		if s := w.innerRadius(b); s > 0 && (size == 0 || s < size) {
			size = s
		}
		if depth := -w.contacts.Gap[i]; depth > deepShare*size {
			if deep++; deep <= maxWarnings {
				w.warnings = append(w.warnings, fmt.Sprintf(
					"%s and %s start %.3g m inside each other, %.0f %% of the smaller one's inscribed radius",
					w.nameOf(a), w.nameOf(b), depth, 100*depth/size))
			}
		}
	}
	if deep > maxWarnings {
		w.warnings = append(w.warnings, fmt.Sprintf("and %d more pairs that start inside each other", deep-maxWarnings))
	}
}

func (w *World) innerRadius(p soa.Piece) float64 { return w.shapes.Inner[w.pieces.Shape[p]] }

func (w *World) nameOf(p soa.Piece) string {
	id := w.pieces.Body[p]
	if name := w.bodies.Name[id]; name != "" {
		return fmt.Sprintf("body %d (%s)", id, name)
	}
	return fmt.Sprintf("body %d", id)
}

// firstFault returns what went wrong in the last step, and stops the world for good if something did.
func (w *World) firstFault() error {
	first := noFault
	for i := range w.work {
		first = min(first, w.work[i].faulty)
	}
	if first != noFault {
		b := &w.bodies
		w.fault = fmt.Errorf("engine: step %d: body %d (%s) at %v has velocity %v and spin %v, expected finite and "+
			"less than a turn in a step; the time step, the stiffness or a velocity is too large: %w",
			w.step, first, b.Name[first], b.Pos.At(int(first)), b.Vel.At(int(first)), b.Spin.At(int(first)), ErrFault)
		return w.fault
	}
	if w.levels.Degenerate > 0 {
		w.fault = fmt.Errorf("engine: step %d: %d pairs of pieces have no answer, their poses or sizes are out of range: %w",
			w.step, w.levels.Degenerate, ErrFault)
	}
	if n := w.broad.Stats().Unpaired - len(w.planes.pieces); n > 0 && w.fault == nil {
		w.fault = fmt.Errorf("engine: step %d: %d pieces are in no cell, their extents with the motion budget are out of range; "+
			"the skin, the interaction distance or a velocity is too large: %w", w.step, n, ErrFault)
	}
	return w.fault
}

// fault marks a body whose motion is not usable; the lowest is told.
func (ws *workspace) fault(body int) { ws.faulty = min(ws.faulty, uint32(body)) }

// noFault is a workspace's faulty body when there is none.
const noFault = ^uint32(0)
