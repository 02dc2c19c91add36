package chart

// TextWidth is the estimate by which text is kept inside a drawing.
func TextWidth(s string) float64 { return textWidth(s) }
