package target

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"
)

// maxHead bounds the head of a response, in bytes.
const maxHead = 256 << 10

// head is the head of a response.
type head struct {
	status  int
	header  textproto.MIMEHeader
	framing framing
	closes  bool // the endpoint will close the connection
}

// headEnd is the length of the head at the front of b, or -1 while its empty
// line has not come.
func headEnd(b []byte) int {
	crlf := bytes.Index(b, []byte("\r\n\r\n"))
	lf := bytes.Index(b, []byte("\n\n"))
	switch {
	case crlf >= 0 && (lf < 0 || crlf < lf):
		return crlf + 4
	case lf >= 0:
		return lf + 2
	default:
		return -1
	}
}

func parseHead(b []byte) (head, error) {
	r := textproto.NewReader(bufio.NewReaderSize(bytes.NewReader(b), 512))
	line, err := r.ReadLine()
	if err != nil {
		return head{}, errors.New("the response has no status line")
	}
	version, rest, _ := strings.Cut(line, " ")
	code, _, _ := strings.Cut(rest, " ")
	status, err := strconv.Atoi(code)
	if version != "HTTP/1.1" && version != "HTTP/1.0" || err != nil || len(code) != 3 || status < 100 {
		return head{}, fmt.Errorf("the response is not HTTP/1: it begins with %.40q", line)
	}
	h := head{status: status}
	if h.header, err = r.ReadMIMEHeader(); err != nil {
		return head{}, fmt.Errorf("reading the response's header: %w", err)
	}
	connection := strings.ToLower(strings.Join(h.header["Connection"], ","))
	h.closes = strings.Contains(connection, "close") ||
		version == "HTTP/1.0" && !strings.Contains(connection, "keep-alive")
	return h, h.frame()
}

// frame finds out how the body ends.
func (h *head) frame() error {
	coding := strings.ToLower(strings.Join(h.header["Transfer-Encoding"], ","))
	lengths := h.header["Content-Length"]
	switch {
	case h.status == http.StatusNoContent || h.status == http.StatusNotModified:
		h.framing = framing{coding: byLength, ended: true}
	case strings.TrimSpace(coding) == "chunked":
		h.framing = framing{coding: chunked}
	case coding != "" && coding != "identity":
		return fmt.Errorf("the response has the unknown transfer encoding %.40q", coding)
	case len(lengths) > 0:
		n, err := strconv.ParseInt(strings.TrimSpace(lengths[0]), 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("the response has the length %.40q", lengths[0])
		}
		h.framing = framing{coding: byLength, left: n, ended: n == 0}
	default:
		h.framing, h.closes = framing{coding: untilClose}, true
	}
	return nil
}

// retryAfter reads Retry-After: seconds, or a date, which now is taken from.
func (h *head) retryAfter(now time.Time) *time.Duration {
	v := strings.TrimSpace(h.header.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 && s < 1e9 {
		d := time.Duration(s * float64(time.Second))
		return &d
	}
	if date, err := http.ParseTime(v); err == nil {
		d := max(0, date.Sub(now))
		return &d
	}
	return nil
}
