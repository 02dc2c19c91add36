package sim

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Server is a simulated endpoint. It serves HTTP/1.1; what resets or closes
// connections needs a ResponseWriter that can be hijacked.
type Server struct {
	cfg    Config
	base   time.Time
	loop   *loop
	mux    *http.ServeMux
	truth  truthLog
	number atomic.Int64

	mu     sync.Mutex
	closed bool
	open   sync.WaitGroup // requests to generating paths
}

// New starts a simulated endpoint. Its error names everything wrong with the
// configuration. The caller closes the endpoint.
func New(c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	c.Faults = slices.Clone(c.Faults)
	s := &Server{cfg: c, base: c.Now(), truth: truthLog{w: c.Truth, keep: c.KeepTruth}}
	m := newMetrics(c.MaxModelLen)
	s.loop = &loop{
		m: m, now: s.offset, precise: c.Precise,
		kick: make(chan struct{}, 1), quit: make(chan struct{}), ended: make(chan struct{}),
	}
	if c.Metronome != nil {
		s.loop.model = &metronome{Metronome: *c.Metronome, perStep: c.TokensPerStep, m: m}
	} else {
		s.loop.model = newBatch(c.Engine, c.TokensPerStep, m)
	}
	s.routes()
	go s.loop.run()
	return s, nil
}

// offset is the time since the endpoint's start in nanoseconds.
func (s *Server) offset() int64 { return int64(s.cfg.Now().Sub(s.base)) }

// unix turns an offset into nanoseconds since the Unix epoch.
func (s *Server) unix(offset int64) int64 { return s.base.UnixNano() + offset }

// Truth returns what happened to the latest requests that have ended, in the
// order in which they ended; see Config.KeepTruth. A client may have read the
// end of its answer a moment before the request stands here: call Close first
// where all must be there.
func (s *Server) Truth() []Truth { return s.truth.all() }

// Close ends all answers under way, waits for them, and returns the first
// error of writing the truth. Where a client has stopped reading, close the
// http.Server first: its answer cannot end before its connection does.
func (s *Server) Close() error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.loop.quit)
	}
	s.mu.Unlock()
	<-s.loop.ended
	s.open.Wait()
	return s.truth.failed()
}

// enter admits a request to a generating path; leave it with s.open.Done.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.open.Add(1)
	return true
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Server", ServerHeader)
	s.mux.ServeHTTP(w, r)
}

func (s *Server) routes() {
	s.mux = http.NewServeMux()
	s.mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) { s.generate(w, r, true) })
	s.mux.HandleFunc("POST /v1/completions", func(w http.ResponseWriter, r *http.Request) { s.generate(w, r, false) })
	s.mux.HandleFunc("GET /v1/models", s.keyed(s.models))
	s.mux.HandleFunc("POST /tokenize", s.keyed(s.tokenize))
	s.mux.HandleFunc("POST /reset_prefix_cache", s.keyed(s.resetCache))
	s.mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		sendJSON(w, map[string]string{"status": "ok"})
	})
	s.mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) {
		sendJSON(w, map[string]string{"version": OwnedBy})
	})
	s.mux.HandleFunc("GET /metrics", s.metrics)
}

// authorized says whether a request brings the key.
func (s *Server) authorized(r *http.Request) bool {
	return s.cfg.Key == "" || r.Header.Get("Authorization") == "Bearer "+s.cfg.Key
}

func (s *Server) keyed(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.authorized(r) {
			sendError(w, http.StatusUnauthorized, "invalid_api_key", "Unauthorized")
			return
		}
		h(w, r)
	}
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	type entry struct {
		ID          string `json:"id"`
		Object      string `json:"object"`
		Created     int64  `json:"created"`
		OwnedBy     string `json:"owned_by"`
		MaxModelLen int    `json:"max_model_len"`
	}
	data := []entry{{s.modelName(""), "model", s.base.Unix(), OwnedBy, s.cfg.MaxModelLen}}
	sendJSON(w, map[string]any{"object": "list", "data": data})
}

// modelName is the name an answer bears.
func (s *Server) modelName(asked string) string {
	switch {
	case s.cfg.Model != "":
		return s.cfg.Model
	case asked != "":
		return asked
	}
	return "simulated"
}

// tokenize answers in vLLM's dialect to {prompt} or {messages}, and in
// llama-server's to {content}.
func (s *Server) tokenize(w http.ResponseWriter, r *http.Request) {
	var q struct {
		body
		Content *string `json:"content"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&q); err != nil {
		sendError(w, http.StatusBadRequest, "invalid_request_error", "reading the request: "+err.Error())
		return
	}
	if q.Content != nil {
		sendJSON(w, map[string]any{"tokens": tokenIDs([]string{*q.Content}, 0)})
		return
	}
	var ids []uint32
	if len(q.Messages) > 0 {
		var texts []string
		for _, m := range q.Messages {
			t, err := contentTexts(m.Content)
			if err != nil {
				sendError(w, http.StatusBadRequest, "invalid_request_error", err.Error())
				return
			}
			texts = append(texts, t...)
		}
		ids = tokenIDs(texts, s.cfg.TemplateTokens)
	} else {
		texts, err := promptTexts(q.Prompt)
		if err != nil {
			sendError(w, http.StatusBadRequest, "invalid_request_error", err.Error())
			return
		}
		ids = tokenIDs(texts, 0)
	}
	sendJSON(w, map[string]any{"count": len(ids), "max_model_len": s.cfg.MaxModelLen, "tokens": ids})
}

// tokenIDs gives each word an ID of its own below 128,000, as far as hashing does.
func tokenIDs(texts []string, template int) []uint32 {
	ids := make([]uint32, template)
	for _, t := range texts {
		for word := range strings.FieldsSeq(t) {
			h := uint32(2166136261)
			for i := range len(word) {
				h = (h ^ uint32(word[i])) * 16777619
			}
			ids = append(ids, 1+h%127_999)
		}
	}
	return ids
}

func (s *Server) resetCache(w http.ResponseWriter, _ *http.Request) {
	s.loop.mu.Lock()
	s.loop.model.forget()
	s.loop.mu.Unlock()
	w.WriteHeader(http.StatusOK)
}

func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	var page strings.Builder
	s.loop.mu.Lock()
	running, waiting, kv := s.loop.model.load()
	err := s.loop.m.write(&page, s.modelName(""), running, waiting, kv)
	s.loop.mu.Unlock()
	if err == nil {
		_, err = w.Write([]byte(page.String()))
	}
	ignoreGone(err)
}

// maxBody is the longest request body accepted.
const maxBody = 64 << 20

// apiError is an error as OpenAI-compatible servers send it.
type apiError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    int     `json:"code"`
}

func errorJSON(status int, kind, message string) []byte {
	b, err := json.Marshal(map[string]apiError{"error": {Message: message, Type: kind, Code: status}})
	if err != nil { // not with these types
		return []byte(`{"error":{}}`)
	}
	return b
}

func sendError(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err := w.Write(errorJSON(status, kind, message))
	ignoreGone(err)
}

func sendJSON(w http.ResponseWriter, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		sendError(w, http.StatusInternalServerError, "internal_error", err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, err = w.Write(b)
	ignoreGone(err)
}

// ignoreGone marks the places where a failed write means that the client has
// gone, and nothing depends on it.
func ignoreGone(error) {}
