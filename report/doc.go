// Package report shows the folder of a run, or of a sweep, as a page for a browser: frames in three dimensions, curves of
// history.csv, the summary and the scene.
//
// Write makes one file that needs no network. A Server sends the same page and the same data frame by frame, also of a run
// that goes on. Both only read the folder. The page is built from the sources in web/, which say what it does.
//
// The data has one form in both: a head in JSON, and chunks of columns, compressed. A chunk of a frame has a row for each
// body: its pose, in 16 bits a coordinate within the box of the frame, and its fields. Geometries are apart, once for all
// bodies of a form. Lengths are in m, in the frame of the world.
//
// Read chunk.go first, then frame.go.
package report
