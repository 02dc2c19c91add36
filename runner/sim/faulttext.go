package sim

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseFault reads a fault as a command line states it: the kind, then
// settings behind commas.
//
//	no_done                       every request
//	stall,p=0.01,after=20,wait=5s one request in a hundred, drawn
//	cut,requests=3+17,after=8     the third and the seventeenth
//
// The settings are p (Probability), requests (numbers joined by +), after,
// wait and size. Without p and requests the fault strikes every request.
func ParseFault(text string) (Fault, error) {
	kind, rest, more := strings.Cut(text, ",")
	f := Fault{Kind: Kind(kind)}
	always := true
	for more {
		var setting string
		setting, rest, more = strings.Cut(rest, ",")
		key, value, _ := strings.Cut(setting, "=")
		if err := f.set(key, value); err != nil {
			return Fault{}, fmt.Errorf("fault %q: %s: %w", text, key, err)
		}
		if key == "p" || key == "requests" {
			always = false
		}
	}
	if always {
		f.Probability = 1
	}
	if err := f.check(); err != nil {
		return Fault{}, fmt.Errorf("fault %q: %w", text, err)
	}
	return f, nil
}

func (f *Fault) set(key, value string) (err error) {
	switch key {
	case "p":
		f.Probability, err = strconv.ParseFloat(value, 64)
	case "after":
		f.After, err = strconv.Atoi(value)
	case "size":
		f.Size, err = strconv.Atoi(value)
	case "wait":
		f.Wait, err = time.ParseDuration(value)
	case "requests":
		for s := range strings.SplitSeq(value, "+") {
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil {
				return err
			}
			if n < 1 {
				return fmt.Errorf("request numbers start from 1, got %d", n)
			}
			f.Requests = append(f.Requests, n)
		}
	default:
		return fmt.Errorf("no such setting; there are p, requests, after, wait and size")
	}
	return err
}
