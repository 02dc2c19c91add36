package evidence

import "testing"

func FuzzParseUnit(f *testing.F) {
	f.Add([]byte(`{"unit":"logs/a","reader":"own 1","inputs":[{"name":"x","bytes":1,"sha256":""}],"records":[],"diagnostics":[]}`))
	f.Add([]byte(`{"unit":"","reader":"own 1"}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, line []byte) {
		u, err := parseUnit(line)
		if err == nil && (u.Name == "" || u.Reader == "") {
			t.Errorf("%q is accepted as %+v", line, u)
		}
	})
}
