package probe

import (
	"maps"
	"os"
	"testing"
	"testing/fstest"
)

// machine is a small Linux host in control group version 2.
func machine() map[string]string {
	return map[string]string{
		"proc/cpuinfo":                       "processor\t: 0\nmodel name\t: AMD EPYC 9965\n\nprocessor\t: 1\nmodel name\t: AMD EPYC 9965\n",
		"proc/meminfo":                       "MemTotal:       24683620 kB\nMemFree: 1 kB\n",
		"proc/sys/kernel/ostype":             "Linux\n",
		"proc/sys/kernel/osrelease":          "6.18.44\n",
		"proc/self/cgroup":                   "0::/jobs/a\n",
		"etc/os-release":                     "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
		"sys/devices/system/cpu/online":      "0-3,8\n",
		"sys/fs/cgroup/jobs/a/cpu.max":       "150000 100000\n",
		"sys/fs/cgroup/jobs/a/memory.max":    "8589934592\n",
		"sys/fs/cgroup/unrelated/memory.max": "1\n",
	}
}

func hostFacts(files map[string]string) map[string]string {
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	got := map[string]string{}
	for _, f := range Host(root) {
		if f.Value != nil {
			got[f.Key] = *f.Value
		} else {
			got[f.Key] = "not stated: " + f.Note
		}
	}
	return got
}

func TestHost(t *testing.T) {
	want := map[string]string{
		"client_cpu": "AMD EPYC 9965", "client_cores": "5", "client_cpu_limit": "1.5 cores", "client_memory": "24683620 kB",
		"client_memory_limit": "8589934592 bytes", "client_os": "Debian GNU/Linux 12 (bookworm)", "client_kernel": "Linux 6.18.44",
	}
	if got := hostFacts(machine()); !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHostVariants(t *testing.T) {
	v1 := "4:memory:/g\n3:cpu,cpuacct:/g\n0::/\n"
	for _, tt := range []struct {
		name  string
		files map[string]string // "" removes the file
		key   string
		want  string
	}{
		{"no limits", map[string]string{"sys/fs/cgroup/jobs/a/cpu.max": "max 100000\n"}, "client_cpu_limit", "no limit"},
		{"no memory limit", map[string]string{"sys/fs/cgroup/jobs/a/memory.max": "max\n"}, "client_memory_limit", "no limit"},
		{"group outside the mount", map[string]string{"proc/self/cgroup": "0::/../..\n", "sys/fs/cgroup/cpu.max": "200000 100000"}, "client_cpu_limit", "2 cores"},
		{
			"version 1", map[string]string{
				"proc/self/cgroup": v1, "sys/fs/cgroup/cpu,cpuacct/g/cpu.cfs_quota_us": "50000\n", "sys/fs/cgroup/cpu,cpuacct/g/cpu.cfs_period_us": "100000\n",
			}, "client_cpu_limit", "0.5 cores",
		},
		{"version 1, none", map[string]string{"proc/self/cgroup": v1, "sys/fs/cgroup/cpu/g/cpu.cfs_quota_us": "-1\n"}, "client_cpu_limit", "no limit"},
		{
			"version 1 memory, none", map[string]string{
				"proc/self/cgroup": v1, "sys/fs/cgroup/memory/g/memory.limit_in_bytes": "9223372036854771712\n",
			}, "client_memory_limit", "no limit",
		},
		{"no control group", map[string]string{"proc/self/cgroup": ""}, "client_cpu_limit", "not stated: no control group states a limit"},
		{"limit of nonsense", map[string]string{"sys/fs/cgroup/jobs/a/cpu.max": "1e999 nan\n"}, "client_cpu_limit", "not stated: /sys/fs/cgroup/jobs/a/cpu.max cannot be understood"},
		{"another processor file", map[string]string{"proc/cpuinfo": "Model\t\t: Board 5\n"}, "client_cpu", "Board 5"},
		{"processor not named", map[string]string{"proc/cpuinfo": "processor : 0\n"}, "client_cpu", "not stated: /proc/cpuinfo has no model name"},
		{"control characters", map[string]string{"proc/cpuinfo": "model name : a\x1b[31mb\n"}, "client_cpu", "a[31mb"},
		{"cores of nonsense", map[string]string{"sys/devices/system/cpu/online": "3-1"}, "client_cores", "not stated: /sys/devices/system/cpu/online cannot be understood"},
		{"no system", map[string]string{"etc/os-release": ""}, "client_os", "not stated: /etc/os-release cannot be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := machine()
			for name, text := range tt.files {
				if files[name] = text; text == "" {
					delete(files, name)
				}
			}
			if got := hostFacts(files)[tt.key]; got != tt.want {
				t.Errorf("%s is %q, want %q", tt.key, got, tt.want)
			}
		})
	}
}

// This machine, whatever it is: every key, and no panic.
func TestThisHost(t *testing.T) {
	if got := Host(os.DirFS("/")); len(got) != len(client()) {
		t.Errorf("%d facts", len(got))
	}
}
