package evidence

// ID is the address of a record: the SHA-256 of its canonical encoding.
type ID [32]byte
