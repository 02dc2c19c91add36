package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// printJSON writes one object on one line, for machines.
func printJSON(w io.Writer, v any) error {
	if err := json.NewEncoder(w).Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}
