package adapter

// Folder is an adapter of a format that is a folder of files.
type Folder interface {
	// Heads lists the names of files by which such a folder is known, the
	// telling one first. The first that is there is the one that is sniffed;
	// if the adapter claims it, the folder is one source.
	Heads() []string
	// Identify returns the name that the folder's content gives itself, such
	// as a run ID, as far as its head says so without being checked further.
	Identify(s Source) (string, error)
	// Files lists the files of the folder that the records depend on, relative
	// to it, the head included.
	Files(s Source) ([]string, error)
}
