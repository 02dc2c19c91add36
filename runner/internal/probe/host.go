package probe

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"benchline/runner/reqlog"
)

// maxHostFile bounds what is read of one file of the host.
const maxHostFile = 1 << 20

// unlimited is the value of a limit that the system says is not set.
const unlimited = "no limit"

// found is one answer of the host: a value, or why there is none.
type found struct{ value, why string }

// Host returns the facts of the machine that the client runs on, read from the
// files of a Linux system below root: proc, sys and etc. There is one for each
// client key, in the order of [Keys]; on other systems none is stated.
func Host(root fs.FS) []reqlog.Fact {
	got := map[string]found{
		"client_cpu":          field(root, "proc/cpuinfo", "model name", "Model", "Processor"),
		"client_cores":        cores(root),
		"client_cpu_limit":    cpuLimit(root),
		"client_memory":       field(root, "proc/meminfo", "MemTotal"),
		"client_memory_limit": memoryLimit(root),
		"client_os":           osName(root),
		"client_kernel":       kernel(root),
	}
	var facts []reqlog.Fact
	for _, r := range client() {
		f := reqlog.Fact{Key: r.ID, By: byClient}
		g := got[r.ID]
		if v := clean(g.value, ""); v != "" {
			f.Value = &v
		} else {
			f.Note = clean(g.why, "")
		}
		facts = append(facts, f)
	}
	return facts
}

// read returns the text of a file, "" and why if it cannot be read. Files of
// proc have no size, so it reads until the end or the bound.
func read(root fs.FS, name string) (string, string) {
	f, err := root.Open(name)
	if err != nil {
		return "", "/" + name + " cannot be read"
	}
	defer func() { _ = f.Close() }() // read only: nothing is lost
	b, err := io.ReadAll(io.LimitReader(f, maxHostFile))
	if err != nil {
		return "", "/" + name + " cannot be read"
	}
	return strings.TrimSpace(string(b)), ""
}

// field returns the first "name : value" of a file, for the first of names
// that it has.
func field(root fs.FS, file string, names ...string) found {
	src, why := read(root, file)
	if why != "" {
		return found{why: why}
	}
	for _, name := range names {
		for line := range strings.Lines(src) {
			k, v, ok := strings.Cut(line, ":")
			if v = strings.TrimSpace(v); ok && strings.TrimSpace(k) == name && v != "" {
				return found{value: v}
			}
		}
	}
	return found{why: "/" + file + " has no " + names[0]}
}

// cores counts the processors that are online, from a list such as "0-3,8".
func cores(root fs.FS) found {
	const file = "sys/devices/system/cpu/online"
	src, why := read(root, file)
	if why != "" {
		return found{why: why}
	}
	n := 0
	for part := range strings.SplitSeq(src, ",") {
		from, to, isRange := strings.Cut(part, "-")
		a, err := strconv.Atoi(from)
		b := a
		if err == nil && isRange {
			b, err = strconv.Atoi(to)
		}
		if err != nil || a < 0 || b < a || b > 1<<20 {
			return found{why: "/" + file + " cannot be understood"}
		}
		n += b - a + 1
	}
	return found{value: strconv.Itoa(n)}
}

func osName(root fs.FS) found {
	src, why := read(root, "etc/os-release")
	if why != "" {
		return found{why: why}
	}
	for line := range strings.Lines(src) {
		if v, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
			return found{value: strings.Trim(strings.TrimSpace(v), `"'`)}
		}
	}
	return found{why: "/etc/os-release has no PRETTY_NAME"}
}

func kernel(root fs.FS) found {
	name, why := read(root, "proc/sys/kernel/ostype")
	if why != "" {
		return found{why: why}
	}
	release, why := read(root, "proc/sys/kernel/osrelease")
	if why != "" {
		return found{why: why}
	}
	return found{value: name + " " + release}
}

// limitFile finds a file of the process's own control group: of version 2
// where the system has it, else of the named controller of version 1. Inside a
// container the group's path may lie outside what is mounted; then the mount's
// root is the group.
func limitFile(root fs.FS, v2, controller, v1 string) (string, bool) {
	const base = "sys/fs/cgroup"
	src, _ := read(root, "proc/self/cgroup")
	var dirs []string
	for line := range strings.Lines(src) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		group := strings.TrimPrefix(path.Clean("/"+parts[2]), "/")
		if parts[1] == "" {
			dirs = append(dirs, path.Join(base, group, v2))
		}
		for c := range strings.SplitSeq(parts[1], ",") {
			if c == controller {
				dirs = append(dirs, path.Join(base, parts[1], group, v1), path.Join(base, c, group, v1))
			}
		}
	}
	dirs = append(dirs, path.Join(base, v2), path.Join(base, controller, v1))
	for _, name := range dirs {
		if s, why := read(root, name); why == "" && s != "" {
			return name, true
		}
	}
	return "", false
}

// cpuLimit is the share of processors that the control group may use.
func cpuLimit(root fs.FS) found {
	name, ok := limitFile(root, "cpu.max", "cpu", "cpu.cfs_quota_us")
	if !ok {
		return found{why: "no control group states a limit"}
	}
	src, _ := read(root, name)
	fields := strings.Fields(src)
	if len(fields) == 1 { // version 1: the period has a file of its own
		period, _ := read(root, path.Join(path.Dir(name), "cpu.cfs_period_us"))
		fields = append(fields, period)
	}
	if fields[0] == "max" || fields[0] == "-1" {
		return found{value: unlimited}
	}
	quota, err := strconv.ParseFloat(fields[0], 64)
	period, err2 := strconv.ParseFloat(fields[1], 64)
	if err != nil || err2 != nil || !(quota > 0) || !(period > 0) {
		return found{why: "/" + name + " cannot be understood"}
	}
	return found{value: strconv.FormatFloat(quota/period, 'f', -1, 64) + " cores"}
}

// memoryLimit is the most memory that the control group may use. Version 1
// writes a number near 2^63 for none.
func memoryLimit(root fs.FS) found {
	name, ok := limitFile(root, "memory.max", "memory", "memory.limit_in_bytes")
	if !ok {
		return found{why: "no control group states a limit"}
	}
	src, _ := read(root, name)
	n, err := strconv.ParseUint(src, 10, 64)
	switch {
	case src == "max" || err == nil && n > 1<<60:
		return found{value: unlimited}
	case err != nil:
		return found{why: "/" + name + " cannot be understood"}
	}
	return found{value: fmt.Sprintf("%d bytes", n)}
}
