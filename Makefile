# make test is all that a fresh machine needs: it sets up what the tests use
# (a browser from Debian's packages, where apt is there and it is missing) and
# runs every test. Tests that want something which is still missing skip by name.

GOLANGCI := 2.15.0
BIN      := $(CURDIR)/bin
ENGINE   := $(CURDIR)/.cache/engine

.PHONY: test lint test-engine test-oracle fuzz bench bench-client setup clean

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

# A real llama-server with a small random-weight model: about 15 s to set up.
test-engine:
	sh testdata/engine/get.sh $(ENGINE)
	go run ./testdata/engine/mkgguf -preset 9m -o $(ENGINE)/model.gguf -wordlist $(ENGINE)/words.txt
	BENCHLINE_ENGINE=$(ENGINE) go test -count=1 -timeout 10m -run TestEngine -v ./cmd/benchline

clean:
	rm -rf bin .cache
