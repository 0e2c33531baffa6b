//go:build plangate_fault

package plangate

/*
#include <plan_gate.h>
// Only a library built for tests has it.
void plan_gate_test_arm(const char *name, size_t name_len);
*/
import "C"

// arm makes a layer panic the next time it is reached.
func arm(point string) {
	data, size := chars(point)
	C.plan_gate_test_arm((*C.char)(data), C.size_t(size))
}
