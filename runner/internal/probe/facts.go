package probe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// What benchline's simulated endpoint says of itself.
const (
	simulatedOwner  = "benchline simulated endpoint"
	simulatedServer = "benchline-simulated-endpoint"
)

// ErrUnreachable is the error of [Facts] when no page of the endpoint brought
// an HTTP answer of any kind.
var ErrUnreachable = errors.New("the endpoint cannot be reached")

// claim is what one source says of one key.
type claim struct{ key, value, by string }

// Facts returns the facts of the served system, one for each of its keys, in
// the order of [Keys], then what the plan states under [profile.more], and whether the endpoint says that it is benchline's
// simulator. It asks the endpoint's pages all at once and takes at most 5 s.
// The key is sent as a bearer token and stands in no fact; empty: none.
//
// The facts are complete even with an error, which is the context's or
// [ErrUnreachable]: pages that an endpoint lacks are notes, not errors.
func Facts(ctx context.Context, c *http.Client, p plan.Spec, key string) ([]reqlog.Fact, bool, error) {
	answers := askAll(ctx, c, p.Endpoint.BaseURL, key)
	claims := append(planClaims(p), endpointClaims(answers, p.Endpoint.Model)...)
	facts := make([]reqlog.Fact, 0, len(serving()))
	for _, r := range serving() {
		facts = append(facts, settle(r, claims, answers, key))
	}
	noteModel(facts, answers["/v1/models"], p.Endpoint.Model, key)
	facts = append(facts, moreFacts(p.Profile, key)...)
	simulated := isSimulated(answers)
	if err := ctx.Err(); err != nil {
		return facts, simulated, fmt.Errorf("asking the endpoint about itself: %w", err)
	}
	for _, page := range pages() {
		if answers[page].reached {
			return facts, simulated, nil
		}
	}
	return facts, simulated, fmt.Errorf("%w: %s", ErrUnreachable, clean(answers["/v1/models"].err, key))
}

// moreFacts are what a plan states under names of its own, such as the region. A
// name of the list is not taken from there: it has a key of its own in the plan.
func moreFacts(p plan.Profile, key string) []reqlog.Fact {
	var facts []reqlog.Fact
	for _, name := range slices.Sorted(maps.Keys(p.AdditionalProperties)) {
		if slices.ContainsFunc(Keys(), func(k Key) bool { return k.ID == name }) {
			continue
		}
		v := clean(p.AdditionalProperties[name], key)
		facts = append(facts, reqlog.Fact{Key: name, Value: &v, By: byPlan})
	}
	return facts
}

// isSimulated reports whether any page says that benchline's simulator answers.
func isSimulated(answers map[string]answer) bool {
	for _, page := range pages() {
		if strings.HasPrefix(answers[page].server, simulatedServer) {
			return true
		}
	}
	if text(answers["/version"].doc, "version") == simulatedOwner {
		return true
	}
	return slices.ContainsFunc(models(answers["/v1/models"]), func(m map[string]any) bool {
		return text(m, "owned_by") == simulatedOwner
	})
}

// settle makes the one fact of a key from all that was said about it.
func settle(r rule, claims []claim, answers map[string]answer, key string) reqlog.Fact {
	f := reqlog.Fact{Key: r.ID}
	var notes []string
	for _, by := range r.asked {
		for _, c := range claims {
			v := clean(c.value, key)
			switch {
			case c.key != r.ID || c.by != by || v == "":
			case f.Value == nil:
				f.Value, f.By = &v, c.by
			case *f.Value == v:
				notes = append(notes, c.by+" says the same")
			default:
				notes = append(notes, fmt.Sprintf("%s says otherwise: %q", c.by, v))
			}
		}
	}
	if f.Value == nil {
		f.By = strings.Join(r.asked, ", ")
		notes = reasons(r.asked, answers, key)
	}
	f.Note = strings.Join(notes, "; ")
	return f
}

// reasons says of each who was asked why the answer has nothing.
func reasons(asked []string, answers map[string]answer, key string) []string {
	var notes []string
	for _, by := range asked {
		a, isPage := answers[strings.TrimPrefix(by, "endpoint ")]
		switch {
		case by == byPlan:
			notes = append(notes, "the plan does not say")
		case isPage && a.err != "":
			notes = append(notes, by+": "+clean(a.err, key))
		default:
			notes = append(notes, by+" does not say")
		}
	}
	return notes
}

// planClaims is what the plan states.
func planClaims(p plan.Spec) []claim {
	f := p.Profile
	all := []claim{
		{"model", f.Model, byPlan},
		{"model_revision", f.ModelRevision, byPlan},
		{"tokenizer", f.Tokenizer, byPlan},
		{"tokenizer_revision", f.TokenizerRevision, byPlan},
		{"engine", f.Engine, byPlan},
		{"engine_version", f.EngineVersion, byPlan},
		{"precision", f.Precision, byPlan},
		{"parallelism", f.Parallelism, byPlan},
		{"cache_policy", cachePolicy(p.Cache), byPlan},
		{"cache_config", f.CacheConfig, byPlan},
		{"decoding", f.Decoding, byPlan},
		{"sampling", fmt.Sprintf("temperature %v, ignore_eos %v", p.Workload.Temperature, p.Workload.IgnoreEOS), byPlan},
		{"hardware", f.Hardware, byPlan},
		{"interconnect", f.Interconnect, byPlan},
		{"host_cpu", f.HostCPU, byPlan},
		{"host_memory", f.HostMemory, byPlan},
		{"driver", f.Driver, byPlan},
		{"runtime", f.Runtime, byPlan},
		{"price_note", f.PriceNote, byPlan},
		{"client_location", f.ClientLocation, byPlan},
		{"workload_hash", workloadHash(p), byPlan},
	}
	if f.Quantized != nil {
		all = append(all, claim{"quantized", strconv.FormatBool(*f.Quantized), byPlan})
	}
	if f.Accelerators > 0 {
		all = append(all, claim{"accelerators", strconv.Itoa(f.Accelerators), byPlan})
	}
	return all
}

func cachePolicy(c plan.Cache) string {
	switch c.Policy {
	case plan.Warm:
		return fmt.Sprintf("warm, a pool of %d prompts", c.Pool)
	case plan.Shared:
		return fmt.Sprintf("shared prefix of %v of the input", c.Share)
	case plan.Cold:
	}
	return string(c.Policy)
}

// workloadHash identifies the prompts that a plan asks for: the SHA-256 of its
// workload and cache policy as JSON. A word list is in it by name only.
func workloadHash(p plan.Spec) string {
	raw, err := json.Marshal(struct {
		Workload plan.Workload
		Cache    plan.Cache
	}{p.Workload, p.Cache})
	if err != nil { // a number that is not finite, which no plan holds
		return ""
	}
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}
