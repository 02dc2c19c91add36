# make test is all that a fresh machine needs: it sets up what the tests use
# (a browser from Debian's packages, where apt is there and it is missing) and
# runs every test. Tests that want something which is still missing skip by name.

GOLANGCI := 2.15.0
BIN      := $(CURDIR)/bin
ENGINE   := $(CURDIR)/.cache/engine
PAGES    := $(CURDIR)/.cache/pages

.PHONY: test setup lint test-pages test-engine bench bench-client bench-oracle fuzz clean

test: setup
	go vet ./...
	go test ./...
	cd testdata/oracle && go test ./...

setup:
	@if ! command -v chromium >/dev/null && command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "installing chromium for the page tests"; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; \
	fi

lint:
	@test -x $(BIN)/golangci-lint || GOBIN=$(BIN) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(GOLANGCI)
	$(BIN)/golangci-lint run ./...

# Valid HTML and accessibility, by checkers from the npm registry.
test-pages: setup
	mkdir -p $(PAGES) && cp testdata/pages/package.json testdata/pages/package-lock.json $(PAGES)
	cd $(PAGES) && npm ci --silent --no-audit --no-fund
	BENCHLINE_PAGES_KIT=$(PAGES) go test -count=1 -run 'TestPagesAre' -v ./render

# A real llama-server with a small random-weight model: about 15 s to set up.
test-engine:
	sh testdata/engine/get.sh $(ENGINE)
	go run ./testdata/engine/mkgguf -preset 9m -o $(ENGINE)/model.gguf -wordlist $(ENGINE)/words.txt
	go run ./testdata/engine/mkgguf -preset 9m -type f16 -o $(ENGINE)/model-f16.gguf
	BENCHLINE_ENGINE=$(ENGINE) go test -count=1 -timeout 10m -run TestEngine -v ./cmd/benchline

# The benchmarks behind content/methodology/performance.md. They want a quiet
# machine: what else runs on it is in their figures.
bench:
	go test -run '^$$' -bench . -benchmem ./ingest/... ./render/... ./runner/...

# The client against a bare loop, with the endpoint in a process of its own.
bench-client:
	go test -tags fidelity -run Fidelity -v -count=1 -timeout 60m ./runner -rounds 3

# Grouping ten million rows, against DuckDB on the same cores.
bench-oracle:
	cd testdata/oracle && go test -count=1 -run TestAggregateAgainstDuckDB -v -timeout 30m . -rows 10000000 -rounds 3

# Every parser of foreign bytes, ten seconds each.
fuzz:
	@grep -rn --include='*_test.go' '^func Fuzz' . | sed 's/^\.\///; s/\/[^/]*_test.go:[0-9]*:func / /; s/(.*//' | \
	while read -r dir name; do echo "$$dir $$name"; \
		go test -run '^$$' -fuzz "^$$name$$" -fuzztime 10s -fuzzminimizetime 10x "./$$dir" || exit 1; done

clean:
	rm -rf bin .cache
