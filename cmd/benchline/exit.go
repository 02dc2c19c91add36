package main

import "errors"

// exitCode is what the process ends with. There are no others.
type exitCode int

const (
	exitDone        exitCode = 0   // everything asked for was done
	exitOurs        exitCode = 1   // a fault of ours, or of the machine: disk full, cannot write
	exitUsage       exitCode = 2   // the command line or a plan is wrong; nothing was done
	exitRefused     exitCode = 3   // done, but some inputs were refused, each named
	exitCheckFailed exitCode = 4   // a check failed: endpoint not usable, site does not build or verify
	exitVoid        exitCode = 5   // the run was recorded, but is void
	exitInterrupted exitCode = 130 // Ctrl-C; what was recorded is kept
)

// fault is an error that knows its exit code and, where there is one, what to
// do about it. A nil err with a code ends without a message: the command has
// already printed what there is to say.
type fault struct {
	code exitCode
	err  error
	hint string
}

func (f fault) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f fault) Unwrap() error { return f.err }

func usageFault(err error, hint string) error { return fault{exitUsage, err, hint} }

func checkFault(err error, hint string) error { return fault{exitCheckFailed, err, hint} }

// asFault finds the fault in an error; any other error is one of ours.
func asFault(err error) fault {
	var f fault
	if errors.As(err, &f) {
		if f.err != nil {
			f.err = err
		}
		return f
	}
	return fault{code: exitOurs, err: err}
}
