package render_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Case C36: a site that went through a zip, served below a path, begun at an address without its
// last slash. Every address that a page links to or fetches is answered, however
// the page was reached.
func TestEveryLinkBelowAPathFromAZip(t *testing.T) {
	out := t.TempDir()
	site(t, input(t, few(t)), out)
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	if err := w.AddFS(os.DirFS(out)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	unpacked := t.TempDir()
	if err := os.CopyFS(unpacked, files); err != nil { // a server of files wants to seek in them
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/bench/2026/", http.StripPrefix("/bench/2026", http.FileServerFS(os.DirFS(unpacked))))
	server := httptest.NewServer(mux)
	defer server.Close()
	c := crawl{t: t, client: server.Client(), host: server.Listener.Addr().String(), seen: map[string]bool{}}
	for _, begin := range []string{"/bench/2026", "/bench/2026/methodology", "/bench/2026/families"} {
		c.from(server.URL + begin)
	}
	if c.pages < 50 {
		t.Errorf("only %d pages were reached", c.pages)
	}
}

// crawl follows all links within a host.
type crawl struct {
	t      *testing.T
	client *http.Client
	host   string
	seen   map[string]bool
	pages  int
}

func (c *crawl) from(address string) {
	for todo := []string{address}; len(todo) > 0; todo = todo[1:] {
		if c.seen[todo[0]] {
			continue
		}
		c.seen[todo[0]] = true
		todo = append(todo, c.page(todo[0])...)
	}
}

// page fetches an address and returns those that it links to, without their
// fragments.
func (c *crawl) page(address string) []string {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	res, err := c.client.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close() //nolint:errcheck // only read from
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Request.URL.Path, "/bench/2026/") {
		c.t.Errorf("%s is answered with %s at %s", address, res.Status, res.Request.URL)
		return nil
	}
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
		return nil
	}
	c.pages++
	doc, err := html.Parse(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	var out []string
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "href" || a.Key == "src" {
				out = append(out, c.inside(res.Request.URL, a.Val)...)
			}
		}
	}
	return out
}

func (c *crawl) inside(base *url.URL, link string) []string {
	to, err := base.Parse(link)
	if err != nil {
		c.t.Errorf("%s links to %q: %v", base, link, err)
		return nil
	}
	if to.Host != c.host {
		return nil
	}
	to.Fragment = ""
	return []string{to.String()}
}
