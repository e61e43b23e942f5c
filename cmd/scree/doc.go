// Command scree finds contacts of rigid convex polyhedra and simulates heaps of them.
//
//	scree run SCENE.toml [-o DIR]       simulate, write DIR
//	scree shape info|hull|make …        look at, repair and make shapes
//	scree bench step|settle …           measure the step, make scenes to measure on
//	scree info                          version, processor, backends
//	scree help TOPIC                    explain a command or a topic, with an example
//
// It owns the command line, what is shown to people, and exit statuses: 0 done, 1 the run failed, 2 the
// command line or an input file is wrong, 130 interrupted by SIGINT or SIGTERM. It refuses to compute:
// scenes are run by package scene, studies by package bench, shapes are made by package geometry.
//
// Results go to standard output or to the file named, progress and messages to standard error.
//
// Read main.go first, then root.go.
package main
