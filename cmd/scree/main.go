package main

import (
	"cmp"
	"io"
	"os"
)

func main() {
	failOnFileLimit()
	collectInTime()
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Main runs the command with the given arguments, without the program name, and returns the exit
// status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	help := &checkedWriter{to: stdout}
	root.SetOut(help)
	root.SetErr(stderr)
	return a.report(cmp.Or(root.Execute(), help.err))
}

// checkedWriter stores the first error of its writes. Package cobra ignores the errors of the help
// texts that it writes.
type checkedWriter struct {
	to  io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	w.err = cmp.Or(w.err, err)
	return n, err
}
