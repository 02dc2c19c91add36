package pack

import (
	"maps"
	"slices"
)

// MadeUpCosts makes costs of options from price, utilisation and completed requests.
func MadeUpCosts(parts map[string][3]float64) map[string]Computation {
	out := map[string]Computation{}
	for name, p := range parts {
		o := Option{Name: name, Price: &Price{PerGPUHour: p[0], GPUs: 1, Utilisation: p[1], Currency: "EUR", Said: Assumed, UtilisationSaid: Assumed}}
		terms := append(priceTerms(o, name, nil), Term{Key: name + "-window", Label: "window", Value: 30, Fixed: true, Said: Measured},
			constant("hour", "seconds of an hour", secondsPerHour, "s", true), below(Term{Key: name + "-completed", Label: "completed", Value: p[2], Said: Measured}))
		out[name] = *computation(name, name, "cost", "EUR", "", terms)
	}
	return out
}

// OrderOf is the order of costs.
func OrderOf(costs map[string]Computation) Order {
	var options []OptionSays
	for _, name := range slices.Sorted(maps.Keys(costs)) {
		c := costs[name]
		options = append(options, OptionSays{Name: name, Passing: &Passing{Cost: Costs{PerRequest: &c}}})
	}
	return order(options)
}
