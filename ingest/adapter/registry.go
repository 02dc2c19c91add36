package adapter

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
)

// Registry is a list of adapters, each under its own name.
type Registry struct{ adapters []Adapter }

// NewRegistry lists adapters, sorted by name. Two of one name, and a name that
// is no slug, are an error.
func NewRegistry(adapters ...Adapter) (Registry, error) {
	sorted := slices.Clone(adapters)
	slices.SortFunc(sorted, func(a, b Adapter) int { return cmp.Compare(a.ID().Name, b.ID().Name) })
	for i, a := range sorted {
		id := a.ID()
		if !evidence.IsSlug(id.Name) || id.Version < 1 {
			return Registry{}, fmt.Errorf("adapter %q: the name must be a slug and the version at least 1", id)
		}
		if i > 0 && sorted[i-1].ID().Name == id.Name {
			return Registry{}, fmt.Errorf("two adapters are named %s", id.Name)
		}
	}
	return Registry{adapters: sorted}, nil
}

// All lists the adapters, sorted by name.
func (r Registry) All() []Adapter { return slices.Clone(r.adapters) }

// Lookup finds the adapter of a name.
func (r Registry) Lookup(name string) (Adapter, bool) {
	for _, a := range r.adapters {
		if a.ID().Name == name {
			return a, true
		}
	}
	return nil, false
}

// Pick finds the one adapter that claims a file. The error is [UnknownError]
// when none does, and [AmbiguousError] when several do.
func (r Registry) Pick(prefix []byte, name string) (Adapter, error) {
	var found []Adapter
	var looked []Looked
	for _, a := range r.adapters {
		m := a.Sniff(prefix, name)
		if m.Is {
			found = append(found, a)
		}
		looked = append(looked, Looked{Adapter: a.ID().Name, For: m.Want})
	}
	switch len(found) {
	case 0:
		return nil, &UnknownError{Name: name, Looks: Looks(prefix), Looked: looked}
	case 1:
		return found[0], nil
	}
	ambiguous := &AmbiguousError{Name: name}
	for _, a := range found {
		ambiguous.Claims = append(ambiguous.Claims, a.ID())
	}
	return nil, ambiguous
}

// UnknownError says that no adapter claims a file.
type UnknownError struct {
	Name  string
	Looks string // what the file looks like, by [Looks]
	// Looked is what was looked for in vain. It is the same for every file, so
	// that it is not in the error's text but said once for many.
	Looked []Looked
}

// Looked is what one adapter looked for in vain.
type Looked struct {
	Adapter string `json:"adapter"`
	For     string `json:"for"`
}

// Error says what the file looks like.
func (e *UnknownError) Error() string { return "unknown format: " + e.Looks }

// AmbiguousError says that several adapters claim a file.
type AmbiguousError struct {
	Name   string
	Claims []ID
}

// Error names the adapters.
func (e *AmbiguousError) Error() string {
	var names []string
	for _, id := range e.Claims {
		names = append(names, id.Name)
	}
	return "the format is ambiguous: " + strings.Join(names, " and ") + " both claim it"
}

// IsUnknown reports whether the error is that no adapter claims the file.
func IsUnknown(err error) bool {
	_, ok := errors.AsType[*UnknownError](err)
	return ok
}
