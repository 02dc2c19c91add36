package evidence_test

import (
	"testing"

	"benchline/ingest/evidence"
)

// bigSample is as large as the record of a real run.
func bigSample() evidence.Record {
	r := sample()
	var ds []evidence.Distribution
	for _, m := range []string{"ttft", "tpot", "e2e", "e2e_due", "ttft_due", "chunk_gap"} {
		d := r.Distributions[0]
		d.Metric, d.N, d.Finished, d.Steps = "ttft", 512, 511, nil
		_ = m
		for i := range 512 {
			d.Steps = append(d.Steps, evidence.Step{X: float64(i) / 3000, Share: float64(i+1) / 513})
		}
		ds = append(ds, d)
	}
	r.Distributions = ds
	return r
}

func BenchmarkParse(b *testing.B) {
	r, err := evidence.Seal(bigSample())
	if err != nil {
		b.Fatal(err)
	}
	line, err := evidence.Line(r)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := evidence.Parse(line); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSeal(b *testing.B) {
	r := bigSample()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := evidence.Seal(r); err != nil {
			b.Fatal(err)
		}
	}
}
