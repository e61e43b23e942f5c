// Package inside answers which points lie inside a closed surface of triangles, convex or not, by
// every method of Muth, Of, Eberhard and Steinbach (2006) and by an exact one of its own.
package inside
