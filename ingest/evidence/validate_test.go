package evidence_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func TestValidateFinds(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*evidence.Record)
		path   string
	}{
		"slug":                {func(r *evidence.Record) { r.Slug = "Demo" }, "slug"},
		"title":               {func(r *evidence.Record) { r.Title = " " }, "title"},
		"title not UTF-8":     {func(r *evidence.Record) { r.Title = "\xff" }, "title"},
		"family":              {func(r *evidence.Record) { r.Family = "" }, "family"},
		"class":               {func(r *evidence.Record) { r.Class = "rumour" }, "class"},
		"kind":                {func(r *evidence.Record) { r.Kind = "" }, "kind"},
		"members of a run":    {func(r *evidence.Record) { r.Members = []evidence.Member{{}} }, "members"},
		"repeats of one":      {func(r *evidence.Record) { r.Kind = evidence.RepeatsRecord }, "members"},
		"void without why":    {func(r *evidence.Record) { r.VoidWhy = "" }, "void_why"},
		"why without void":    {func(r *evidence.Record) { r.Void = false }, "void_why"},
		"no source":           {func(r *evidence.Record) { r.Sources = nil }, "sources"},
		"source says nothing": {func(r *evidence.Record) { r.Sources[0].Supports = "" }, "sources[0]"},
		"source hash":         {func(r *evidence.Record) { r.Sources[0].SHA256 = "AB" }, "sources[0].sha256"},
		"known never set":     {func(r *evidence.Record) { r.Outcomes.Failed = evidence.Known[int64]{} }, "outcomes.failed"},
		"known in a list":     {func(r *evidence.Record) { r.Client.Facts[0].Value = evidence.Known[string]{} }, "client.facts[0].value"},
		"stated nowhere":      {func(r *evidence.Record) { r.Subject.Model = evidence.Stated("m", "") }, "subject.model"},
		"gap without reason":  {func(r *evidence.Record) { r.Subject.Model = evidence.NotStated[string]("") }, "subject.model"},
		"NaN in a known":      {func(r *evidence.Record) { r.State.TTFTLimit = evidence.Stated(math.NaN(), "plan") }, "state.ttft_limit_s"},
		"infinite term": {func(r *evidence.Record) {
			r.Values[0].Numerator = evidence.Stated(evidence.Term{Amount: math.Inf(1)}, "x")
		}, "values[0].numerator.amount"},
		"NaN amount":      {func(r *evidence.Record) { r.Values[0].Amount.X = math.NaN() }, "values[0].amount.x"},
		"no cache":        {func(r *evidence.Record) { r.State.Cache.Kind = 0 }, "state.cache.kind"},
		"cache share":     {func(r *evidence.Record) { r.State.Cache.Share = 1 }, "state.cache.share"},
		"cold with share": {func(r *evidence.Record) { r.Values[0].Cache.Kind = measure.CacheCold }, "values[0].cache.share"},
		"unstated but declared": {func(r *evidence.Record) {
			r.State.Cache = evidence.Cache{Kind: measure.CacheUnstated, Declared: true, Measured: r.State.Cache.Measured}
		}, "state.cache.declared"},
		"closed and open":       {func(r *evidence.Record) { r.Load.Rate = evidence.Stated("1 request per 1s", "plan") }, "load"},
		"limit code":            {func(r *evidence.Record) { r.Limits[0].Code = "no-such" }, "limits[0]"},
		"limit args":            {func(r *evidence.Record) { r.Values[0].Limits[0].Args = nil }, "values[0].limits[0]"},
		"limit where":           {func(r *evidence.Record) { r.Limits[0].Where = "somewhere" }, "limits[0].where"},
		"unknown metric":        {func(r *evidence.Record) { r.Values[0].Metric = "speed" }, "values[0].metric"},
		"latency, no statistic": {func(r *evidence.Record) { r.Values[1].Metric = "ttft" }, "values[1].metric"},
		"metric twice":          {func(r *evidence.Record) { r.Values[1].Metric = r.Values[0].Metric }, "values[1].metric"},
		"metrics out of order":  {func(r *evidence.Record) { r.Values[0], r.Values[1] = r.Values[1], r.Values[0] }, "values[1].metric"},
		"no rule":               {func(r *evidence.Record) { r.Values[0].Rule = "" }, "values[0].rule"},
		"amount kind":           {func(r *evidence.Record) { r.Values[0].Amount.Kind = "" }, "values[0].amount.kind"},
		"exact with a reason":   {func(r *evidence.Record) { r.Values[0].Amount.Reason = "x" }, "values[0].amount"},
		"unbounded with number": {func(r *evidence.Record) { r.Values[0].Amount = evidence.Amount{Kind: evidence.Unbounded, X: 1} }, "values[0].amount"},
		"enough is not too few": {func(r *evidence.Record) { r.Values[0].Amount = evidence.Amount{Kind: evidence.TooFew, N: 72, Need: 72} }, "values[0].amount"},
		"undefined, no reason":  {func(r *evidence.Record) { r.Values[0].Amount = evidence.Amount{Kind: evidence.Undefined} }, "values[0].amount"},
		"measured as a claim":   {func(r *evidence.Record) { r.Values[0].Claim = claim(evidence.Amount{Kind: evidence.Exact, X: 1}) }, "values[0].claim.amount"},
		"claim, no rule": {func(r *evidence.Record) {
			c := claim(evidence.Amount{Kind: evidence.Quoted, X: 1, Text: "1 s"})
			c.Rule = ""
			r.Values[0].Claim = c
		}, "values[0].claim.rule"},
		"claim, population": {func(r *evidence.Record) {
			c := claim(evidence.Amount{Kind: evidence.Quoted, X: 1, Text: "1 s"})
			c.Population = evidence.Stated(evidence.Population{}, "file")
			r.Values[0].Claim = c
		}, "values[0].claim.population"},
		"quoted, no text":     {func(r *evidence.Record) { r.Values[1].Amount = evidence.Amount{Kind: evidence.Quoted} }, "values[1].amount"},
		"quoted, no original": {func(r *evidence.Record) { r.Values[0].Amount = evidence.Amount{Kind: evidence.Quoted, Text: "fast"} }, "values[0].original"},
		"population": {func(r *evidence.Record) {
			r.Values[0].Population = evidence.Stated(evidence.Population{Rule: "all", N: -1}, "x")
		}, "values[0].population"},
		"interval": {func(r *evidence.Record) {
			r.Values[0].Interval = evidence.Stated(evidence.Interval{Low: 2, High: 1, Kind: "k", N: 9}, "x")
		}, "values[0].interval"},
		"bounds": {func(r *evidence.Record) {
			r.Values[1].Bounds = &evidence.Bounds{Lower: evidence.Amount{Kind: evidence.Exact, X: 2}, Upper: evidence.Amount{Kind: evidence.Exact, X: 1}, N: 3, Rule: "r"}
		}, "values[1].bounds"},
		"completed alone": {func(r *evidence.Record) {
			r.Values[1].Completed = &evidence.Conditioned{Amount: evidence.Amount{Kind: evidence.Exact}}
		}, "values[1].completed"},
		"estimate":           {func(r *evidence.Record) { r.Values[1].Estimate = &evidence.Estimate{X: 0.5, N: 9} }, "values[1].estimate"},
		"completed kind":     {func(r *evidence.Record) { r.Values[1].Completed = &evidence.Conditioned{Rule: "r"} }, "values[1].completed.amount.kind"},
		"distribution":       {func(r *evidence.Record) { r.Distributions[0].Metric = "ttft_p99" }, "distributions[0].metric"},
		"distribution count": {func(r *evidence.Record) { r.Distributions[0].Open = 0 }, "distributions[0].n"},
		"distribution falls": {func(r *evidence.Record) { r.Distributions[0].Steps[1].Share = 0.1 }, "distributions[0].steps[1]"},
		"share above one":    {func(r *evidence.Record) { r.Distributions[0].Steps[1].Share = 1.1 }, "distributions[0].steps"},
		"ages":               {func(r *evidence.Record) { r.Distributions[0].OpenAges = []float64{2, 1} }, "distributions[0].open_ages"},
		"file climbs":        {func(r *evidence.Record) { r.Files[0].Path = "../x/requests.parquet" }, "files[0].path"},
		"file climbs inside": {func(r *evidence.Record) { r.Files[0].Path = "a/../../requests.parquet" }, "files[0].path"},
		"file is absolute":   {func(r *evidence.Record) { r.Files[0].Path = "/requests.parquet" }, "files[0].path"},
		"file on a drive":    {func(r *evidence.Record) { r.Files[0].Path = "c:/requests.parquet" }, "files[0].path"},
		"file name":          {func(r *evidence.Record) { r.Files[0].Name = "x" }, "files[0].name"},
		"file hash":          {func(r *evidence.Record) { r.Files[0].SHA256 = "" }, "files[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			r := sample()
			c.change(&r)
			var fs evidence.FieldErrors
			if err := evidence.Validate(r); !errors.As(err, &fs) {
				t.Fatalf("got %v, want faults", err)
			}
			for _, f := range fs {
				if f.Path == c.path {
					return
				}
			}
			t.Errorf("got\n%v\nwant a fault at %s", fs, c.path)
		})
	}
}

func TestValidateFindsAllAtOnce(t *testing.T) {
	r := sample()
	r.Slug, r.Title, r.Class = "", "", ""
	_, err := evidence.Seal(r)
	var fs evidence.FieldErrors
	if !errors.As(err, &fs) || len(fs) != 3 {
		t.Fatalf("got %v, want three faults", err)
	}
	if got := fs.Error(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "title: is empty") {
		t.Errorf("the faults read\n%s", got)
	}
}

func TestAmountsThatAreRight(t *testing.T) {
	for _, a := range []evidence.Amount{
		{Kind: evidence.Exact}, {Kind: evidence.Exact, X: 0.1}, {Kind: evidence.AtLeast, X: 5}, {Kind: evidence.Unbounded},
		{Kind: evidence.TooFew, N: 0, Need: 72}, {Kind: evidence.Undefined, Reason: "one token"}, {Kind: evidence.Quoted, Text: "5,191.72 tokens/s"},
	} {
		r := sample()
		r.Values = r.Values[1:]
		r.Values[0].Amount = a
		if err := evidence.Validate(r); err != nil {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

func claim(a evidence.Amount) *evidence.Claim {
	return &evidence.Claim{Amount: a, Original: evidence.Original{Number: "1", Unit: "s", Key: "mean"}, Rule: "as the tool has it",
		Population: evidence.NotStated[evidence.Population]("the file does not say")}
}

func TestAClaimIsKept(t *testing.T) {
	r := sample()
	r.Values[0].Claim = claim(evidence.Amount{Kind: evidence.Quoted, X: 1, Text: "1 s"})
	r.Class = evidence.Imported
	sealed, err := evidence.Seal(r)
	if err != nil {
		t.Fatal(err)
	}
	line, err := evidence.Line(sealed)
	if err != nil {
		t.Fatal(err)
	}
	got, err := evidence.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	if got.Values[0].Claim == nil || got.Values[0].Claim.Amount != r.Values[0].Claim.Amount {
		t.Errorf("got %+v", got.Values[0].Claim)
	}
	if x, ok := got.Values[0].Claim.Amount.Number(); !ok || x != 1 {
		t.Errorf("Number() = %v, %t; want 1", x, ok)
	}
	if _, ok := (evidence.Amount{Kind: evidence.Quoted, Text: "fast"}).Number(); ok {
		t.Error("words have a number")
	}
}
