package plangate

// Everything that touches C is in this file. Inputs go in as pointer and length of Go memory, without a copy:
// that memory holds no pointers, the library keeps none, and it never calls back.

/*
#cgo pkg-config: plan_gate
#cgo noescape plan_gate_new
#cgo nocallback plan_gate_new
#cgo noescape plan_gate_request
#cgo nocallback plan_gate_request
#cgo noescape plan_gate_session_open
#cgo nocallback plan_gate_session_open
#cgo noescape plan_gate_session_open_child
#cgo nocallback plan_gate_session_open_child
#cgo noescape plan_gate_session_check
#cgo nocallback plan_gate_session_check
#cgo noescape plan_gate_session_check_effect
#cgo nocallback plan_gate_session_check_effect
#cgo noescape plan_gate_session_reply
#cgo nocallback plan_gate_session_reply
#cgo noescape plan_gate_session_request
#cgo nocallback plan_gate_session_request
#cgo noescape plan_gate_plan_mode_new
#cgo nocallback plan_gate_plan_mode_new
#cgo noescape plan_gate_plan_mode_request
#cgo nocallback plan_gate_plan_mode_request
#include <plan_gate.h>
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// abiVersion is the number of the C interface this package was written for.
const abiVersion = 1

// errLibrary is nil when the loaded library fits.
var errLibrary = compareABI(uint32(C.plan_gate_abi_version()))

func compareABI(found uint32) error {
	if found == abiVersion && C.PLAN_GATE_ABI_VERSION == abiVersion {
		return nil
	}
	age := "newer"
	if found < abiVersion {
		age = "older"
	}
	return fmt.Errorf("the plan gate library is %s than this program: its interface has the number %d, this program "+
		"needs %d; install matching versions of both; until then no tool may act", age, found, abiVersion)
}

// LibraryVersion is "major.minor.patch" of the loaded library.
func LibraryVersion() string { return C.GoString(C.plan_gate_version()) }

func statusText(status Status) string {
	return C.GoString(C.plan_gate_status_text(C.plan_gate_status(status)))
}

func chars(text string) (*C.char, C.size_t) {
	return (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.size_t(len(text))
}

func bytes(text []byte) (*C.char, C.size_t) {
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.size_t(len(text))
}

// take copies what the library wrote and frees it.
func take(buf *C.plan_gate_buf) []byte {
	answer := C.GoBytes(unsafe.Pointer(buf.data), C.int(buf.len))
	C.plan_gate_buf_free(buf)
	return answer
}

// handle is a pointer of the library. Calls hold the read lock, so that freeing waits for them; the cleanup is a
// net for handles nobody closed.
type handle struct {
	mu      sync.RWMutex
	pointer unsafe.Pointer // not Go memory
	cleanup runtime.Cleanup
}

// keep starts the net under h, which must be reachable as long as its pointer is used: the methods below see to
// that with runtime.KeepAlive.
func (h *handle) keep(pointer unsafe.Pointer, free func(unsafe.Pointer)) {
	h.pointer = pointer
	h.cleanup = runtime.AddCleanup(h, free, pointer)
}

// take gives the pointer up, once.
func (h *handle) take() unsafe.Pointer {
	h.mu.Lock()
	defer h.mu.Unlock()
	pointer := h.pointer
	if pointer != nil {
		h.pointer = nil
		h.cleanup.Stop()
	}
	return pointer
}

func freeGate(pointer unsafe.Pointer)    { C.plan_gate_free((*C.plan_gate)(pointer)) }
func freeSession(pointer unsafe.Pointer) { C.plan_gate_session_free((*C.plan_gate_session)(pointer)) }
func freePlanMode(pointer unsafe.Pointer) {
	C.plan_gate_plan_mode_free((*C.plan_gate_plan_mode)(pointer))
}

type gateHandle struct{ handle }

func (h *gateHandle) open(config string) error {
	if errLibrary != nil {
		return errLibrary
	}
	var pointer *C.plan_gate
	var buf C.plan_gate_buf
	data, size := chars(config)
	status := C.plan_gate_new(data, size, &pointer, &buf)
	if answer := take(&buf); status != C.PLAN_GATE_STATUS_OK {
		return errorOf(Status(status), answer)
	}
	h.keep(unsafe.Pointer(pointer), freeGate)
	return nil
}

func (h *gateHandle) close() { freeGate(h.take()) }

func (h *gateHandle) request(request []byte) ([]byte, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.pointer == nil {
		return nil, ErrClosed
	}
	var buf C.plan_gate_buf
	data, size := bytes(request)
	status := C.plan_gate_request((*C.plan_gate)(h.pointer), data, size, &buf)
	runtime.KeepAlive(h)
	return answered(Status(status), take(&buf))
}

func (h *gateHandle) session(id string, session *sessionHandle) error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.pointer == nil {
		return ErrClosed
	}
	var pointer *C.plan_gate_session
	data, size := chars(id)
	status := C.plan_gate_session_open((*C.plan_gate)(h.pointer), data, size, &pointer)
	runtime.KeepAlive(h)
	return session.opened(pointer, Status(status))
}

func (h *gateHandle) child(id, parent string, session *sessionHandle) error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.pointer == nil {
		return ErrClosed
	}
	var pointer *C.plan_gate_session
	data, size := chars(id)
	above, aboveSize := chars(parent)
	status := C.plan_gate_session_open_child((*C.plan_gate)(h.pointer), data, size, above, aboveSize, &pointer)
	runtime.KeepAlive(h)
	return session.opened(pointer, Status(status))
}

type sessionHandle struct{ handle }

func (h *sessionHandle) opened(pointer *C.plan_gate_session, status Status) error {
	if status != StatusOK {
		return errorOf(status, nil)
	}
	h.keep(unsafe.Pointer(pointer), freeSession)
	return nil
}

func (h *sessionHandle) close() { freeSession(h.take()) }

// The hot calls: without defer, and with zero, which is a denial, for a closed session.

func (h *sessionHandle) check(tool string, args []byte) (bits uint64, open bool) {
	name, nameSize := chars(tool)
	data, size := bytes(args)
	h.mu.RLock()
	if open = h.pointer != nil; open {
		bits = uint64(C.plan_gate_session_check((*C.plan_gate_session)(h.pointer), name, nameSize, data, size))
	}
	h.mu.RUnlock()
	runtime.KeepAlive(h)
	return bits, open
}

func (h *sessionHandle) checkEffect(tool string, kind Effect, value string) (bits uint64, open bool) {
	name, nameSize := chars(tool)
	data, size := chars(value)
	h.mu.RLock()
	if open = h.pointer != nil; open {
		bits = uint64(C.plan_gate_session_check_effect((*C.plan_gate_session)(h.pointer), name, nameSize, C.uint32_t(kind), data, size))
	}
	h.mu.RUnlock()
	runtime.KeepAlive(h)
	return bits, open
}

func (h *sessionHandle) reply(source Source, text, shown string) (bits uint64, open bool) {
	words, wordsSize := chars(text)
	id, idSize := chars(shown)
	h.mu.RLock()
	if open = h.pointer != nil; open {
		bits = uint64(C.plan_gate_session_reply((*C.plan_gate_session)(h.pointer), C.uint32_t(source), words, wordsSize, id, idSize))
	}
	h.mu.RUnlock()
	runtime.KeepAlive(h)
	return bits, open
}

func (h *sessionHandle) request(request []byte) ([]byte, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.pointer == nil {
		return nil, ErrClosed
	}
	var buf C.plan_gate_buf
	data, size := bytes(request)
	status := C.plan_gate_session_request((*C.plan_gate_session)(h.pointer), data, size, &buf)
	runtime.KeepAlive(h)
	return answered(Status(status), take(&buf))
}

type planModeHandle struct{ handle }

func (h *planModeHandle) open(config string) error {
	if errLibrary != nil {
		return errLibrary
	}
	var pointer *C.plan_gate_plan_mode
	var buf C.plan_gate_buf
	data, size := chars(config)
	status := C.plan_gate_plan_mode_new(data, size, &pointer, &buf)
	if answer := take(&buf); status != C.PLAN_GATE_STATUS_OK {
		return errorOf(Status(status), answer)
	}
	h.keep(unsafe.Pointer(pointer), freePlanMode)
	return nil
}

func (h *planModeHandle) close() { freePlanMode(h.take()) }

func (h *planModeHandle) request(request []byte) ([]byte, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.pointer == nil {
		return nil, ErrClosed
	}
	var buf C.plan_gate_buf
	data, size := bytes(request)
	status := C.plan_gate_plan_mode_request((*C.plan_gate_plan_mode)(h.pointer), data, size, &buf)
	runtime.KeepAlive(h)
	return answered(Status(status), take(&buf))
}

func answered(status Status, answer []byte) ([]byte, error) {
	if status != StatusOK {
		return nil, errorOf(status, answer)
	}
	return answer, nil
}

// bufLayout is the size and the offsets of plan_gate_buf as cgo sees them; a test compares them.
func bufLayout() map[string]uintptr {
	var buf C.plan_gate_buf
	return map[string]uintptr{
		"size": unsafe.Sizeof(buf), "align": unsafe.Alignof(buf),
		"data": unsafe.Offsetof(buf.data), "len": unsafe.Offsetof(buf.len), "cap": unsafe.Offsetof(buf.cap),
	}
}

// emptyCall is the floor the benchmarks compare with.
func emptyCall() uint32 { return uint32(C.plan_gate_abi_version()) }
