package adapter

// Chosen is an adapter of files which their content can't tell: plain tables, of
// which a person says in a file beside them how they are to be read, and files
// that are faulty and lie where only this adapter's belong.
type Chosen interface {
	// Chosen reports whether a person said that this adapter reads the source.
	// It is asked before content is looked at, and decides. The error is for
	// words that can't be read: then nobody reads the source.
	Chosen(s Source) (bool, error)
}

// PickSource finds the one adapter of a source: the one that a person chose, or
// else the one that claims its content. The errors are those of [Registry.Pick];
// several that were chosen are an [AmbiguousError].
func (r Registry) PickSource(s Source) (Adapter, error) {
	var chosen []Adapter
	for _, a := range r.adapters {
		c, ok := a.(Chosen)
		if !ok {
			continue
		}
		yes, err := c.Chosen(s)
		if err != nil {
			return nil, err
		}
		if yes {
			chosen = append(chosen, a)
		}
	}
	switch len(chosen) {
	case 0:
		prefix, err := s.Prefix()
		if err != nil {
			return nil, err
		}
		return r.Pick(prefix, s.Name)
	case 1:
		return chosen[0], nil
	}
	ambiguous := &AmbiguousError{Name: s.Name}
	for _, a := range chosen {
		ambiguous.Claims = append(ambiguous.Claims, a.ID())
	}
	return nil, ambiguous
}
