// Package surfaces makes closed surfaces of triangles that are not convex, or that are refined at
// will: spheres by subdivision, tori, and foams of high genus. They serve studies, tests and scenes.
// All are seeded or have no random part, and have the same bits on every machine.
package surfaces
