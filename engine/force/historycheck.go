package force

import (
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// lastForce is what is known of the last step of a contact whose history is checked.
type lastForce struct {
	size    float64 // N, magnitude of the force
	overlap float64 // m, Needs.Unloaded minus the gap, at least 0
	growth  float64 // largest factor by which the patch may have stiffened the springs
	tol     float64 // relative tolerance for rounding
}

// historyChecker is a law that can check a history. The error states the value and what was
// expected.
type historyChecker interface {
	checkHistory(last lastForce, history []float64) error
}

// CheckHistory checks the history of a contact of two materials, as read from a file. It returns an
// error if the law cannot have stored this history after a step that ended with the given gap, m,
// and force, N. It returns nil if it finds nothing wrong. growth is the largest factor by which the
// bodies' patch may make springs stiffer than a patch of 1 m². tol is the tolerance for rounding,
// relative to a limit and to the force of the stiffest spring.
func (t *Table) CheckHistory(a, b soa.Material, gap float64, force vec.Vec3, growth, tol float64, history []float64) error {
	row := t.Row(a, b)
	needs := &t.needs[row]
	for _, x := range history[needs.memory():] {
		if x != 0 {
			return fmt.Errorf("has a history of more than %d values, expected 0 behind them", needs.memory())
		}
	}
	if needs.Points {
		return checkPoints(needs, history)
	}
	law, ok := t.laws[row].(historyChecker)
	if !ok {
		return nil // A program's own law cannot be checked.
	}
	return law.checkHistory(lastForce{force.Norm(), max(needs.Unloaded-gap, 0), growth, tol}, history[:needs.History])
}

// limit returns the largest force, N, that friction can have had: the coefficient times the normal
// force, which is at most the force. The rounding of the force is relative to the spring's force,
// most of which a dashpot may have cancelled.
func (l lastForce) limit(friction, stiffness float64) float64 {
	return friction * (l.size + float64(l.tol*(l.size+float64(stiffness*l.overlap))))
}

// checkSlip rejects a slip whose spring would exceed the friction limit.
func checkSlip(history []float64, stiffness, limit float64) error {
	slip := slipOf(history).Norm()
	if pull := float64(stiffness * slip); !(pull <= limit) || stiffness == 0 && slip != 0 {
		most := 0.0
		if stiffness > 0 {
			most = limit / stiffness
		}
		return fmt.Errorf("has a slip of %g m, expected at most %.3g m, which friction holds under its force", slip, most)
	}
	return nil
}

func (l *Linear) checkHistory(last lastForce, history []float64) error {
	return checkSlip(history, l.Kt, last.limit(l.Mu, l.Kn))
}

func (l *thickness) checkHistory(last lastForce, history []float64) error {
	grown := l.growthOf(history)
	if l.AreaExponent > 0 {
		// A contact without a normal force or without friction has a history of zeros.
		nothing := !slices.ContainsFunc(history[:middleX], func(x float64) bool { return x != 0 })
		if !nothing && !(grown > 0 && grown <= last.growth) {
			return fmt.Errorf("has springs that grew by %g, expected > 0 and at most %.3g, for which the bodies are large enough", grown, last.growth)
		}
	}
	if middle := middleOf(history).Norm(); middle != 0 && !(math.Abs(middle-1) <= last.tol) {
		return fmt.Errorf("has a middle plane with a normal of length %g, expected 1", middle)
	}
	limit := last.limit(l.Friction, float64(l.Stiffness*grown))
	if err := checkSlip(history, float64(l.Tangential*grown), limit); err != nil {
		return err
	}
	angle, width := history[twistAngle], history[twistWidth]
	if !(width >= 0) {
		return fmt.Errorf("has a patch of second moment %g m², expected ≥ 0", width)
	}
	stiffness := float64(l.Tangential * math.Sqrt(float64(grown*width)))
	if pull := stiffness * math.Abs(angle); !(pull <= limit) {
		return fmt.Errorf("has a turn of %g rad over a patch of second moment %g m², expected at most %.3g rad, which friction holds under its force",
			angle, width, limit/stiffness)
	}
	return nil
}
