package limits

import (
	"slices"
	"strings"

	"benchline/ingest/evidence"
)

// FavourableUpperBound applies where input length, output length, concurrency or
// rate, or precision is not stated (M29). Missing names them.
func FavourableUpperBound(missing []string) Finding {
	return when(len(missing) > 0, evidence.FavourableUpperBound, strings.Join(missing, ", "))
}

// QualityGateMissing applies to a quantised variant for which no quality check
// is declared (M22). Quantized is the plan's own word, nil where it says
// nothing; then the precision decides, see [Quantized].
func QualityGateMissing(quantized *bool, precision, quality evidence.Known[string]) Finding {
	name, is := Quantized(precision)
	if quantized != nil {
		is = *quantized
		if name == "" {
			name = "quantised, as the plan says"
		}
	}
	_, checked := quality.Get()
	return when(is && !checked, evidence.QualityGateMissing, name)
}

// fullPrecision are the words for formats of 16 bits and more, in which a model
// is usually published.
func fullPrecision() []string {
	return []string{"bf16", "bfloat16", "fp16", "float16", "f16", "half", "fp32", "float32", "f32", "tf32", "fp64", "float64", "f64", "16-bit", "32-bit", "none", "auto", "simulated"}
}

// lowPrecision are marks of formats of 8 bits and fewer, as people write them.
func lowPrecision() []string {
	return []string{"fp8", "e4m3", "e5m2", "int8", "int4", "fp4", "fp6", "nf4", "mxfp", "nvfp", "w8a8", "w4a16", "w4a8", "w8a16", "awq", "gptq", "gguf", "bnb", "exl2", "hqq",
		"4-bit", "8-bit", "4bit", "8bit", "q2", "q3", "q4", "q5", "q6", "q8", "iq", "ternary", "binary"}
}

// Quantized reports whether a precision, as a plan or source writes it, is of
// fewer than 16 bits, and gives it as written. A word that is neither known to
// be low nor full is not taken for either.
func Quantized(precision evidence.Known[string]) (name string, is bool) {
	name, ok := precision.Get()
	if !ok {
		return "", false
	}
	word := strings.ToLower(name)
	if slices.Contains(fullPrecision(), word) {
		return name, false
	}
	return name, slices.ContainsFunc(lowPrecision(), func(mark string) bool { return strings.Contains(word, mark) })
}

// DefinitionNotStated applies to a figure whose source leaves out how it is
// defined. LeavesOut names what, empty: nothing that matters.
func DefinitionNotStated(leavesOut string) Finding {
	return when(leavesOut != "", evidence.DefinitionNotStated, leavesOut)
}

// DerivedValue applies to a figure of a record that holds values worked out from
// other records.
func DerivedValue(c evidence.Class) Finding {
	return when(c == evidence.DerivedClass, evidence.DerivedValue)
}
