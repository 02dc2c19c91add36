package aiperf

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
)

// mostGPUs bounds the GPUs that are told apart.
const mostGPUs = 16

// watched are the GPUs that the tool was told to watch: their names, and what
// each drew. The names of their hosts stay in the file.
func (x draft) watched() {
	var names []string
	n := 0
	for _, endpoint := range x.n.Get("telemetry_data", "endpoints").Fields {
		for _, gpu := range endpoint.Value.Get("gpus").Fields {
			name, ok := gpu.Value.Get("gpu_name").String()
			if !ok {
				continue
			}
			name = foreign.Clean(name)
			if !slices.Contains(names, name) && len(names) < mostGPUs {
				names = append(names, name)
			}
			if n++; n > mostGPUs {
				continue
			}
			if power := gpu.Value.Get("metrics", "gpu_power_usage"); power.Get("avg").IsNumber() {
				unit, _ := power.Get("unit").String()
				x.FactText(fmt.Sprintf("telemetry_data, GPU %d", n), strings.TrimSpace(fmt.Sprintf("%s, gpu_power_usage avg %s %s", name, power.Get("avg").Text, foreign.Clean(unit))), "“telemetry_data” in the file")
			}
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		x.Record.Subject.Hardware = evidence.Derived(strings.Join(names, ", "), "the GPUs in “telemetry_data”: those that the tool was told to watch; that the endpoint ran on them, and on how many, is not in the file")
	}
}
