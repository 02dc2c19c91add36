// Package mapped reads files whose content does not say what its numbers are:
// plain tables (CSV, TSV, Markdown) and JSON of one's own. A person says it in
// the import.toml beside them:
//
//	[table]                        # for every table of the folder, or
//	[files."curve.csv".table]      # for one file
//	header_rows = 1                # rows that make up the header, at most 3
//	separator = ","                # or ";" or "tab"; a tab where the name ends in .tsv
//	number = 1                     # Markdown: which table of the page
//	name = ["gpu", "batch"]        # the columns that name a row
//
//	[[table.column]]
//	column = "ttft"                # the header's text; of several rows joined by " / "
//	metric = "ttft"
//	statistic = "median"
//	unit = "ms"                    # left out: the number is quoted and computed with nowhere
//	population = "requests that completed"
//	n = "ok"                       # the column with how many requests those are
//	definition = "from when the request is sent until the first token"
//	zero = "not measured"          # a 0 in this column is no measurement, and why
//
//	[[table.column]]
//	column = "tok_s"
//	metric = "output_token_rate"
//	unit = "tokens/s"
//	numerator = "tokens"           # of a rate: the columns with what was divided,
//	denominator = "seconds"        # the second in seconds
//
//	[[table.column]]
//	column = "gpu"
//	field = "hardware"             # a part of the record
//
//	[[table.column]]
//	column = "usd_per_hr"
//	fact = "price, USD an hour"    # anything else, word for word
//
// JSON is mapped alike, with keys in the place of columns:
//
//	[json]                         # or [files."result.json".json]
//	rows = "results.*"             # where the rows stand; left out: each value of the file is one
//	name = ["gpu", "*"]
//
//	[[json.value]]
//	key = "latency.p99"            # a path below the row; "$.model" is one from the file's top
//	metric = "e2e_p99"
//	unit = "s"
//
//	[[json.value]]
//	key = "*"                      # the row's own key, or its place in a list
//	field = "concurrency"
//
// In a path a dot goes one key down, a number picks an item of a list, from 0,
// and in rows "*" stands for every item or member. A key that has a dot itself is
// written as a list: key = ["ttft", "p99.9"].
//
// Each row is a record. Without a mapping such a file is not read: a name is not
// a definition, and which number is which would be a guess. Cells that are empty,
// or a dash, or "n/a", are gaps, and so are null and keys that a row does not
// have. "35.2 ± 0.6" is 35.2, with the rest as a fact. Text stays as it is, also
// where a spreadsheet would take it for a formula.
//
// # What is computed
//
// Where a row states the requests that were planned and sent, the rest was never
// sent. Where it states a window and the requests that were completed or sent in
// it, their quotient is the rate, unless the row has one. Nothing else is
// computed, and nothing is taken from a rate.
//
// # Limits
//
// A record takes one figure of each metric. A JSON file is held in memory while
// it is read, and may have at most 1,048,576 values: rows of single requests do
// not belong into it.
package mapped
