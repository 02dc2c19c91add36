//go:build unix

package reqlog

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this process until it is closed or the process
// ends, however it ends. It fails with ErrRunning when another process has it. File
// systems without locks give no protection, and no error.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrRunning
	}
	return nil
}
