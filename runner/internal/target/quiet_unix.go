//go:build unix

package target

import (
	"net"
	"syscall"
)

// quiet looks, without waiting, whether an idle connection has been closed
// by the other end or has bytes that nobody asked for. A connection that
// cannot be looked at counts as quiet.
func quiet(c net.Conn) bool {
	s, ok := c.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	var n int
	var peekErr error
	err = raw.Read(func(fd uintptr) bool {
		var b [1]byte
		n, _, peekErr = syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		return true
	})
	return err == nil && n <= 0 && (peekErr == syscall.EAGAIN || peekErr == syscall.EINTR)
}
