// Package plangate lets no tool call of a model act before the user has approved a plan.
//
// A harness asks before each call: may it run now? Until the user has approved a plan the answer is no for
// everything but reading. A plan lists its tools, files, commands, URLs and sub-agents; what is outside it is
// held for a yes of its own.
//
// The package binds the C library libplan_gate through cgo and finds it with pkg-config; scripts/install of the
// repository puts it there. When the loaded library has another ABI number, every constructor returns an error
// that says so: a harness must then let nothing act.
//
// # Errors
//
// Every error means that the call must not run. [Session.Allows] answers false instead of an error. An error of
// the library is an [*Error]; errors.Is compares it with a [Status]:
//
//	if errors.Is(err, plangate.StatusPoisoned) { ... }
//
// # Lifetimes and threads
//
// All methods may be called from any goroutine. Close frees the native handle; it waits for running calls, may be
// called again, and makes later calls return [ErrClosed]. A session lives on in its gate after Close; End ends it.
// A handle that is forgotten is freed by the garbage collector, some time.
package plangate
