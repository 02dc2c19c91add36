package evidence

import (
	"fmt"
	"strings"
)

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

// Info returns the entry of a code and whether the code is in the list.
func Info(c Code) (CodeInfo, bool) {
	all := codes()
	for _, info := range &all {
		if info.Code == c {
			return info, true
		}
	}
	return CodeInfo{}, false
}

// info is the entry of the limit's code, if the limit has what the code needs.
func (l Limit) info() (CodeInfo, error) {
	info, ok := Info(l.Code)
	if !ok {
		return CodeInfo{}, fmt.Errorf("limit code %q is not in the list", l.Code)
	}
	if len(l.Args) != info.Args {
		return CodeInfo{}, fmt.Errorf("limit %s takes %d arguments, got %d", l.Code, info.Args, len(l.Args))
	}
	return info, nil
}

// Sentence is the limit in words. It is an error if the code is unknown or the
// number of arguments is not the code's.
func (l Limit) Sentence() (string, error) {
	info, err := l.info()
	if err != nil {
		return "", err
	}
	return l.fill(info.Sentence), nil
}

// Brief is the limit in the words that stand behind a figure below the sentence
// of [Code.Several]; empty where the code has none. It is an error as
// [Limit.Sentence] is.
func (l Limit) Brief() (string, error) {
	if _, err := l.info(); err != nil {
		return "", err
	}
	_, each, _ := l.Code.Several()
	return l.fill(each), nil
}

// fill puts the arguments into a template that takes as many.
func (l Limit) fill(template string) string {
	if len(l.Args) == 0 || template == "" {
		return strings.ReplaceAll(template, "%%", "%")
	}
	args := make([]any, len(l.Args))
	for i, a := range l.Args {
		args[i] = a
	}
	return fmt.Sprintf(template, args...)
}
