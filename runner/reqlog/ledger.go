package reqlog

import "iter"

// Tally counts the rows by outcome. Planned is the number of rows: a request
// that was planned but has no row is not known to it. The error is the first
// that rows gives, or an outcome that is not one of the declared ones. Rows
// of both phases count; filter before, or use [TallyPhases].
func Tally(rows iter.Seq2[Row, error]) (Ledger, error) {
	var l Ledger
	for r, err := range rows {
		if err != nil {
			return Ledger{}, err
		}
		count(&l, r.Outcome)
	}
	return l, nil
}

// TallyPhases counts the rows by outcome for each phase.
func TallyPhases(rows iter.Seq2[Row, error]) (warmup, measure Ledger, err error) {
	var t tally
	for r, err := range rows {
		if err != nil {
			return Ledger{}, Ledger{}, err
		}
		t.add(r)
	}
	return t.warmup, t.measure, nil
}

type tally struct {
	warmup, measure Ledger
}

func (t *tally) add(r Row) {
	if r.Phase == WarmupPhase {
		count(&t.warmup, r.Outcome)
		return
	}
	count(&t.measure, r.Outcome)
}

// count adds one row. An outcome outside the list, which neither the journal
// nor the Parquet reader lets through, unbalances the ledger.
func count(l *Ledger, o Outcome) {
	l.Planned++
	if o != NeverSent {
		l.Sent++
	}
	switch o {
	case Completed:
		l.Completed++
	case Failed:
		l.Failed++
	case Rejected:
		l.Rejected++
	case TimedOut:
		l.TimedOut++
	case Cancelled:
		l.Cancelled++
	case Unresolved:
		l.Unresolved++
	case NeverSent:
		l.NeverSent++
	}
}
