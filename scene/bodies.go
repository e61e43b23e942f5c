package scene

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/vec"
)

// bodyEntry is a checked [[bodies]] table: one body, or the parameters of a generator.
type bodyEntry struct {
	key       string // "bodies[2]", for error messages of the generator
	kind      string // the generator; "" for one body
	name      string
	shapes    []int
	weights   []float64 // cumulative sums; empty if the shapes are used in turn
	rotation  vec.Quat
	turned    bool     // rotations are random
	vel, spin vec.Vec3 // at the start
	course    bodyCourse
	damping   float64 // share of local damping; 0: that of the scene

	position vec.Vec3 // of one body: position of the frame of the shape's file
	count    [3]int64 // per axis for a grid; otherwise only count[0] is used
	spacing  vec.Vec3
	origin   vec.Vec3
	jitter   float64
	region   region
	joint    float64
	seed     uint64
	inflow   inflow // of a pour
}

// maxBodies is the largest number of bodies in a scene. A mistyped count is then rejected with its
// key, instead of exhausting the memory.
const maxBodies = 10_000_000

func (s *checks) checkBodies(d *document) {
	all := int64(0)
	for i := range d.Bodies {
		g := s.group(fmt.Sprintf("bodies[%d]", i), i, &d.Bodies[i])
		if s.first != nil {
			return
		}
		// Checked before bodies are generated, so that a mistyped count does not exhaust the
		// memory.
		if all = min(all+g.most(), 2*maxBodies); all > maxBodies {
			key := g.key
			if s.at.has(key + ".count") {
				key += ".count"
			}
			s.fault(key, fmt.Sprintf("makes %d bodies with those before it, expected at most %d in all", all, maxBodies))
		}
		s.moving += g.bodies()
		s.groups = append(s.groups, g)
	}
	s.countFills()
}

// most returns the number of bodies of the group in the whole run, at most.
func (g *bodyEntry) most() int64 {
	if g.kind == "pour" {
		return g.inflow.count
	}
	return g.bodies()
}

// bodies returns the number of bodies of the group at the start. Checked counts cannot overflow.
func (g *bodyEntry) bodies() int64 {
	switch g.kind {
	case "":
		return 1
	case "pour":
		return 0
	case "wall":
		return g.count[0] * (g.count[0] + 1) / 2
	}
	return g.count[0] * g.count[1] * g.count[2]
}

func (s *checks) group(key string, number int, t *bodyTable) bodyEntry {
	g := bodyEntry{key: key, kind: t.Generator, name: t.Name, jitter: t.Jitter, joint: t.Joint, rotation: vec.Identity, vel: t.Velocity.start(), spin: t.Spin.start(), damping: t.DampingRatio, position: t.Position, origin: t.Origin, count: [3]int64{1, 1, 1}}
	s.rotation(key+".rotation", t.Rotation, &g)
	s.planarMotion(key, &g)
	g.course = s.bodyCourse(key, t.Fixed, t.Velocity, t.Spin, t.Force, t.Torque, 0)
	if g.course.fixed == nil {
		g.course.vel, g.course.spin = nil, nil // The bodies are built with them.
	}
	if g.kind == "" {
		g.shapes = s.shapesNamed(key+".shape", []string{t.Shape})
		s.inPlane(key+".position", g.position)
		return g
	}
	if g.seed = s.Seed + uint64(number); t.Seed != nil {
		g.seed = uint64(*t.Seed)
	}
	g.shapes = s.shapesNamed(key+".shapes", t.Shapes)
	s.weights(key+".weights", t.Weights, &g)
	switch {
	case t.Count != nil:
		s.count(key+".count", t.Count, &g)
	case g.kind == "pour" && t.To == 0:
		s.fault(key+".count", missing("count, or to: without both a pour has no end"))
	case g.kind != "pour" && g.kind != "fill":
		s.fault(key+".count", missing("a whole number ≥ 1, or for a grid [nx, ny, nz]"))
	}
	switch g.kind {
	case "grid":
		s.spacing(key+".spacing", t.Spacing, &g)
	case "random", "pour", "fill":
		g.region = s.region(key, t)
		s.inDomain(key, &g.region)
	}
	s.planarGenerator(key, &g)
	if s.first == nil && g.kind == "fill" {
		s.fillable(&g)
	} else if s.first == nil && g.kind == "pour" {
		s.inflow(t, &g)
	}
	return g
}

// rotation reads a quaternion, or "random" for generators.
func (s *checks) rotation(key string, v any, g *bodyEntry) {
	want := "a quaternion [w, x, y, z]"
	if g.kind != "" {
		want += ` or "random"`
	}
	q, ok := numbers(v)
	switch {
	case v == nil:
		g.turned = g.kind == "random" || g.kind == "pour" || g.kind == "fill"
	case v == "random" && g.kind != "":
		g.turned = true
	case !ok || len(q) != 4:
		s.fault(key, found(v, want))
	default:
		unit, ok := fileio.UnitQuat(vec.Quat{W: q[0], X: q[1], Y: q[2], Z: q[3]})
		s.demand(key, q, ok, "a quaternion of norm 1, within 1e-3")
		g.rotation = unit
	}
}

// shapesNamed returns the indices in s.shapes of the shapes names. s.shapes is sorted by name.
func (s *checks) shapesNamed(key string, names []string) []int {
	s.demand(key, "no names", len(names) > 0, "one shape at least")
	list := make([]int, len(names))
	for i, name := range names {
		at, ok := slices.BinarySearchFunc(s.shapes, name, func(h shape, name string) int { return cmp.Compare(h.name, name) })
		if !ok {
			s.fault(key, found(name, s.anyShape()))
		}
		list[i] = at
	}
	return list
}

// anyShape returns the text of an error message that lists the valid shape names.
func (s *Scene) anyShape() string {
	if len(s.shapes) == 0 {
		return "a table [shapes.NAME] for it"
	}
	var known []string
	for i := range s.shapes {
		known = append(known, s.shapes[i].name)
	}
	return "one of the shapes " + among(known)
}

// weights checks the weights of the shapes and stores their cumulative sums in g.
func (s *checks) weights(key string, w []float64, g *bodyEntry) {
	if w == nil {
		return
	}
	s.demand(key, w, len(w) == len(g.shapes), fmt.Sprintf("a weight for each of the %d shapes", len(g.shapes)))
	sum := 0.0
	for _, x := range w {
		sum += x
		g.weights = append(g.weights, sum)
	}
	s.demand(key, w, sum > 0 && sum-sum == 0, "a weight > 0 among them, with a finite sum")
}

// count reads the number of bodies, for a grid the number along each axis.
func (s *checks) count(key string, v any, g *bodyEntry) {
	want := "a whole number ≥ 1"
	list := []any{v}
	if g.kind == "grid" {
		want = "three whole numbers ≥ 1"
		var ok bool
		if list, ok = v.([]any); !ok || len(list) != 3 {
			s.fault(key, found(v, want))
			return
		}
	}
	total := int64(1)
	for i := range list {
		n, ok := list[i].(int64)
		if !ok || n < 1 {
			s.fault(key, found(v, want+plainly(list[i])))
			return
		}
		g.count[i] = n
		if g.kind == "wall" {
			n = min(n, maxBodies)
			n = n * (n + 1) / 2
		}
		if n > maxBodies/total {
			s.fault(key, found(v, fmt.Sprintf("at most %d bodies in all", maxBodies)))
			return
		}
		total *= n
	}
}

// spacing reads the distance between the centres of a grid: one number, or one for each axis.
func (s *checks) spacing(key string, v any, g *bodyEntry) {
	d, ok := numbers(v)
	if x, single := oneNumber(v); single {
		d, ok = []float64{x, x, x}, true
	}
	if !ok || len(d) != 3 || !(d[0] > 0 && d[1] > 0 && d[2] > 0) {
		s.fault(key, found(v, "a length > 0 m, or three of them"))
		return
	}
	g.spacing = vec.V(d[0], d[1], d[2])
}

// oneNumber returns the value v if it is a number.
func oneNumber(v any) (x float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// numbers returns the value v if it is a list of numbers.
func numbers(v any) (list []float64, ok bool) {
	values, ok := v.([]any)
	for _, x := range values {
		n, isNumber := oneNumber(x)
		ok = ok && isNumber
		list = append(list, n)
	}
	return list, ok
}
