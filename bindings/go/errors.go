package plangate

import (
	"encoding/json"
	"errors"
)

// ErrClosed is what calls on a closed object return.
var ErrClosed = errors.New("plangate: this object is closed")

// Error is a refusal of the library. errors.Is compares it with a [Status].
type Error struct {
	Status  Status // a number, also one newer than this package
	Kind    string // a stable word, when the library gave one
	Message string // what is wrong where
}

func (e *Error) Error() string { return "plangate: " + e.Message }

// Is reports whether target is the status of e.
func (e *Error) Is(target error) bool {
	status, ok := target.(Status)
	return ok && status == e.Status
}

// Error is the library's text for the status.
func (s Status) Error() string { return "plangate: " + statusText(s) }

// errorOf makes an error of a status and the answer of a JSON door, if there is one.
func errorOf(status Status, answer []byte) error {
	var found struct {
		Error struct{ Kind, Message string }
	}
	// A panic leaves no answer; the status has words of its own then.
	if json.Unmarshal(answer, &found) != nil || found.Error.Message == "" {
		return &Error{Status: status, Message: statusText(status)}
	}
	return &Error{Status: status, Kind: found.Error.Kind, Message: found.Error.Message}
}
