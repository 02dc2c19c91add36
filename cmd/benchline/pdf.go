package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"benchline/render"
)

// printLimit is how long a browser may take to print a document.
const printLimit = 90 * time.Second

// packPDF prints the one-file page of a pack with an installed Chromium. The file
// asks for nothing over the network, and the browser gets a profile of its own
// that is thrown away.
func packPDF(ctx context.Context, e env, out, name string) ([]byte, error) {
	browser, err := findChromium(e)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "benchline-pdf-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the browser: %w", err)
	}
	defer os.RemoveAll(temp) //nolint:errcheck // it is temporary
	page, err := filepath.Abs(filepath.Join(out, filepath.FromSlash(render.PackFile(name, "html"))))
	if err != nil {
		return nil, fmt.Errorf("find the page: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, printLimit)
	defer cancel()
	to := filepath.Join(temp, "pack.pdf")
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(page)}
	given := []string{"--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--user-data-dir=" + filepath.Join(temp, "profile"),
		"--no-pdf-header-footer", "--export-tagged-pdf", "--generate-pdf-document-outline", "--print-to-pdf=" + to}
	if os.Geteuid() == 0 {
		given = append(given, "--no-sandbox") // the browser refuses to run as root with one
	}
	said, err := exec.CommandContext(ctx, browser, append(given, address.String())...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", browser, err, lastLine(said))
	}
	pdf, err := os.ReadFile(to)
	if err != nil {
		return nil, fmt.Errorf("%s wrote none: %w", browser, err)
	}
	return pdf, nil
}

// findChromium is the first of the usual names that is installed, or the program
// that CHROMIUM names.
func findChromium(e env) (string, error) {
	if named := e.getenv("CHROMIUM"); named != "" {
		return named, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium is installed; print the HTML file instead, or name one in CHROMIUM")
}

// lastLine is what a program said last.
func lastLine(said []byte) string {
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
