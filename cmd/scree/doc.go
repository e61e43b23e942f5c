// Command scree finds contacts of rigid convex polyhedra and simulates heaps of them.
//
//	scree run SCENE.toml [-o DIR]       simulate, write DIR
//	scree shape info|hull|make|cut …    look at, repair, make and change shapes
//	scree bench step|settle …           measure the step, make scenes to measure on
//	scree info                          version, processor, backends
//	scree help TOPIC                    explain a command or a topic, with an example
//
// This package owns the command line, the texts shown to people, and the exit statuses: 0 success,
// 1 the run failed, 2 the command line or an input file is wrong, 130 interrupted by SIGINT or
// SIGTERM. It computes nothing: package scene runs scenes, package bench runs studies, and package
// geometry makes shapes.
//
// Results go to standard output or to the named file. Progress and messages go to standard error.
//
// Read main.go first, then root.go.
package main
