package evidence

// Limit is a coded limitation note. Its page is content/limits/CODE.md; a test
// holds that every code has a page and every page a code.
type Limit struct {
	Code Code `json:"code"`
	// Args fill the code's sentence template, in order; already formatted
	// for people.
	Args []string `json:"args,omitempty"`
	// Where names what the limit is about: a metric ID, or "record".
	Where string `json:"where"`
}
