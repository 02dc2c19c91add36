package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// MaxSlug is the longest slug in bytes. With the longest ending that is put
// behind one (".html", ".json") and some room, a file name has at most 100.
const MaxSlug = 92

// slugHash is how many hexadecimal digits of a name's SHA-256 stand behind a
// slug that is not the name itself.
const slugHash = 16

// Slug makes the name of a page, file or folder from any name: an identifier in
// a foreign file, a model's name, a run ID. It is the only function that does.
//
// The result has lower-case ASCII letters, digits, '-' and '.' only, starts and
// ends with a letter or digit, has at most [MaxSlug] bytes, is reserved neither
// on Windows nor by the site's own pages, and so is one path element that climbs
// nowhere. A name that is such a slug already stays as it is. Any other is
// simplified and gets '-' and 16 digits of its hash, so that different names
// stay different on file systems that ignore case or normalise Unicode. A slug
// that merely looks as if it ended in such a hash gets one more: nobody can
// choose a name to collide with a made one. For that reason Slug must be applied
// once, to the name, not to its own result.
//
// An empty name and one with control characters are refused.
func Slug(name string) (string, error) {
	if name == "" {
		return "", errors.New("an empty name can't name a page or file")
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return r < 0x20 || r == 0x7f }); i >= 0 {
		return "", fmt.Errorf("name %q has a control character and can't name a page or file", name)
	}
	if IsSlug(name) && !endsInHash(name) {
		return name, nil
	}
	sum := sha256.Sum256([]byte(name))
	tail := "-" + hex.EncodeToString(sum[:])[:slugHash]
	head := simplify(name)
	if len(head) > MaxSlug-len(tail) {
		head = strings.TrimRight(head[:MaxSlug-len(tail)], "-.")
	}
	if head == "" || reserved(head) {
		head = strings.Trim("x-"+head, "-.")
	}
	return head + tail, nil
}

// IsSlug reports whether the name has the syntax that [Slug] promises.
func IsSlug(name string) bool { return len(name) <= MaxSlug && IsFolder(name) }

// IsFolder reports whether a name that must be kept as it is, such as a run's,
// can be a folder on any system: like a slug, of at most 200 bytes.
func IsFolder(name string) bool {
	if name == "" || len(name) > 200 || reserved(name) {
		return false
	}
	for i := range len(name) {
		inner := i > 0 && i < len(name)-1 && (name[i] == '-' || name[i] == '.')
		if !inner && !isAlnum(name[i]) {
			return false
		}
	}
	return true
}

func isAlnum(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

func endsInHash(name string) bool {
	if len(name) <= slugHash {
		return false
	}
	tail := name[len(name)-slugHash-1:]
	return tail[0] == '-' && strings.Trim(tail[1:], "0123456789abcdef") == ""
}

// simplify lower-cases ASCII letters and turns every run of other characters
// into one '-'.
func simplify(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-.")
}

// reserved reports whether a name, with or without an ending, is a device on
// Windows, or the name that index pages have.
func reserved(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	if len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && stem[3] >= '0' && stem[3] <= '9' {
		return true
	}
	return name == "index"
}
