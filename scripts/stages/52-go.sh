# The Go module against an installed library: vet, tests under a greedy collector, the race detector and cgo's
# pointer checks, the vectors, injected panics.
set -euo pipefail
root=$PWD
cargo build --quiet --release -p plan-gate-cdylib
scripts/install --prefix target/prefix --no-build >/dev/null
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$root/target/prefix/lib/pkgconfig
else
  # cgo asks $PKG_CONFIG; this one answers from the installed file.
  printf '#!/bin/sh\ncase "$*" in *--cflags*) echo "-I%s/include";; *) echo "-L%s/lib -lplan_gate";; esac\n' \
    "$root/target/prefix" "$root/target/prefix" >target/pkg-config && chmod +x target/pkg-config
  export PKG_CONFIG=$root/target/pkg-config
fi
export LD_LIBRARY_PATH=$root/target/prefix/lib GOFLAGS=-mod=mod RUST_BACKTRACE=0
cd bindings/go
unformatted=$(gofmt -l .)
[ -z "$unformatted" ] || { echo "gofmt: $unformatted"; exit 1; }
go vet ./...
go vet -tags plangate_fault .
go test -count=1 ./...
GOGC=1 go test -count=1 .
# Every pointer that goes to C is checked, and so is every write of one.
GOEXPERIMENT=cgocheck2 GODEBUG=cgocheck=1 GOGC=1 go test -count=1 .
go test -count=1 -race .
go run ./internal/conformance "$root/tests/conformance" | tee "$root/target/conformance-go.txt"
go test -run '^$' -bench . -benchtime 1x . >/dev/null

cd "$root"
cargo build --quiet --profile quick --target-dir target/fault -p plan-gate-cdylib --features fault-injection
mkdir -p target/fault/lib
ln -sf ../quick/libplan_gate.so target/fault/lib/libplan_gate.so
ln -sf ../quick/libplan_gate.so target/fault/lib/libplan_gate.so.1
cd bindings/go
CGO_LDFLAGS="-L$root/target/fault/lib" LD_LIBRARY_PATH=$root/target/fault/lib \
  go test -count=1 -tags plangate_fault -run '^TestInjectedPanic$' -v . | tee "$root/target/go-injected.txt" >/dev/null
grep -q -- '--- PASS: TestInjectedPanic' "$root/target/go-injected.txt"
