package reqlog

import (
	"fmt"
	"iter"
	"slices"
)

// Rows gives every row: warm-up first, each phase by sequence number. It ends
// at the first error. Memory is bounded by the largest row group; the pointers
// and slices of a row are the caller's to keep, but not to change.
func (l *Log) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for g := range l.Groups() {
			c, err := l.load(g)
			if err != nil {
				yield(Row{}, err)
				return
			}
			for i := range c.seq.V {
				if !yield(c.row(i), nil) {
					return
				}
			}
		}
	}
}

// groupColumns is a whole row group, column by column.
type groupColumns struct {
	seq, due, attempts, askedIn, askedOut, sawDone, chunks, recorded, inFlight Numbers

	sent, firstSent, reused, connect, headers, firstByte, firstToken, firstAnswer, lastToken, end,
	status, retry, inTokens, outTokens, reasoning, cached, prefill, decode Numbers

	phase, outcome, class, text, source, finish, request, hash, prompt, answer []string

	gaps []int64
	ends []int
}

// groupLoader reads columns until the first error.
type groupLoader struct {
	l     *Log
	group int
	err   error
}

func (g *groupLoader) numbers(column string) Numbers {
	if g.err != nil {
		return Numbers{}
	}
	n, err := g.l.Numbers(g.group, column, Numbers{})
	g.err = err
	return n
}

func (g *groupLoader) texts(column string) []string {
	if g.err != nil {
		return nil
	}
	s, err := g.l.texts(g.group, column)
	g.err = err
	return s
}

func (l *Log) load(group int) (*groupColumns, error) {
	g := &groupLoader{l: l, group: group}
	c := &groupColumns{
		seq: g.numbers("seq"), due: g.numbers("due_ns"), attempts: g.numbers("attempts"),
		askedIn: g.numbers("asked_input_tokens"), askedOut: g.numbers("asked_output_tokens"),
		sawDone: g.numbers("saw_done"), chunks: g.numbers("chunks"),
		recorded: g.numbers("gaps_recorded"), inFlight: g.numbers("in_flight"),

		sent: g.numbers("sent_ns"), firstSent: g.numbers("first_sent_ns"),
		reused: g.numbers("conn_reused"), connect: g.numbers("connect_ns"),
		headers: g.numbers("headers_ns"), firstByte: g.numbers("first_byte_ns"),
		firstToken: g.numbers("first_token_ns"), firstAnswer: g.numbers("first_answer_ns"),
		lastToken: g.numbers("last_token_ns"), end: g.numbers("end_ns"),
		status: g.numbers("http_status"), retry: g.numbers("retry_after_ns"),
		inTokens: g.numbers("input_tokens"), outTokens: g.numbers("output_tokens"),
		reasoning: g.numbers("reasoning_tokens"), cached: g.numbers("cached_tokens"),
		prefill: g.numbers("server_prefill_ns"), decode: g.numbers("server_decode_ns"),

		phase: g.texts("phase"), outcome: g.texts("outcome"),
		class: g.texts("error_class"), text: g.texts("error_text"),
		source: g.texts("token_source"), finish: g.texts("finish_reason"),
		request: g.texts("request_id"), hash: g.texts("prompt_hash"),
		prompt: g.texts("prompt_text"), answer: g.texts("answer_text"),
	}
	if g.err != nil {
		return nil, g.err
	}
	var err error
	if c.gaps, c.ends, err = l.lists(group, "chunk_gaps_ns"); err != nil {
		return nil, err
	}
	if err := oneOf(c.phase, phases()); err != nil {
		return nil, fmt.Errorf("%s: column phase: %w", l.name, err)
	}
	if err := oneOf(c.outcome, outcomes()); err != nil {
		return nil, fmt.Errorf("%s: column outcome: %w", l.name, err)
	}
	return c, nil
}

// oneOf refuses a text that is not in a closed list.
func oneOf[T ~string](texts []string, list []T) error {
	for i, s := range texts {
		if !slices.Contains(list, T(s)) {
			return fmt.Errorf("%w: row %d of its group has %q", ErrCorrupt, i, s)
		}
	}
	return nil
}

// row puts row i together.
func (c *groupColumns) row(i int) Row {
	r := Row{
		Seq: c.seq.V[i], Phase: Phase(c.phase[i]), DueNS: c.due.V[i],
		SentNS: c.sent.at(i), FirstSentNS: c.firstSent.at(i),
		Attempts: int32(c.attempts.V[i]), ConnectNS: c.connect.at(i),
		HeadersNS: c.headers.at(i), FirstByteNS: c.firstByte.at(i),
		FirstTokenNS: c.firstToken.at(i), FirstAnswerNS: c.firstAnswer.at(i),
		LastTokenNS: c.lastToken.at(i), EndNS: c.end.at(i),
		Outcome: Outcome(c.outcome[i]), ErrorClass: c.class[i], ErrorText: c.text[i],
		RetryAfter:       c.retry.at(i),
		AskedInputTokens: c.askedIn.V[i], AskedOutputTokens: c.askedOut.V[i],
		InputTokens: c.inTokens.at(i), OutputTokens: c.outTokens.at(i),
		ReasoningTokens: c.reasoning.at(i), CachedTokens: c.cached.at(i),
		TokenSource: c.source[i], FinishReason: c.finish[i],
		SawDone: c.sawDone.V[i] != 0, Chunks: int32(c.chunks.V[i]),
		GapsRecorded:    c.recorded.V[i] != 0,
		ServerPrefillNS: c.prefill.at(i), ServerDecodeNS: c.decode.at(i),
		RequestID: c.request[i], PromptHash: c.hash[i],
		PromptText: c.prompt[i], AnswerText: c.answer[i],
		InFlightNow: int32(c.inFlight.V[i]),
	}
	if from, to := c.ends[i], c.ends[i+1]; from < to {
		r.ChunkGapsNS = c.gaps[from:to:to]
	}
	if p := c.status.at(i); p != nil {
		v := int32(*p)
		r.HTTPStatus = &v
	}
	if p := c.reused.at(i); p != nil {
		v := *p != 0
		r.ConnReused = &v
	}
	return r
}
