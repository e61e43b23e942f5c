package soa

import (
	"testing"

	"github.com/scree-dem/scree/vec"
)

// brickTemplate returns quadBox with its corners mapped by f.
func brickTemplate(f func(p vec.Vec3) vec.Vec3) *Template {
	t := quadBox()
	for k, p := range t.Verts {
		t.Verts[k] = f(p)
		t.Radius = max(t.Radius, t.Verts[k].Norm())
	}
	for f := range t.Normals {
		loop := t.Tail[t.LoopFirst[f]:t.LoopFirst[f+1]]
		p := t.Verts[loop[0]]
		t.Normals[f] = t.Verts[loop[1]].Sub(p).Cross(t.Verts[loop[2]].Sub(p)).Unit()
		t.Offsets[f] = t.Normals[f].Dot(p)
	}
	return t
}

func TestBricks(t *testing.T) {
	var s Shapes
	skew := func(p vec.Vec3) vec.Vec3 { return vec.V(p.X+0.5*p.Y+0.1, p.Y-0.7*p.Z, p.Z+0.2*p.X) }
	for _, template := range []*Template{quadBox(), tetraTemplate(vec.V(0, 0, -1), vec.V(1, 0, 0), vec.V(0, 1, 0), vec.V(0, 0, 1)), brickTemplate(skew)} {
		if _, err := s.Add(template); err != nil {
			t.Fatal(err)
		}
	}
	for shape := range Shape(s.Len()) {
		v := s.View(shape)
		if (v.Brick != 0) != (v.NVerts == 8) {
			t.Fatalf("shape %d of %d vertices has the row %d", shape, v.NVerts, v.Brick)
		}
		if v.Brick == 0 {
			continue
		}
		row := s.Bricks[v.Brick:][:BrickSize]
		get := func(at int) vec.Vec3 { return vec.V(row[at], row[at+1], row[at+2]) }
		half := [3]vec.Vec3{get(BrickHalf), get(BrickHalf + 3), get(BrickHalf + 6)}
		if row[BrickRadius] != v.Radius || !(half[0].Cross(half[1]).Dot(half[2]) > 0) {
			t.Errorf("shape %d: the row is %v", shape, row)
		}
		at := func(ends [3]int) vec.Vec3 {
			p := get(BrickCentre)
			for k, e := range ends {
				p = p.AddScaled(float64(e), half[k])
			}
			return p
		}
		for number, feature := range row[BrickFeature:BrickSign] {
			ends := [3]int{number%3 - 1, number/3%3 - 1, number/9 - 1}
			middle, want := at(ends), vec.Vec3{}
			switch free := 3 - ends[0]*ends[0] - ends[1]*ends[1] - ends[2]*ends[2]; free {
			case 0:
				want = v.Vert(Vertex(feature))
			case 1:
				h := v.Edge[int(feature)]
				p, q := v.Vert(v.Tail[h]), v.Vert(v.Head(h))
				want = p.Add(q).Scale(0.5)
				if along := at(filled(ends, 1)).Sub(middle).Dot(q.Sub(p)); (along > 0) != (row[BrickSign+number] > 0) {
					t.Errorf("shape %d: edge %g runs the other way", shape, feature)
				}
			case 2:
				loop := v.Tail[v.LoopFirst[Face(feature)]:][:4]
				for _, k := range loop {
					want = want.Add(v.Vert(k).Scale(0.25))
				}
			default:
				continue
			}
			if d := middle.Sub(want).Norm(); !(d < 1e-15) {
				t.Errorf("shape %d: feature %d, %g, is off by %g", shape, number, feature, d)
			}
		}
	}
}

// TestNoBricks checks shapes with eight corners that are slim, skew, tapered or not planar: they
// have no row.
func TestNoBricks(t *testing.T) {
	for name, f := range map[string]func(p vec.Vec3) vec.Vec3{
		"slim":    func(p vec.Vec3) vec.Vec3 { return vec.V(p.X, p.Y, 0.01*p.Z) },
		"skew":    func(p vec.Vec3) vec.Vec3 { return vec.V(p.X+100*p.Y, p.Y, p.Z) },
		"tapered": func(p vec.Vec3) vec.Vec3 { return vec.V(p.X*(1+0.1*p.Z), p.Y*(1+0.1*p.Z), p.Z) },
		"bent":    func(p vec.Vec3) vec.Vec3 { return vec.V(p.X, p.Y, p.Z+1e-13*p.X*p.Y) },
	} {
		var s Shapes
		if _, err := s.Add(brickTemplate(f)); err != nil {
			t.Fatal(err)
		}
		if at := s.View(0).Brick; at != 0 {
			t.Errorf("%s: a row at %d", name, at)
		}
	}
}
