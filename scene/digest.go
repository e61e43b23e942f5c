package scene

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"reflect"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/curve"
	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// digest returns the SHA-256 of everything that determines the bits of a run: time step, gravity,
// laws, and the shapes, bodies and walls as built. It excludes names, comments, the order of keys,
// the length of the run, output, counts, and settings that affect only speed ([broad]). A
// checkpoint can be restored by scenes with the same digest. The map holds the hashes of the parts
// of the digest, so that a message can name the parts that differ.
func (s *Scene) digest(all []placed) (string, map[string]string) {
	sum, part := sha256.New(), sha256.New()
	d := digester{w: bufio.NewWriterSize(io.MultiWriter(sum, part), 1<<16)}
	parts := map[string]string{}
	end := func(name string) {
		_ = d.w.Flush() // Writing to a hash never fails.
		parts[name] = hex.EncodeToString(part.Sum(nil)[:partBytes])
		part.Reset()
	}
	d.text("scree scene 1")
	d.floats(s.Dt)
	end("time step")
	d.floats(s.relief.Cap, s.relief.Time)
	end("relief")
	d.whole(uint64(s.location))
	end("location")
	if s.method != narrow.Auto && s.method != narrow.GJKEPA { // These two methods return the same bits.
		d.text(s.method.String())
	}
	end("method")
	if s.interaction != 0 {
		d.floats(s.interaction)
	}
	end("interaction")
	d.vec(s.gravity)
	d.text(timedVector{s.fall}.String())
	end("gravity")
	d.laws(s.law)
	end("laws")
	if s.integrator != engine.Verlet {
		d.text(s.integrator.String())
	}
	end("integrator")
	if s.planar {
		d.text("planar")
	}
	end("dim")
	if s.domain != (engine.Domain{}) {
		d.text(fmt.Sprint(s.domain))
	}
	end("domain")
	d.whole(uint64(len(s.shapes)))
	for i := range s.shapes {
		h := &s.shapes[i]
		if h.template == nil {
			d.clump(h)
			continue
		}
		d.whole(uint64(h.material))
		d.floats(h.density)
		d.template(h.template)
	}
	end("shapes")
	d.whole(uint64(len(all)))
	for i := range all {
		p := &all[i]
		d.whole(uint64(p.shape))
		d.pose(p.pose)
		d.vec(p.vel)
		d.vec(p.spin)
	}
	end("bodies")
	for _, hash := range s.wallHashes() {
		d.text(hash)
	}
	end("walls")
	for i := range s.base {
		if to := &s.base[i]; strings.HasPrefix(to.at, "walls[") {
			d.text(to.at)
			d.text(to.text)
		}
	}
	for i := range s.groups {
		d.text(fmt.Sprint(s.groups[i].course.texts))
		d.floats(s.groups[i].damping)
	}
	for i := range s.walls {
		d.bools(s.walls[i].absent)
	}
	d.floats(s.localDamping)
	for _, to := range s.cell.settings("domain", false) {
		d.text(to.text)
	}
	end("settings")
	for i := range s.stages {
		g := &s.stages[i]
		d.floats(g.span, g.until, g.speed, g.ratio, g.atMost, g.dt)
		d.bools(g.rest)
		for k := range g.settings {
			d.text(g.settings[k].at)
			d.text(g.settings[k].text)
		}
	}
	end("stages")
	if s.order != curve.None { // keeps the digest of scenes without [order]
		d.text(s.order)
		end("order")
	}
	if s.comesOrGoes() {
		s.digestComings(&d)
		end("pours")
	}
	return hex.EncodeToString(sum.Sum(nil)), parts
}

// digestParts are the parts of a digest in the order of messages. partBytes is the number of bytes
// of each SHA-256 that is stored.
var digestParts = []string{"time step", "gravity", "method", "location", "relief", "interaction", "laws", "integrator", "dim", "domain", "shapes", "bodies", "walls", "settings", "stages", "order", "pours"}

const partBytes = 8

// partsThatDiffer returns a text with the parts in which two digests differ. A file of an earlier
// release has no parts; the text then lists all parts as possible.
func partsThatDiffer(was, now map[string]string) string {
	var differ []string
	for _, name := range digestParts {
		if was[name] != now[name] {
			differ = append(differ, name)
		}
	}
	link, advice := " and ", ""
	if len(was) > 0 && was["order"] == "" && now["order"] != "" {
		advice = `; bodies = "none" in [order] is the order of the other one`
	}
	if len(was) == 0 || len(differ) == 0 {
		differ, link = digestParts, " or "
	}
	return "what differs: " + keys.Joined(differ, link) + advice
}

type digester struct{ w *bufio.Writer }

// newDigester returns a digester and the SHA-256 of what it is given, once its writer is flushed.
func newDigester() (hash.Hash, *digester) {
	sum := sha256.New()
	return sum, &digester{w: bufio.NewWriterSize(sum, 1<<16)}
}

// squareMaterials is the largest number of materials for which the digest includes the law of every
// ordered pair. Checkpoints of earlier releases depend on this form.
const squareMaterials = 256

// laws adds the laws of all pairs of materials. With more than squareMaterials materials, it adds
// the base law and the pairs with their own law.
func (d *digester) laws(t *force.Table) {
	n := t.Materials()
	if n > squareMaterials {
		d.text("pairs")
		d.whole(uint64(n))
		d.law(t.Base())
		for _, p := range t.Pairs() {
			d.whole(uint64(p.A))
			d.whole(uint64(p.B))
			d.law(t.At(p.A, p.B))
		}
		return
	}
	for a := range n {
		for b := range n {
			d.law(t.At(soa.Material(a), soa.Material(b)))
		}
	}
}

// law adds the parameters of a law: of the linear one as numbers, then switches; of others as a text with their names.
// A parameter with the tag added is left out while it is 0, so that checkpoints from before its time can be restored.
func (d *digester) law(law force.Law) {
	v, text := reflect.Indirect(reflect.ValueOf(law)), fmt.Sprintf("%T%+v", law, law)
	var numbers []float64
	var switches []bool
	for _, f := range reflect.VisibleFields(v.Type()) {
		switch x := v.FieldByIndex(f.Index); {
		case f.Tag.Get("added") != "" && x.IsZero():
			text = strings.Replace(text, fmt.Sprintf(" %s:%v", f.Name, x), "", 1)
		case !f.IsExported():
		case x.Kind() == reflect.Float64:
			numbers = append(numbers, x.Float())
		case x.Kind() == reflect.Bool:
			switches = append(switches, x.Bool())
		}
	}
	if _, linear := law.(*force.Linear); !linear {
		d.text(text)
		return
	}
	d.floats(numbers...)
	d.bools(switches...)
}

func (d *digester) whole(x uint64) {
	_, _ = d.w.Write(binary.LittleEndian.AppendUint64(d.w.AvailableBuffer(), x))
}

func (d *digester) text(s string) {
	d.whole(uint64(len(s)))
	_, _ = d.w.WriteString(s)
}

func (d *digester) floats(xs ...float64) {
	for _, x := range xs {
		d.whole(math.Float64bits(x))
	}
}

func (d *digester) bools(bs ...bool) {
	for _, b := range bs {
		if b {
			d.whole(1)
		} else {
			d.whole(0)
		}
	}
}

func (d *digester) vec(v vec.Vec3) { d.floats(v.X, v.Y, v.Z) }

func (d *digester) pose(p vec.Pose) {
	d.vec(p.Pos)
	d.floats(p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z)
}

// template adds a shape. The face loops determine the adjacency, so the adjacency is not added.
func (d *digester) template(t *soa.Template) {
	d.whole(uint64(t.Kind))
	d.vec(t.Origin)
	d.floats(t.Radius, t.Volume)
	if t.Round != 0 { // keeps the digest of scenes without rounding
		d.text("round")
		d.floats(t.Round)
	}
	d.whole(uint64(len(t.Verts)))
	for _, v := range t.Verts {
		d.vec(v)
	}
	d.whole(uint64(len(t.LoopFirst)))
	for _, h := range t.LoopFirst {
		d.whole(uint64(h))
	}
	for _, v := range t.Tail {
		d.whole(uint64(v))
	}
}
