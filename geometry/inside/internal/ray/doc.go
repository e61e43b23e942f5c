// Package ray counts how often a seeded random ray from a point crosses a surface, as Muth et al.
// 2006, section 2.2, do. The signs are exact, so the answers are: for a closed surface whose
// triangles do not cross, inside, outside or on it. It costs O(faces) a point, as there. Read
// ray.go first.
package ray
