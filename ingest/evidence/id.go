package evidence

import (
	"encoding/hex"
	"fmt"
)

// ID is the address of a record: the SHA-256 of its canonical encoding.
type ID [32]byte

// ParseID reads the 64 lower-case hexadecimal digits that [ID.String] writes.
// Other spellings are refused, so that an address has one spelling only.
func ParseID(s string) (ID, error) {
	var id ID
	err := id.UnmarshalText([]byte(s))
	return id, err
}

// String returns the address as 64 lower-case hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// IsZero reports whether the record has not been sealed.
func (id ID) IsZero() bool { return id == ID{} }

// MarshalText returns what [ID.String] returns.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what [ID.MarshalText] writes and nothing else.
func (id *ID) UnmarshalText(text []byte) error {
	var got ID
	if len(text) != hex.EncodedLen(len(got)) {
		return fmt.Errorf("a record ID has %d hexadecimal digits, got %d bytes", hex.EncodedLen(len(got)), len(text))
	}
	if _, err := hex.Decode(got[:], text); err != nil {
		return fmt.Errorf("reading a record ID: %w", err)
	}
	if got.String() != string(text) {
		return fmt.Errorf("record ID %q is not in lower case", text)
	}
	*id = got
	return nil
}
