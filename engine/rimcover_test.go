package engine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/engine/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// spikes are triangles of a plane about one point, with gaps between.
func spikes(n int) (polygons [][]flat) {
	at := func(k float64) flat {
		s, c := vec.Sincos(2 * math.Pi * k / float64(n))
		return flat{c, s}
	}
	for k := range n {
		polygons = append(polygons, []flat{{}, at(float64(k)), at(float64(k) + 0.5)})
	}
	return polygons
}

// TestRimsOfManyOnEachOther counts what finding the rims of facets that lie on each other looks at, and keeps: all but the first are
// covered, and a facet that is covered is not compared with all others.
func TestRimsOfManyOnEachOther(t *testing.T) {
	const n = 1200
	r := geometry.NewRand(5)
	var nested, random [][]flat
	for k := range n {
		h := 1 + float64(k)/n
		nested = append(nested, []flat{{-h, -h}, {2 * h, -h}, {-h, 2 * h}})
		a := flat{r.Range(-1, 1), r.Range(-1, 1)}
		random = append(random, []flat{a, {a.x + 1, a.y}, {a.x, a.y + 1}})
	}
	for _, c := range []struct {
		name     string
		polygons [][]flat
		least    int // rims
	}{{"nested", nested, 3}, {"random", random, 6}} {
		work := rimWorkOf(c.polygons)
		rims := rimsOf(c.polygons, 1e-5, work)
		if work.tangle != "" || len(rims) < c.least || c.name == "nested" && len(rims) != c.least {
			t.Errorf("%s: %d rims after %d of %d looks; %s", c.name, len(rims), work.looks, work.most, work.tangle)
		}
		// Sharing some x is 3n(3n-1)/2 looks; being compared with all polygons would be 24n² more.
		if most := int64(8 * n * n); work.looks > most {
			t.Errorf("%s: %d looks, expected %d at most", c.name, work.looks, most)
		}
	}
}

// TestSpansStayFew: what is kept of a covered edge does not grow with the parts that cover it, and is the same in whichever order.
func TestSpansStayFew(t *testing.T) {
	var s spans
	for k := range 100_000 {
		from := float64((k*7919)%99_991) / 1e5
		s.add([2]float64{from, from + 5e-5}, 1, 1e-9)
		if most := 200_000; len(s.parts) > most {
			t.Fatalf("%d parts after %d", len(s.parts), k+1)
		}
	}
	if s.merge(1, 1e-9); len(s.parts) != 1 || s.parts[0] != [2]float64{0, 99_990.0/1e5 + 5e-5} || s.full {
		t.Errorf("parts %v, full %v", s.parts, s.full)
	}
	for range 1000 {
		s.add([2]float64{0.5, 1}, 1, 1e-9)
	}
	if !s.full || len(s.parts) > 2*fewSpans {
		t.Errorf("%d parts, full %v", len(s.parts), s.full)
	}
}

// TestWallsThatTakeTooMuch: a wall whose facets meet in one point, or cross each other, in such numbers that each step or its outline takes
// for ever is refused, and the world is as before.
func TestWallsThatTakeTooMuch(t *testing.T) {
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	wall := func(polygons [][]flat) Wall {
		var f triangles
		for _, p := range polygons {
			var corners []vec.Vec3
			for _, q := range p {
				corners = append(corners, vec.V(q.x, q.y, 0))
			}
			f = append(f, corners)
		}
		return Wall{Name: "star", Parts: f.parts(t, w), Pose: vec.IdentityPose}
	}
	bodies, pieces, sheets := w.bodies.Len(), w.pieces.Len(), len(w.sheets.all)
	_, err := w.AddWall(wall(spikes(maxMeeting + 1)))
	if !errors.Is(err, ErrBody) || !strings.Contains(err.Error(), `wall 0 "star": 33 facets in one plane are too tangled about (0, 0, 0) m of the wall's frame: 33 corners of their outline meet`) {
		t.Errorf("error %v, expected one of too many that meet", err)
	}
	if w.bodies.Len() != bodies || w.pieces.Len() != pieces || len(w.sheets.all) != sheets {
		t.Errorf("%d bodies, %d pieces, %d sheets after a wall that was refused", w.bodies.Len(), w.pieces.Len(), len(w.sheets.all))
	}
	id, err := w.AddWall(wall(spikes(maxMeeting)))
	if err != nil || int(id) != bodies || len(w.sheets.all) != sheets+1 || w.sheets.sheetOf(soa.Piece(pieces)) != uint32(sheets+1) {
		t.Errorf("wall %d, error %v, %d sheets", id, err, len(w.sheets.all))
	}
}

// TestManyFacetsAboutOneVertex counts what a block on the tip of a cone of many facets compares: contacts with each other, once, and
// no facet with all facets of all contacts.
func TestManyFacetsAboutOneVertex(t *testing.T) {
	for _, n := range []int{100, 200, 400} {
		w := newWorld(t, Config{}, force.Linear{Kn: 1e4})
		addBody(t, w, Body{Parts: one(addShape(t, w, box(t, 0.5, 0.5, 0.5)), 1000), Pose: at(0, 0, 0.2499)})
		about := func(k int) vec.Vec3 {
			s, c := vec.Sincos(2 * math.Pi * float64(k) / float64(n))
			return vec.V(c, s, -0.1)
		}
		var cone triangles
		for k := range n {
			cone = append(cone, []vec.Vec3{{}, about(k), about(k + 1)})
		}
		cone.wall(t, w, vec.IdentityPose, Motion{})
		if err := w.Step(1e-6); err != nil {
			t.Fatal(err)
		}
		touched := len(w.work[0].run.touched)
		compared := w.work[0].run.compared // of two looks at the contacts: at the start and after the step
		if touched != n {
			t.Fatalf("%d facets are touched, expected %d", touched, n)
		}
		if most := 3 * n * n; compared > most {
			t.Errorf("%d facets: %d comparisons, expected %d at most", n, compared, most)
		}
	}
}
