package reqlog

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Numbers is an integer or boolean column of one row group, one value a row.
type Numbers struct {
	V []int64
	// Valid is false where the row has no value; V is 0 there and means
	// nothing. Nil: every row has one.
	Valid []bool
}

// at returns a pointer to the value of row i, nil where it has none.
func (n *Numbers) at(i int) *int64 {
	if n.Valid != nil && !n.Valid[i] {
		return nil
	}
	return &n.V[i]
}

// Words is a text column of one row group: Dict[Index[i]] is the text of row i.
type Words struct {
	Index []int32
	Dict  []string // distinct
}

// Groups returns the number of row groups. A row group is the unit in which
// columns are read: a few hundred thousand rows at most.
func (l *Log) Groups() int { return len(l.pq.RowGroups()) }

// Numbers reads an integer or boolean column (true is 1) of one row group.
// The memory of into is used again if it is large enough.
func (l *Log) Numbers(group int, column string, into Numbers) (Numbers, error) {
	rows := l.rowsOf(group)
	out := Numbers{V: slices.Grow(into.V[:0], rows), Valid: into.Valid[:0]}
	nullable := false
	err := l.eachPage(group, func(p parquet.Page, maxLevel byte) error {
		if maxLevel > 0 && !nullable {
			nullable = true
			out.Valid = slices.Grow(out.Valid, rows)
		}
		values, err := integers(p)
		if err != nil {
			return err
		}
		levels := p.DefinitionLevels()
		if len(levels) == 0 {
			out.V = append(out.V, values...)
			for range values {
				if nullable {
					out.Valid = append(out.Valid, true)
				}
			}
			return nil
		}
		return out.scatter(values, levels, maxLevel)
	}, column)
	if err != nil {
		return Numbers{}, err
	}
	if !nullable {
		out.Valid = nil
	}
	return out, l.wholeGroup(group, column, len(out.V))
}

// scatter appends a page that keeps only the values that are there.
func (n *Numbers) scatter(values []int64, levels []byte, maxLevel byte) error {
	k := 0
	for _, level := range levels {
		if level != maxLevel {
			n.V, n.Valid = append(n.V, 0), append(n.Valid, false)
			continue
		}
		if k == len(values) {
			return errCount
		}
		n.V, n.Valid = append(n.V, values[k]), append(n.Valid, true)
		k++
	}
	if k != len(values) {
		return errCount
	}
	return nil
}

var errCount = errors.New("a page has another number of values than it says")

// integers returns the values of a page, without nulls.
func integers(p parquet.Page) ([]int64, error) {
	data := p.Data()
	kind := p.Type().Kind()
	if kind == parquet.Int64 {
		return data.Int64(), nil
	}
	out := make([]int64, p.NumValues()-p.NumNulls())
	if kind == parquet.Int32 {
		for i, x := range data.Int32() {
			out[i] = int64(x)
		}
		return out, nil
	}
	if kind != parquet.Boolean {
		return nil, fmt.Errorf("a column of %s is not of integers", kind)
	}
	bits := data.Boolean()
	for i := range out {
		out[i] = int64(bits[i/8] >> (i % 8) & 1)
	}
	return out, nil
}

// Words reads a text column of one row group.
func (l *Log) Words(group int, column string, into Words) (Words, error) {
	out := Words{Index: slices.Grow(into.Index[:0], l.rowsOf(group))}
	known := map[string]int32{}
	var dict *dictionary
	err := l.eachPage(group, func(p parquet.Page, _ byte) error {
		if d := p.Dictionary(); d != nil {
			if dict == nil {
				dict = newDictionary(d)
				dict.place(&out, known)
			}
			index, err := dict.indexes(p)
			for _, i := range index {
				out.Index = append(out.Index, dict.at[i])
			}
			return err
		}
		return plainTexts(p, func(s string) {
			out.Index = append(out.Index, out.place(s, known))
		})
	}, column)
	if err != nil {
		return Words{}, err
	}
	return out, l.wholeGroup(group, column, len(out.Index))
}

// place finds or appends a word.
func (w *Words) place(s string, known map[string]int32) int32 {
	i, ok := known[s]
	if !ok {
		i = int32(len(w.Dict))
		known[s] = i
		w.Dict = append(w.Dict, s)
	}
	return i
}

// dictionary is the dictionary of one column chunk in our memory.
type dictionary struct {
	words []string
	at    []int32 // place of each word in a Words
}

func newDictionary(d parquet.Dictionary) *dictionary {
	out := &dictionary{words: make([]string, d.Len())}
	for i := range out.words {
		out.words[i] = string(d.Index(int32(i)).ByteArray())
	}
	return out
}

func (d *dictionary) place(w *Words, known map[string]int32) {
	d.at = make([]int32, len(d.words))
	for i, s := range d.words {
		d.at[i] = w.place(s, known)
	}
}

// indexes returns the dictionary index of every row of a page. None is
// outside the dictionary.
func (d *dictionary) indexes(p parquet.Page) ([]int32, error) {
	data := p.Data()
	index := data.Int32()
	if int64(len(index)) != p.NumRows() {
		return nil, errCount
	}
	if len(index) > 0 && (slices.Min(index) < 0 || int(slices.Max(index)) >= len(d.words)) {
		return nil, fmt.Errorf("a dictionary index is outside 0 to %d", len(d.words)-1)
	}
	return index, nil
}

// plainTexts gives the text of every row of a page without dictionary. The
// texts of a page share one piece of memory.
func plainTexts(p parquet.Page, yield func(string)) error {
	data := p.Data()
	raw, ends := data.ByteArray()
	if int64(len(ends)) != p.NumRows()+1 {
		return errCount
	}
	all := string(raw)
	for i := 1; i < len(ends); i++ {
		yield(all[ends[i-1]:ends[i]])
	}
	return nil
}

// texts reads a text column of one row group, one text a row.
func (l *Log) texts(group int, column string) ([]string, error) {
	out := make([]string, 0, l.rowsOf(group))
	var dict *dictionary
	err := l.eachPage(group, func(p parquet.Page, _ byte) error {
		if d := p.Dictionary(); d != nil {
			if dict == nil {
				dict = newDictionary(d)
			}
			index, err := dict.indexes(p)
			for _, i := range index {
				out = append(out, dict.words[i])
			}
			return err
		}
		return plainTexts(p, func(s string) { out = append(out, s) })
	}, column)
	if err != nil {
		return nil, err
	}
	return out, l.wholeGroup(group, column, len(out))
}

// lists reads the list column of one row group: the list of row i is
// values[ends[i]:ends[i+1]].
func (l *Log) lists(group int, column string) (values []int64, ends []int, err error) {
	ends = make([]int, 0, l.rowsOf(group)+1)
	err = l.eachPage(group, func(p parquet.Page, maxLevel byte) error {
		data := p.Data()
		page := data.Int64()
		defined, repeated := p.DefinitionLevels(), p.RepetitionLevels()
		if len(defined) != len(repeated) {
			return errCount
		}
		k := 0
		for i, level := range repeated {
			if level == 0 {
				ends = append(ends, len(values)+k)
			}
			if defined[i] == maxLevel {
				k++
			}
		}
		if k != len(page) {
			return errCount
		}
		if cap(values)-len(values) < len(page) {
			// Fourfold, so that a row group takes few copies, but never more
			// ahead than a row group of this program holds.
			values = slices.Grow(values, max(len(page), min(3*len(values), groupGaps)))
		}
		values = append(values, page...)
		return nil
	}, column, "list", "element")
	if err != nil {
		return nil, nil, err
	}
	if err := l.wholeGroup(group, column, len(ends)); err != nil {
		return nil, nil, err
	}
	return values, append(ends, len(values)), nil
}

// rowsOf is the number of rows of a row group; sameLayout has bounded it.
func (l *Log) rowsOf(group int) int { return int(l.pq.RowGroups()[group].NumRows()) }

// wholeGroup checks that a column has as many values as the group has rows.
func (l *Log) wholeGroup(group int, column string, n int) error {
	if want := l.rowsOf(group); n != want {
		return fmt.Errorf("%s: column %s: row group %d: %w: it has %d values for %d rows", l.name, column, group, ErrCorrupt, n, want)
	}
	return nil
}

// eachPage reads the pages of a column of one row group. A page is valid
// during its call only.
func (l *Log) eachPage(group int, do func(p parquet.Page, maxLevel byte) error, path ...string) error {
	return guard(l.name+": column "+strings.Join(path, "."), func() error {
		leaf, ok := l.pq.Schema().Lookup(path...)
		if !ok {
			return fmt.Errorf("%w: there is no such column", ErrSchema)
		}
		pages := l.pq.RowGroups()[group].ColumnChunks()[leaf.ColumnIndex].Pages()
		defer pages.Close() //nolint:errcheck // reading
		for {
			p, err := pages.ReadPage()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("%w: row group %d: %w", ErrCorrupt, group, err)
			}
			err = do(p, byte(leaf.MaxDefinitionLevel))
			parquet.Release(p)
			if err != nil {
				return fmt.Errorf("%w: row group %d: %w", ErrCorrupt, group, err)
			}
		}
	})
}
