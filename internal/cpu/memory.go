package cpu

// Memory returns how many bytes of memory this process may have: the machine's, or less where a limit of its group or its own
// says so; 0 where that is not known.
func Memory() uint64 { return memory() }
