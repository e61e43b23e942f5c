package engine

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/internal/invariants"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestDeclaredAccesses: each stage of the step touches only columns that it declares, and writes only those that it
// declares as written. All columns lie on pages of their own; while a stage runs, the pages of all others are protected.
func TestDeclaredAccesses(t *testing.T) {
	if invariants.Enabled {
		t.Skip("with invariants, certificates are searched for anew, which reads other rows")
	}
	thickness := force.Thickness{Stiffness: 1e5, Tangential: 0.8e5, Friction: 0.5, Restitution: 0.3}
	linear := force.Linear{Kn: 1e5, Kt: 0.8e5, Mu: 0.5, ByRestitution: true, Restitution: 0.3}
	for name, test := range map[string]struct {
		law    force.Parameters
		cfg    Config
		clumps bool
	}{
		"thickness": {law: thickness},
		"clumps":    {law: thickness, clumps: true},
		"no ledger": {law: thickness, cfg: Config{NoLedger: true, Relief: Relief{Cap: 1e-4, Time: 1}}},
		"linear":    {law: linear},
		"points":    {law: studs{}},
	} {
		t.Run(name, func(t *testing.T) {
			test.cfg.Workers = 1
			w := pagedPile(t, test.law, test.cfg, test.clumps)
			steps(t, w, 1500, 2e-4)
			var columns pages
			columns.move(w)
			defer columns.allow(nil)
			ran := map[string]bool{}
			for range 40 {
				for _, stage := range w.Stages() {
					if at, ok := columns.run(&stage, columns.declared(&stage)); !ok {
						t.Fatalf("stage %s touches %s, which it does not declare, or writes to it", stage.Name, at)
					}
					ran[stage.Name] = true
				}
			}
			if len(ran) < 4 || activeContacts(w) < 40 {
				t.Fatalf("%d stages with %d contacts, expected more", len(ran), activeContacts(w))
			}
			for _, stage := range w.Stages() { // What a stage does not declare is noticed.
				declared, first := columns.declared(&stage), uintptr(0)
				stage.Walk(&access.Walk{Do: func(a access.Access) {
					if first == 0 {
						first = a.Address
					}
				}}, 0, stage.N)
				for _, c := range declared {
					if at := first - uintptr(unsafe.Pointer(&c.memory[0])); at < c.size {
						c.read, c.write = false, false
					}
				}
				if _, ok := columns.run(&stage, declared); ok {
					t.Errorf("stage %s runs without the first column that it declares", stage.Name)
				}
			}
		})
	}
}

// pagedPile drops rocks and cubes, or bodies of two cubes, into a tray of blocks.
func pagedPile(t *testing.T, law force.Parameters, cfg Config, clumps bool) *World {
	cfg.Gravity, cfg.Skin = down, 0.02
	w := newWorld(t, cfg, law)
	addWall(t, w, WallSpec{Parts: []Part{{Shape: addShape(t, w, box(t, 4, 4, 0.2))}}, Pose: at(0, 0, -0.1)})
	side := addShape(t, w, box(t, 0.2, 4, 4))
	for i := range 4 {
		turn := vec.FromRotationVector(vec.V(0, 0, float64(i)*pi/2))
		addWall(t, w, WallSpec{Parts: []Part{{Shape: side}}, Pose: vec.Pose{Pos: turn.Rotate(vec.V(0.6, 0, 0)), Rot: turn}})
	}
	shapes := []soa.Shape{addShape(t, w, box(t, 0.2, 0.2, 0.2)), addShape(t, w, rock(t, 1, 12, 0.12)), addShape(t, w, rock(t, 2, 20, 0.12))}
	r := geometry.NewRand(1)
	for i := range 48 {
		pose := at(0.25*float64(i%4)-0.375, 0.25*float64(i/4%4)-0.375, 0.1+0.2*float64(i/16))
		if i%3 > 0 {
			pose.Rot = r.Rotation()
		}
		parts := one(shapes[i%3], 2600)
		if clumps && i%3 == 0 {
			parts = append(parts, Part{Shape: shapes[0], Density: 2600, Local: at(0, 0, 0.05)})
		}
		addBody(t, w, BodySpec{Parts: parts, Pose: pose})
	}
	return w
}

// studs is a law with a spring at each point of a contact, which also stores the points' depths.
type studs struct{}

func (l studs) Law() (force.Law, error) { return l, nil }
func (l studs) Needs() force.Needs      { return force.Needs{Points: true, History: 1} }
func (l studs) Held([]float64) float64  { return 0 }
func (l studs) Springs(mass, _ float64) force.Springs {
	return force.Springs{Normal: 2e5, NormalDashpot: 100}
}
func (l studs) Apply(c *force.Contact, _ []float64, r *force.Result) {
	*r = force.Result{}
	for i := range c.Points {
		p := &c.Points[i]
		p.History[0] = max(-p.Gap, 0)
		f := c.Normal.Scale(min(-2e4*p.History[0]-20*c.Velocity.Dot(c.Normal), 0))
		r.Force, r.Moment = r.Force.Add(f), r.Moment.Add(p.Arm.Cross(f))
	}
}

// pages holds columns, each on pages of its own.
type pages struct{ columns []*paged }

type paged struct {
	name        string
	from        unsafe.Pointer // where it was
	size        uintptr        // bytes
	memory      []byte
	read, write bool
}

// move moves all columns of a world that hold no pointers, except for the buffers of workers and of the search for pairs.
func (p *pages) move(w *World) {
	headers := map[*unsafeSlice]uintptr{} // with the size of a row
	names := map[*unsafeSlice]string{}
	seen := map[any]bool{}
	var visit func(v reflect.Value, name string)
	visit = func(v reflect.Value, name string) {
		switch v.Kind() {
		case reflect.Pointer:
			if key := v.Pointer(); !v.IsNil() && !seen[key] {
				seen[key] = true
				visit(v.Elem(), name)
			}
		case reflect.Struct:
			switch v.Type().String() {
			case "sched.Pool", "broad.CandidateSearch", "engine.workspace", "contact.workspace", "contact.rebuild", "force.Table":
				return
			}
			for i := range v.NumField() {
				visit(v.Field(i), name+"."+v.Type().Field(i).Name)
			}
		case reflect.Slice:
			if v.Cap() == 0 || !v.CanAddr() {
				return
			}
			if of := v.Type().Elem(); !hasPointers(of) {
				h := (*unsafeSlice)(unsafe.Pointer(v.UnsafeAddr()))
				headers[h], names[h] = of.Size(), name
				return
			}
			for i := range v.Len() {
				visit(v.Index(i), name)
			}
		}
	}
	visit(reflect.ValueOf(w), "World")
	type span struct {
		at     unsafe.Pointer
		lo, hi uintptr
	}
	var spans []span
	for h, size := range headers {
		if size > 0 {
			spans = append(spans, span{h.data, uintptr(h.data), uintptr(h.data) + uintptr(h.cap)*size})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return int(int64(a.lo) - int64(b.lo)) })
	for _, s := range spans {
		if n := len(p.columns); n > 0 && s.lo < uintptr(p.columns[n-1].from)+p.columns[n-1].size {
			p.columns[n-1].size = max(p.columns[n-1].size, s.hi-uintptr(p.columns[n-1].from))
			continue
		}
		p.columns = append(p.columns, &paged{from: s.at, size: s.hi - s.lo})
	}
	for _, c := range p.columns {
		own, err := unix.Mmap(-1, 0, int(c.size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			panic(err)
		}
		copy(own, unsafe.Slice((*byte)(c.from), len(own)))
		c.memory = own
	}
	for h, size := range headers {
		if size == 0 {
			continue
		}
		for _, c := range p.columns {
			if at := uintptr(h.data) - uintptr(c.from); uintptr(h.data) >= uintptr(c.from) && at < c.size {
				h.data = unsafe.Pointer(&c.memory[at])
				if n := names[h]; c.name == "" || len(n) < len(c.name) {
					c.name = n
				}
				break
			}
		}
	}
	runtime.KeepAlive(w)
}

// unsafeSlice is the memory of a slice.
type unsafeSlice struct {
	data     unsafe.Pointer
	len, cap int
}

func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() > reflect.Complex128
}

// declared returns the columns that a stage declares.
func (p *pages) declared(stage *access.Work) (columns []*paged) {
	for _, c := range p.columns {
		c.read, c.write = false, false
	}
	w := access.Walk{Declare: func(_ string, parts []access.Segment, write bool) {
		for _, part := range parts {
			for _, c := range p.columns {
				at := uintptr(unsafe.Pointer(&c.memory[0]))
				if part.Address+part.Bytes > at && part.Address < at+uintptr(len(c.memory)) {
					if !c.read {
						columns = append(columns, c)
					}
					c.read, c.write = true, c.write || write
				}
			}
		}
	}}
	stage.Walk(&w, 0, stage.N)
	return columns
}

// allow lets a stage use the columns as they are marked, or all if that is nil.
func (p *pages) allow(columns []*paged) {
	for _, c := range p.columns {
		mode := unix.PROT_NONE
		switch {
		case columns == nil || c.write:
			mode = unix.PROT_READ | unix.PROT_WRITE
		case c.read:
			mode = unix.PROT_READ
		}
		if err := unix.Mprotect(c.memory, mode); err != nil {
			panic(err)
		}
	}
}

// run runs a stage, and returns the column that it must not touch, if it does.
func (p *pages) run(stage *access.Work, columns []*paged) (name string, ok bool) {
	p.allow(columns)
	defer p.allow(nil)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		ok = false
		var fault interface{ Addr() uintptr }
		err, _ := r.(error)
		if errors.As(err, &fault) {
			for _, c := range p.columns {
				if at := uintptr(unsafe.Pointer(&c.memory[0])); fault.Addr() >= at && fault.Addr() < at+uintptr(len(c.memory)+4095)&^4095 {
					name = c.name
				}
			}
		}
		if name == "" {
			name = fmt.Sprint(r)
		}
	}()
	stage.Run()
	return "", true
}
