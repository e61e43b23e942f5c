// Package ray counts how often a seeded random ray from a point crosses a surface, as in Muth et
// al. 2006, section 2.2. A crossing counts 1 if the ray leaves the body and -1 if it enters, so the
// sum is the winding number. The paper uses the parity, which is equivalent if no parts overlap.
// The signs are exact, so the results for a closed surface are exact: inside if the number is not
// 0, outside, or on the surface. As in the paper, the cost is O(faces) a point. Read ray.go first.
package ray
