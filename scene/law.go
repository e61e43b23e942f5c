package scene

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
)

// law is a law of a scene: its name, and the values of keys, float64 or bool. Keys that only other laws have are among
// them, for a pair of materials may have another law.
type law struct {
	normal string
	values map[string]any
}

func (s *checks) checkLaw(d *document) {
	s.laws = s.lawTables("law", &d.Law, d)
	s.law = s.laws.table
}

// lawTables returns the laws of a [law] table at a key, and of its pairs.
func (s *checks) lawTables(at string, of *lawTable, d *document) laws {
	base := law{values: map[string]any{}}
	for _, k := range force.KeysOf("") {
		if k.Constant != nil {
			base.values[k.Name] = k.Constant
		}
	}
	base = s.readLaw(at, of.Normal, of.Keys, base, d)
	all := laws{kinds: map[string]string{"": base.kind()}, text: base.String()}
	var err error
	if all.table, err = force.NewTable(len(s.materials), force.FromKeys(base.normal, base.values)); err != nil {
		s.lawError(at, err)
	}
	given := map[[2]int]int{}
	for i := range of.Pair {
		key := fmt.Sprintf("%s.pair[%d]", at, i)
		p := &of.Pair[i]
		s.demand(key+".materials", p.Materials, len(p.Materials) == 2, "the names of two materials")
		if s.first != nil {
			return all
		}
		m := [2]int{s.material(key+".materials", p.Materials[0]), s.material(key+".materials", p.Materials[1])}
		slices.Sort(m[:])
		if other, ok := given[m]; ok {
			s.fault(key+".materials", found(p.Materials, fmt.Sprintf("a pair other than that of %s.pair[%d]", at, other)))
		}
		given[m] = i
		normal := base.normal
		set(&normal, p.Normal)
		l := s.readLaw(key, normal, p.Keys, base, d)
		if err := all.table.Set(soa.Material(m[0]), soa.Material(m[1]), force.FromKeys(l.normal, l.values)); err != nil {
			s.lawError(key, err)
		}
		name := pairName(p.Materials[0], p.Materials[1])
		all.kinds[name], all.text = l.kind(), all.text+"; "+name+" "+l.String()
	}
	return all
}

// kind returns the kind of the law: laws of one kind remember the same of a contact.
func (l *law) kind() string {
	return strings.TrimSuffix(fmt.Sprintf("%s %v", l.normal, l.values["area_exponent"]), " <nil>")
}

// String returns the law with all its values.
func (l *law) String() string {
	text := l.normal
	for _, name := range inOrder(l.values) {
		text += fmt.Sprintf(" %s=%v", name, l.values[name])
	}
	return text
}

// lawError reports an error of package force at the key that it is about.
func (s *checks) lawError(at string, err error) {
	if of := (*keys.Error)(nil); errors.As(err, &of) {
		s.fault(at+"."+of.Key, found(of.Value, of.Want))
	}
	s.fail(s.at.because(at, err))
}

// readLaw returns the law base with another name and the given keys in place of its own. A key replaces the others of
// its group. A stiffness without a tangential stiffness preserves their ratio. A key that the law does not have is an
// error, unless its value is 0 or false.
func (s *checks) readLaw(at, normal string, given lawKeys, base law, d *document) law {
	all, mine := force.KeysOf(""), force.KeysOf(normal)
	l, own := law{normal, maps.Clone(base.values)}, map[string]any{}
	for name, x := range given {
		for _, other := range all.Group(all.Key(name).Group) {
			delete(l.values, other)
		}
		own[name] = reflect.ValueOf(x).Elem().Interface()
		l.values[name] = own[name]
	}
	for i := range all {
		k := &all[i]
		of, value := at+"."+k.Name, l.values[k.Name]
		share, group, _ := strings.Cut(k.Share, " of ")
		switch spring := oneOf(own, all.Group(group)); {
		case k.With != "" && l.values[k.With] == nil:
			delete(l.values, k.Name)
		case k.With != "" && value == nil:
			s.fault(of, missing(k.Wants()+" beside "+k.With))
		case spring != 0 && own[k.Name] == nil:
			ratio, _ := strconv.ParseFloat(share, 64)
			if before, ok := base.values[k.Name].(float64); ok {
				ratio = before / oneOf(base.values, all.Group(group))
			}
			l.values[k.Name] = spring * ratio
		case mine.Key(k.Name) != nil || value == nil || reflect.ValueOf(value).IsZero():
		case own[k.Name] == nil && len(mine.Group(k.Group)) > 0:
			instead := mine.Key(mine.Group(k.Group)[0])
			s.fault(at+"."+instead.Name, missing(fmt.Sprintf("%s: [law] has %s, which normal = %q has not", instead.Wants(), k.Name, normal)))
		default:
			has := mine.Names(func(k *keys.Key) bool { return !strings.Contains(k.Name, ".") })
			s.fault(of, found(value, fmt.Sprintf("normal = %q beside it: the law of %s has only %s", k.Of, normal, keys.Joined(has, " and "))))
		}
	}
	if own["modulus"] != nil && s.planar {
		s.fault(at+".modulus", "is given with dim = 2, expected stiffness: a patch has no area in two dimensions")
	}
	l.values["contact.interaction"] = max(d.Contact.Interaction, l.values["reference_gap"].(float64))
	return l
}

// oneOf returns the number of that of some keys which values has, or 0.
func oneOf(values map[string]any, names []string) float64 {
	for _, name := range names {
		if x, ok := values[name].(float64); ok {
			return x
		}
	}
	return 0
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func (s *checks) checkContact(d *document) {
	c := &d.Contact
	s.demand("contact.relief.time", c.Relief.Time, c.Relief.Time > 0 || c.Relief.Cap == 0, "a time > 0 s, or 0 beside a cap of 0")
	s.method, _ = narrow.ParseMethod(c.Method)
	published := s.method == narrow.FDSPaper
	s.demand("output.checkpoint_every", d.Output.CheckpointEvery, !published || d.Output.CheckpointEvery == 0,
		`0 with contact.method = "fds-paper", whose lists of contacts are in no checkpoint`)
	s.demand("contact.method", c.Method, !published || s.law == nil || !s.law.Overlaps() && s.law.Reach() == 0,
		`a law that reads gaps with "fds-paper": [law] normal = "linear", without an interaction distance`)
	s.interaction = c.Interaction
	s.location = map[string]engine.Location{"none": engine.Witness, "full": engine.Full}[c.Location]
	s.relief = engine.Relief{Cap: c.Relief.Cap, Time: c.Relief.Time}
	s.skin, s.horizon = d.Broad.Skin, d.Broad.Horizon
}

// checkLocation warns of a location that no law uses.
func (s *checks) checkLocation(*document) {
	uses := s.law.UsesLocation()
	for i := range s.stages {
		uses = uses || s.stages[i].laws.table.UsesLocation()
	}
	if s.at.has("contact.location") && !uses {
		s.warn("contact.location", `has no effect, for all laws are "thickness": they act at the centroid of the overlap`)
	}
}
