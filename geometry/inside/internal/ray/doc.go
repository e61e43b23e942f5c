// Package ray counts how often a seeded random ray from a point crosses a surface, as Muth et al.
// 2006, section 2.2, do. A crossing counts 1 out of the surface and -1 into it, so that the sum is
// the winding number. The paper takes the parity, which is the same where no parts overlap. The
// signs are exact, so the answers for a closed surface are: inside where the number is not 0,
// outside or on it. It costs O(faces) a point, as there. Read ray.go first.
package ray
