package reqlog

import "errors"

// Errors that callers tell apart with errors.Is.
var (
	// ErrExists: the run folder is there already; a run never writes into one.
	ErrExists = errors.New("run folder exists already")
	// ErrNotComplete: the folder holds the journal of a run that was not
	// finished. "benchline recover DIR" makes a log of it.
	ErrNotComplete = errors.New("run is not complete")
	// ErrNotRun: the folder holds neither a manifest nor a journal.
	ErrNotRun = errors.New("not a run folder")
	// ErrRunning: another process is still writing this run.
	ErrRunning = errors.New("run is still being written by another process")
	// ErrChanged: a file is not what the manifest says it was.
	ErrChanged = errors.New("file was changed or damaged after the run")
	// ErrVersion: the manifest or the columns are of a version that this
	// program does not read.
	ErrVersion = errors.New("unknown log version")
	// ErrSchema: the Parquet file does not have the declared columns.
	ErrSchema = errors.New("parquet columns differ from the declared ones")
	// ErrCorrupt: a file cannot be read as what it should be.
	ErrCorrupt = errors.New("file is corrupt")
	// ErrCut: a Parquet file has no end. It is [ErrCorrupt] too.
	ErrCut = errors.New("not a whole Parquet file")
	// ErrClosed: the writer was finished or closed before.
	ErrClosed = errors.New("log writer is closed")
)

// Names of the files of a run folder.
const (
	JournalName  = "journal.bln"
	RequestsName = "requests.parquet"
	ManifestName = "manifest.json"
	PlanName     = "plan.toml"

	tmpSuffix = ".tmp"
)
