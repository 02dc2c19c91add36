package reqlog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Query asks for count, sum and quantiles of a time, by groups.
type Query struct {
	// By is the text column whose values are the groups; empty: one group of
	// all rows, with an empty key.
	By string
	// The time is To − From, in nanoseconds. From may be empty: then it is To.
	From, To string
	// PerMille are the wanted quantiles in thousandths (950: p95), each from
	// 1 to 1000, by nearest rank: the ⌈q·N⌉-th smallest of N. As integers,
	// because 0.07 × 100 is above 7 in floating point.
	PerMille []int
	// Where keeps only the rows whose text columns have these values.
	Where []Match
	// Workers read row groups at the same time. Zero: as many as processors.
	Workers int
}

// Match asks for rows in which a text column has a value.
type Match struct{ Column, Value string }

// Group is the answer for one value of the query's By column.
type Group struct {
	Key string
	N   int64 // rows that have the time
	// Missing counts the rows in which From or To has no value. They are in
	// no other number.
	Missing   int64
	Sum       int64   // nanoseconds
	Quantiles []int64 // one for each PerMille, nanoseconds; nil if N is 0
}

// TTFT asks [Log.Aggregate] for first token − sent of the completed requests
// of the measured phase.
func TTFT(by string, perMille ...int) Query {
	return Query{
		By: by, From: "sent_ns", To: "first_token_ns", PerMille: perMille,
		Where: []Match{{"phase", string(MeasurePhase)}, {"outcome", string(Completed)}},
	}
}

// Aggregate answers a query, sorted by key. It reads only the columns that
// the query names, row groups in parallel. Memory is 8 bytes for each time
// asked about, twice at the end, and a row group for each worker.
func (l *Log) Aggregate(ctx context.Context, q Query) ([]Group, error) {
	for _, p := range q.PerMille {
		if p < 1 || p > 1000 {
			return nil, fmt.Errorf("aggregate %s: quantile %d of a thousand is not from 1 to 1000", l.name, p)
		}
	}
	workers := q.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(1, min(workers, l.Groups()))
	parts := make([]*collector, workers)
	var next atomic.Int64
	err := inParallel(workers, func(i int) error {
		c := &collector{l: l, q: q, groups: map[string]*samples{}}
		parts[i] = c
		for ctx.Err() == nil {
			g := int(next.Add(1)) - 1
			if g >= l.Groups() {
				return nil
			}
			if err := c.collect(g); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("aggregate: %w", err)
	}
	return answer(ctx, parts, q.PerMille, workers)
}

// inParallel runs do n times at once and joins the errors.
func inParallel(n int, do func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// samples are the times of one group.
type samples struct {
	values  []int64
	missing int64
	sum     int64
}

// collector gathers the samples of the row groups that one worker reads. Its
// buffers are used again from group to group.
type collector struct {
	l      *Log
	q      Query
	groups map[string]*samples

	from, to Numbers
	by, test Words
	keep     []bool     // nil: every row
	spare    []bool     // memory of keep
	into     []*samples // of each word of by
}

var errSum = errors.New("a sum is over 2^63 nanoseconds")

func (c *collector) collect(group int) error {
	if err := c.read(group); err != nil {
		return err
	}
	c.prepare()
	for i, v := range c.to.V {
		if c.keep != nil && !c.keep[i] {
			continue
		}
		s := c.into[0]
		if c.by.Index != nil {
			s = c.into[c.by.Index[i]]
		}
		if c.missing(i) {
			s.missing++
			continue
		}
		if c.q.From != "" {
			v -= c.from.V[i]
		}
		sum := s.sum + v
		if (s.sum^sum)&(v^sum) < 0 {
			return errSum
		}
		s.sum = sum
		s.add(v)
	}
	return nil
}

// add appends a value. Twice the memory each time: append alone grows long
// slices by a quarter and so copies every value about four times.
func (s *samples) add(v int64) {
	if len(s.values) == cap(s.values) {
		s.values = slices.Grow(s.values, max(1024, len(s.values)))
	}
	s.values = append(s.values, v)
}

func (c *collector) missing(i int) bool {
	return c.to.Valid != nil && !c.to.Valid[i] || c.from.Valid != nil && !c.from.Valid[i]
}

// read reads the columns of the query.
func (c *collector) read(group int) (err error) {
	if c.to, err = c.l.Numbers(group, c.q.To, c.to); err != nil {
		return err
	}
	if c.q.From != "" {
		if c.from, err = c.l.Numbers(group, c.q.From, c.from); err != nil {
			return err
		}
	}
	if c.q.By != "" {
		if c.by, err = c.l.Words(group, c.q.By, c.by); err != nil {
			return err
		}
	}
	c.keep = nil
	for _, m := range c.q.Where {
		if c.test, err = c.l.Words(group, m.Column, c.test); err != nil {
			return err
		}
		c.filter(m.Value)
	}
	return nil
}

// filter drops the rows whose tested column has another value.
func (c *collector) filter(value string) {
	want := int32(slices.Index(c.test.Dict, value))
	if want == 0 && len(c.test.Dict) == 1 {
		return // every row has it
	}
	if c.keep == nil {
		c.spare = c.spare[:0]
		for _, x := range c.test.Index {
			c.spare = append(c.spare, x == want)
		}
		c.keep = c.spare
		return
	}
	for i, x := range c.test.Index {
		c.keep[i] = c.keep[i] && x == want
	}
}

// prepare finds the samples that each word of the row group leads to.
func (c *collector) prepare() {
	words := c.by.Dict
	if c.q.By == "" {
		words = []string{""}
	}
	c.into = c.into[:0]
	for _, w := range words {
		s, ok := c.groups[w]
		if !ok {
			s = &samples{}
			c.groups[w] = s
		}
		c.into = append(c.into, s)
	}
}

// answer joins what the workers gathered and selects the quantiles.
func answer(ctx context.Context, parts []*collector, perMille []int, workers int) ([]Group, error) {
	joined := map[string][]*samples{}
	for _, c := range parts {
		for key, s := range c.groups {
			if len(s.values) > 0 || s.missing > 0 {
				joined[key] = append(joined[key], s)
			}
		}
	}
	out := make([]Group, 0, len(joined))
	for key := range joined {
		out = append(out, Group{Key: key})
	}
	slices.SortFunc(out, func(a, b Group) int { return cmp.Compare(a.Key, b.Key) })
	var next atomic.Int64
	err := inParallel(workers, func(int) error {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(out) {
				return nil
			}
			if err := out[i].fill(joined[out[i].Key], perMille); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("aggregate: %w", err)
	}
	return out, nil
}

func (g *Group) fill(parts []*samples, perMille []int) error {
	values := parts[0].values
	for _, s := range parts[1:] {
		values = append(values, s.values...)
	}
	for _, s := range parts {
		sum := g.Sum + s.sum
		if (g.Sum^sum)&(s.sum^sum) < 0 {
			return errSum
		}
		g.Sum = sum
		g.Missing += s.missing
	}
	g.N = int64(len(values))
	if g.N > 0 {
		g.Quantiles = nearestRanks(values, perMille)
	}
	return nil
}
