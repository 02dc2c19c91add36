package sim_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"benchline/runner/sim"
)

// A server with the default engine, one request in a hundred of which breaks
// off. Behind httptest here; behind an http.Server elsewhere.
func Example() {
	c := sim.Default()
	c.Now = time.Now
	cut, err := sim.ParseFault("cut,p=0.01,after=20")
	if err != nil {
		fmt.Println(err)
		return
	}
	c.Faults = append(c.Faults, cut)
	s, err := sim.New(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	h := httptest.NewServer(s)

	resp, err := http.Post(h.URL+"/v1/completions", "application/json",
		strings.NewReader(`{"model":"simulated-8b","prompt":"one two three","max_tokens":4}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Header.Get("Server"), resp.Body.Close())

	h.Close() // first the connections, then the endpoint: its record is complete
	fmt.Println(s.Close())
	t := s.Truth()[0]
	fmt.Println(t.Outcome, *t.PromptTokens, t.OutputTokens)
	// Output:
	// benchline-simulated-endpoint <nil>
	// <nil>
	// finished 3 4
}
