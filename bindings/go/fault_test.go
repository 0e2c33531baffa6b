//go:build plangate_fault

package plangate

import "testing"

func TestInjectedPanic(t *testing.T) {
	gate := newGate(t)
	for _, point := range []string{"ffi", "classifier", "scope-matcher", "state-machine"} {
		session := approved(t, gate, point)
		child, err := gate.Child(point+"-child", point)
		expect(t, err, nil)
		arm(point)
		if point == "classifier" {
			_, err = session.Reply(SourceUser, "no", "")
		} else {
			_, err = session.Check("write", []byte(writeA))
		}
		status(t, err, StatusPanic)
		if point != "ffi" {
			expect(t, session.Allows("write", []byte(writeA)), false)
			expect(t, child.Allows("write", []byte(writeA)), false)
			_, err = session.Reply(SourceUser, "ok", "")
			status(t, err, StatusPoisoned)
			_, err = session.State()
			status(t, err, StatusPoisoned)
		}
		expect(t, approved(t, gate, "next-"+point).Allows("write", []byte(writeA)), true)
	}
}
