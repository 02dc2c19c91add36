package measure

import (
	"fmt"
	"math"
)

// cacheNames are the names of the kinds, by kind.
func cacheNames() []string {
	return []string{CacheCold: "cold", CacheWarm: "warm", CacheShared: "shared prefix",
		CacheDisabled: "disabled", CacheUnstated: "not stated"}
}

// IsValid reports whether the kind is one of the five.
func (k CacheKind) IsValid() bool { return k >= CacheCold && k <= CacheUnstated }

// String is the kind in words.
func (k CacheKind) String() string {
	if !k.IsValid() {
		return "invalid cache kind"
	}
	return cacheNames()[k]
}

// MarshalText writes the kind as its words; the zero kind is an error.
func (k CacheKind) MarshalText() ([]byte, error) {
	if !k.IsValid() {
		return nil, fmt.Errorf("writing a cache state: kind %d is invalid", k)
	}
	return []byte(k.String()), nil
}

// UnmarshalText reads what [CacheKind.MarshalText] wrote.
func (k *CacheKind) UnmarshalText(text []byte) error {
	for i, name := range cacheNames() {
		if name != "" && name == string(text) {
			*k = CacheKind(i)
			return nil
		}
	}
	return fmt.Errorf("reading a cache state: unknown kind %q", text)
}

// CacheState is the state of the endpoint's prefix cache: as declared, as
// measured, or both. It is comparable. The zero CacheState is invalid.
type CacheState struct {
	kind     CacheKind
	share    float64
	declared bool
	measured bool
	cached   int64
	prompt   int64
}

// DeclaredCache is a state that a plan or source declares. The share of the
// prompt that is common to all prompts, between 0 and 1, belongs to a shared
// prefix only and is 0 otherwise.
func DeclaredCache(kind CacheKind, share float64) (CacheState, error) {
	if !kind.IsValid() || kind == CacheUnstated {
		return CacheState{}, fmt.Errorf("declaring a cache state: %s cannot be declared", kind)
	}
	if math.IsNaN(share) || share < 0 || share >= 1 || (kind == CacheShared) != (share > 0) {
		return CacheState{}, fmt.Errorf("declaring a %s cache: share %v is out of range", kind, share)
	}
	return CacheState{kind: kind, share: share, declared: true}, nil
}

// UnstatedCache is the state of which nothing was said.
func UnstatedCache() CacheState { return CacheState{kind: CacheUnstated} }

// WithMeasured adds what the endpoint reported: cached of prompt tokens.
func (c CacheState) WithMeasured(cached, prompt int64) (CacheState, error) {
	if !c.IsValid() {
		return CacheState{}, fmt.Errorf("adding a measured cache state: the state is invalid")
	}
	if prompt <= 0 || cached < 0 {
		return CacheState{}, fmt.Errorf("adding a measured cache state: %d of %d tokens is out of range", cached, prompt)
	}
	c.measured, c.cached, c.prompt = true, cached, prompt
	return c, nil
}

// IsValid reports whether the state came from a constructor.
func (c CacheState) IsValid() bool { return c.kind.IsValid() }

// Kind is the declared kind, or [CacheUnstated].
func (c CacheState) Kind() CacheKind { return c.kind }

// Share is the common part of a shared prefix, between 0 and 1.
func (c CacheState) Share() float64 { return c.share }

// Declared reports whether a plan or source stated the kind.
func (c CacheState) Declared() bool { return c.declared }

// Measured is cached and prompt tokens as the endpoint reported them, and
// whether it did.
func (c CacheState) Measured() (cached, prompt int64, ok bool) {
	return c.cached, c.prompt, c.measured
}

// String is the state in words: "declared cold; measured 0 of 25,600 prompt tokens cached (0 %)".
func (c CacheState) String() string {
	if !c.IsValid() {
		return "invalid cache state"
	}
	s := "not declared"
	if c.declared {
		s = "declared " + c.kind.String()
		if c.kind == CacheShared {
			s += " of " + FormatShare(c.share)
		}
	}
	if !c.measured {
		return s + "; not measured"
	}
	return fmt.Sprintf("%s; measured %s of %s prompt tokens cached (%s)", s,
		FormatCount(c.cached), FormatCount(c.prompt), FormatShare(float64(c.cached)/float64(c.prompt)))
}
