package evidence_test

import (
	"strings"
	"testing"

	"benchline/ingest/evidence"
)

func TestUnstatedNeedsOnlyNamesToBeARecord(t *testing.T) {
	r := evidence.Unstated("the file does not say")
	r.Slug, r.Title, r.Family, r.Class, r.Kind = "x", "X", "xs", evidence.RawArchive, evidence.RunRecord
	none := evidence.NotStated[string]("the file does not say")
	r.Sources = []evidence.Source{{Name: "file", Supports: "the rate", Adapter: "toy 1", Published: none, Reviewed: none, Licence: none}}
	r.Values = []evidence.Value{evidence.UnstatedValue("output_token_rate", evidence.Amount{Kind: evidence.Exact, X: 5}, "as found", "the file does not say")}
	text := line(t, seal(t, r))
	if strings.Contains(text, `"state":"stated"`) || strings.Contains(text, `"state":"derived"`) {
		t.Errorf("something is stated in\n%s", text)
	}
}
