// Package scree is the root of Scree, an engine that finds the contacts of rigid convex polyhedra
// and simulates heaps of them: rock, ballast, grain, masonry. It holds no code. Gaps and depths are
// exact within a stated bound, and the same input yields the same bits on any number of workers and
// on every machine.
//
// # Three doors
//
//   - A scene, if you have a file: package [github.com/scree-dem/scree/scene], or the command
//     [github.com/scree-dem/scree/cmd/scree], runs a TOML file of bodies, walls, laws and stages, and
//     writes frames, tables and checkpoints.
//   - A world, if you write a program: [github.com/scree-dem/scree/engine.World] has bodies and
//     walls, and moves them in time steps.
//   - Contacts alone, if your program moves its bodies itself:
//     [github.com/scree-dem/scree/engine.Detector] takes poses and returns the contacts of all
//     bodies, and [github.com/scree-dem/scree/narrow.Distance] the distance of two shapes.
//
// # A rock on a floor
//
// Here must and check stop at an error. The whole program is an example of this page.
//
//	law := must(force.NewTable(1, force.Thickness{Stiffness: 2e4, Tangential: 16e3, Friction: 0.5, Restitution: 0.3}))
//	w := must(engine.New(engine.Config{Gravity: vec.V(0, 0, -9.81), Law: law}))
//	defer w.Close()
//	floor := engine.Part{Shape: must(w.AddShape(engine.PlaneTemplate()))}
//	must(w.AddWall(engine.WallSpec{Parts: []engine.Part{floor}}))
//	rock := must(geometry.Rock(1, 12, 0.05)) // seed, vertices, radius
//	part := engine.Part{Shape: must(w.AddShape(rock.Template())), Density: 2600}
//	must(w.AddBody(engine.BodySpec{Parts: []engine.Part{part}, Pose: vec.Pose{Pos: vec.V(0, 0, 0.2)}}))
//	for range 10000 {
//		check(w.Step(1.5e-4))
//	}
//	for c := range w.ActiveContacts() {
//		fmt.Printf("the floor carries %.1f N of %.1f N\n", c.Force.Z, 9.81*w.Bodies().Mass[c.A])
//	}
//
// # Packages
//
//   - [github.com/scree-dem/scree/geometry]: shapes, from points, meshes or a short description;
//     [github.com/scree-dem/scree/geometry/inside]: which points lie in a mesh
//   - [github.com/scree-dem/scree/force]: the contact laws, and how to add one
//   - [github.com/scree-dem/scree/vec]: vectors, quaternions, poses
//   - [github.com/scree-dem/scree/fileio]: meshes, frames for ParaView, checkpoints, tables
//   - [github.com/scree-dem/scree/soa]: the columns of shapes, bodies and pieces, for reading
//   - [github.com/scree-dem/scree/pairs]: tables of posed pairs, up to millions
//
// You may read all other packages, but they may change. Units are any consistent set; the
// documentation says m, kg, s, rad. The pages in docs lead further: tutorial.md is a first hour,
// laws.md helps to choose stiffness and time step, architecture.md lists what programs may rely on.
package scree
