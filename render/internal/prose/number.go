package prose

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// number is a number as somebody typed it. A form such as "5.191" can be read
// in two ways, by the custom of one country or of another: both count.
type number struct {
	readings []reading
	decimals bool // has a decimal part in its first reading
}

// reading is what a number may mean: a value, and half of what its last digit
// is worth, within which another value rounds to it.
type reading struct{ x, half float64 }

// scaled is the number in another unit.
func (n number) scaled(factor float64) []reading {
	out := make([]reading, 0, len(n.readings))
	for _, r := range n.readings {
		out = append(out, reading{r.x * factor, r.half * factor})
	}
	return out
}

// part is digits and what stands before them.
type part struct {
	sep    rune // 0 at the first
	digits string
	end    int // in the text
}

// readNumber reads the number at the start of s, which begins with a digit: 5191.72,
// 5,191.72, 5 191.72, 5.191,72, 5'191, 5.2k, 5e3. What looks like a number and
// is a version, as 1.2.3 is, has no readings.
func readNumber(s string) (n number, length int) {
	parts := numberParts(s)
	for k := len(parts); k > 0; k-- {
		if k < len(parts) && k > 1 && parts[k].sep == parts[k-1].sep {
			continue // 16,32,64 is a list
		}
		readings, version := readParts(parts[:k])
		if version {
			return number{}, parts[k-1].end
		}
		if len(readings) > 0 {
			n.readings, length = readings, parts[k-1].end
			n.decimals = readings[0].half < 0.5
			break
		}
	}
	factor, more := suffix(s[length:])
	n.readings = n.scaled(factor)
	return n, length + more
}

// numberParts cuts digits at the signs that may stand between digits.
func numberParts(s string) []part {
	const most = 9 // more parts are no number, but a list
	var parts []part
	sep := rune(0)
	for i := 0; i < len(s) && len(parts) < most; {
		j := i
		for j < len(s) && digit(s[j]) {
			j++
		}
		if j == i {
			break
		}
		parts = append(parts, part{sep, s[i:j], j})
		if j == len(s) {
			break
		}
		r, size := utf8.DecodeRuneInString(s[j:])
		if !strings.ContainsRune(",.'’_", r) && (!unicode.IsSpace(r) || r == '\n') {
			break
		}
		sep, i = r, j+size
		if unicode.IsSpace(r) {
			sep = ' '
		}
	}
	return parts
}

// readParts is how parts can be read together; none if they can't. Version is
// true of parts with several points that are no thousands.
func readParts(parts []part) (rs []reading, version bool) {
	last := parts[len(parts)-1]
	var seps []rune
	for _, p := range parts[1:] {
		seps = append(seps, p.sep)
	}
	if len(seps) == 0 {
		return []reading{value(parts, false)}, false
	}
	decimalSign := last.sep == '.' || last.sep == ','
	if decimalSign && thousands(parts[:len(parts)-1], last.sep) {
		rs = append(rs, value(parts, true))
	}
	if thousands(parts, 0) {
		whole := value(parts, false)
		// A comma before three digits is read as thousands first.
		if last.sep == '.' {
			rs = append(rs, whole)
		} else {
			rs = append([]reading{whole}, rs...)
		}
	}
	return rs, len(rs) == 0 && len(seps) > 1 && strings.Trim(string(seps), ".") == ""
}

// thousands reports whether all parts after the first are three digits behind
// one and the same sign, which is not the decimal sign.
func thousands(parts []part, decimal rune) bool {
	for i, p := range parts {
		switch {
		case i == 0:
			if len(parts) > 1 && (len(p.digits) > 3 || p.digits[0] == '0') {
				return false
			}
		case len(p.digits) != 3 || p.sep == decimal || p.sep != parts[1].sep:
			return false
		}
	}
	return true
}

// value puts parts together, the last one as decimals or not.
func value(parts []part, decimals bool) reading {
	var b strings.Builder
	half := 0.5
	for i, p := range parts {
		if decimals && i == len(parts)-1 {
			b.WriteByte('.')
			half = 0.5 * math.Pow10(-len(p.digits))
		}
		b.WriteString(p.digits)
	}
	x, err := strconv.ParseFloat(b.String(), 64)
	if err != nil {
		x = math.Inf(1) // more digits than any figure has: equal to none
	}
	return reading{x, half}
}

// suffix reads what may be written against a number and multiplies it: k, M,
// an exponent.
func suffix(s string) (factor float64, length int) {
	if len(s) > 1 && (s[0] == 'e' || s[0] == 'E') {
		i := 1
		if s[i] == '+' || s[i] == '-' {
			i++
		}
		j := i
		for j < len(s) && digit(s[j]) {
			j++
		}
		if e, err := strconv.Atoi(s[i:j]); err == nil && j-i <= 2 && !letterAt(s, j) {
			if s[1] == '-' {
				e = -e
			}
			return math.Pow10(e), j
		}
	}
	if s == "" || letterAt(s, 1) || len(s) > 1 && digit(s[1]) {
		return 1, 0
	}
	switch s[0] {
	case 'k', 'K':
		return 1e3, 1
	case 'M':
		return 1e6, 1
	case 'G', 'B':
		return 1e9, 1
	}
	return 1, 0
}
