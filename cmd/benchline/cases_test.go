package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// heldCase is one of the cases that were collected from reports about other
// tools, and the tests that hold its right outcome: "file.go:TestName", or a
// script of commands.
type heldCase struct {
	number int
	held   []string
	open   string // what no test holds; empty: nothing
}

func heldCases() []heldCase {
	const (
		streams   = "runner/internal/target/cases_test.go:TestCases"
		summaries = "ingest/summarize/cases_test.go:"
		ingestRun = "testdata/script/ingest-runs.txtar"
		imported  = "testdata/script/cases-import.txtar"
	)
	return []heldCase{
		{1, []string{streams}, ""}, {2, []string{streams}, ""}, {3, []string{streams}, ""}, {4, []string{streams}, ""}, {5, []string{streams}, ""},
		{6, []string{streams}, ""}, {7, []string{streams}, ""}, {8, []string{streams}, ""},
		{9, []string{streams, summaries + "TestC09SeveralTokensInAChunk"}, ""}, {10, []string{streams, summaries + "TestC10UsageMissing"}, ""},
		{11, []string{summaries + "TestC11OneTokenSource"}, ""}, {12, []string{summaries + "TestC12OutputsOfZeroAndOne"}, ""},
		{13, []string{"ingest/adapter/vllm/vllm_test.go:TestCases", "ingest/adapter/foreign/json_test.go:TestFormsOfJSON", imported}, ""},
		{14, []string{"ingest/adapter/vllm/vllm_test.go:TestCases", imported}, ""},
		{15, []string{summaries + "TestC15StillOpenAtTheEnd", "runner/loops_test.go:TestUnresolved"}, ""},
		{16, []string{summaries + "TestC16WarmupApart", "runner/loops_test.go:TestWarmupIsApart"}, ""},
		{17, []string{summaries + "TestC17CacheAsMeasured", "runner/internal/workload/workload_test.go:TestColdPromptsAreDistinctAndReproducible"}, ""},
		{18, []string{summaries + "TestC18FromDueAndFromSent"}, ""},
		{19, []string{summaries + "TestC19AskedRateNotReached", "runner/loops_test.go:TestNeverSent", ingestRun}, ""},
		{20, []string{"runner/internal/pace/pace_test.go:TestPoissonRepeats", "runner/loops_test.go:TestOpenLoop"}, ""},
		{21, []string{"runner/preflight_test.go:TestEveryConnectionIsOpened", "runner/internal/target/http2_test.go:TestNoStreamLimitWhereHTTP2IsOffered"}, ""},
		{22, []string{summaries + "TestC22TimeLimitIsCensoring"}, ""},
		{23, []string{"runner/internal/target/limits_test.go:TestNoRetryOfARefusal", "runner/internal/target/limits_test.go:TestSecondAttempt", "ingest/summarize/retries_test.go:TestC23AttemptsAreNotRequests"},
			"the four answers 429: a log has a row a request, with the number of its attempts and the answer of the last"},
		{24, []string{"runner/plan/fault_test.go:TestSecretsAreRefusedAndNotRepeated", "runner/internal/target/redact_test.go:TestKeyEchoC24"}, ""},
		{25, []string{"runner/loops_test.go:TestServedTimesAndText", "ingest/adapter/inferenceperf/inferenceperf_test.go:TestTextsStayInTheFile"}, ""},
		{26, []string{"ingest/evidence/slug_test.go:TestSlugOnCases", "render/names_test.go:TestNamesBecomePages", imported}, ""},
		{27, []string{"ingest/evidence/slug_test.go:TestSlugOnCases", imported}, ""},
		{28, []string{"render/hostile_test.go:TestHostileTextStaysText", "render/hostile_test.go:TestHostileTextStaysTextInMarkdown", imported}, ""},
		{29, []string{"ingest/adapter/mapped/mapped_test.go:TestFormulas", "render/hostile_test.go:TestCSVIsSafe", "render/csv_test.go:TestCSVTextReadsBack", imported}, ""},
		{30, []string{ingestRun}, ""},
		{31, []string{"ingest/own_test.go:TestCutParquetFile", "runner/reqlog/schema_test.go:TestC31", "cmd/benchline/kill_test.go:TestKilledRunsLoseNothingOld"}, ""},
		{32, []string{"ingest/adapter/foreign/stamp_test.go:TestUnitsAreConvertedOnce", "ingest/adapter/mapped/mapped_test.go:TestUnits", ingestRun}, ""},
		{33, []string{ingestRun, "ingest/summarize/retries_test.go:TestC33PercentileOfAllRows"}, "logs of two clients are not joined: their rows stand in two records"},
		{34, []string{"render/internal/chart/chart_test.go:TestAxes"}, ""}, {35, []string{"render/internal/chart/chart_test.go:TestGaps"}, ""},
		{36, []string{"render/links_test.go:TestDeadLinks", "render/browser_test.go:TestPagesInBrowserWithoutScripts", "render/zipped_test.go:TestEveryLinkBelowAPathFromAZip"}, ""},
		{37, []string{"assets/contrast_test.go:TestContrast", "render/paper_test.go:TestWideTableOnPaper"}, ""},
		{38, []string{"render/browser_test.go:TestPagesInBrowserWithoutScripts"}, ""},
		{39, []string{summaries + "TestC39OneErrorClass", "render/bench_test.go:TestLargeInputsStaySmall"}, ""},
		{40, []string{"ingest/adapter/foreign/stamp_test.go:TestStamps", summaries + "TestC40ClockStep", "runner/record_test.go:TestWallClockStep", imported}, ""},
	}
}

// TestEveryCaseIsHeld: no number is missing, and each test that the table names is
// there.
func TestEveryCaseIsHeld(t *testing.T) {
	seen := map[string]bool{}
	for i, c := range heldCases() {
		if c.number != i+1 || len(c.held) == 0 {
			t.Errorf("place %d of the table is case %d, held by %v", i+1, c.number, c.held)
		}
		seen[fmt.Sprintf("C%02d", c.number)] = true
		for _, held := range c.held {
			file, name, isTest := strings.Cut(held, ":")
			src, err := os.ReadFile(filepath.Join("../..", file))
			if err != nil || isTest && !strings.Contains(string(src), "\nfunc "+name+"(t *testing.T)") {
				t.Errorf("C%02d: %s is not there (%v)", c.number, held, err)
			}
		}
	}
	list, err := os.ReadFile("../../../shared/cases/README.md")
	if err != nil {
		t.Logf("the list of cases is not beside the checkout: held are C01 to C%02d", len(seen))
		return
	}
	for _, m := range regexp.MustCompile(`(?m)^### (C[0-9]{2}) `).FindAllStringSubmatch(string(list), -1) {
		if !seen[m[1]] {
			t.Errorf("%s is not in the table", m[1])
		}
	}
}
