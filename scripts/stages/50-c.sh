# The header under every standard, the C tests under AddressSanitizer and valgrind, the examples.
set -euo pipefail
cargo build --quiet --release -p plan-gate-cdylib
out=target/c
mkdir -p "$out"
ln -sf ../release/libplan_gate.so "$out/libplan_gate.so.1"
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wundef -Wshadow -Wcast-qual -Werror -Iinclude"
# The compilers there are; an old one may not know the newest standard under its final name.
compilers() { for name in "$@"; do if command -v "$name" >/dev/null; then echo "$name"; fi; done; }
knows() { echo 'int x;' | $1 -std="$2" -x "$3" -fsyntax-only - 2>/dev/null; }
compiled=0
for compiler in $(compilers gcc clang); do
  for standard in c99 c11 c17 c2x c23; do
    knows "$compiler" $standard c || continue
    $compiler -std=$standard $warnings -Wstrict-prototypes -fsyntax-only tests/c/header.c
    compiled=$((compiled + 1))
  done
done
for compiler in $(compilers g++ clang++); do
  for standard in c++11 c++14 c++17 c++20; do
    knows "$compiler" $standard c++ || continue
    $compiler -std=$standard $warnings -x c++ -fsyntax-only tests/c/header.c
    compiled=$((compiled + 1))
  done
done
[ "$compiled" -ge 8 ] || { echo "only $compiled standards were tried"; exit 1; }
echo "note: header compiled under $compiled standards"

layout() { python3 -c "import json,functools; print(functools.reduce(lambda d, k: d[k], '$1'.split('/'), json.load(open('include/plan_gate.layout.json'))))"; }
cc -std=c11 $warnings -fsyntax-only tests/c/layout.c \
  -DLAYOUT_ABI="$(layout abi)" -DLAYOUT_POINTER="$(layout pointer)" \
  -DLAYOUT_SIZE="$(layout plan_gate_buf/size)" -DLAYOUT_ALIGN="$(layout plan_gate_buf/align)" \
  -DLAYOUT_DATA="$(layout plan_gate_buf/data)" -DLAYOUT_LEN="$(layout plan_gate_buf/len)" \
  -DLAYOUT_CAP="$(layout plan_gate_buf/cap)"

cargo run --quiet -p plan-gate-tests --bin flat "$out/conformance.flat"
link="$out/libplan_gate.so.1 -Wl,-rpath,$PWD/$out"
for test in smoke threads conformance; do
  cc -std=c11 -g -O1 $warnings tests/c/$test.c -o "$out/$test" $link -pthread
  cc -std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all $warnings tests/c/$test.c -o "$out/$test-asan" $link -pthread
  nm -D "$out/$test-asan" | grep __asan_init >/dev/null || { echo "AddressSanitizer is not in"; exit 1; }
done
"$out/smoke" && "$out/threads"
"$out/conformance" "$out/conformance.flat" | tee target/conformance-c.txt
export ASAN_OPTIONS=detect_leaks=1:halt_on_error=1
"$out/smoke-asan" && "$out/threads-asan"
"$out/conformance-asan" "$out/conformance.flat" | diff - target/conformance-c.txt
echo "note: AddressSanitizer reported nothing"
memcheck="valgrind --quiet --suppressions=tests/c/memcheck.supp --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect"
$memcheck "$out/smoke"
$memcheck "$out/conformance" "$out/conformance.flat" | diff - target/conformance-c.txt
valgrind --quiet --tool=helgrind --suppressions=tests/c/helgrind.supp --error-exitcode=9 "$out/threads"
echo "note: valgrind memcheck and helgrind reported nothing"

cc -std=c99 $warnings bindings/c/example.c -o "$out/example" $link
c++ -std=c++17 $warnings bindings/c/example.cc -o "$out/example-cc" $link
for example in example example-cc; do
  "$out/$example" | grep -E '^(run|not run): ' | diff - bindings/c/example.out
done

# A library of another ABI number: the program says so and lets nothing act.
mkdir -p "$out/other"
sed -n 's/^\(plan_gate_.*\)$/int \1(void) { return 0; }/p' include/plan_gate.sym | cc -shared -fPIC -x c - -Wl,-soname,libplan_gate.so.1 -o "$out/other/libplan_gate.so.1"
cc -std=c99 $warnings bindings/c/example.c -o "$out/example-other" "$out/other/libplan_gate.so.1" -Wl,-rpath,"$PWD/$out/other"
if said=$("$out/example-other" 2>&1); then echo "another ABI was accepted"; exit 1; fi
case $said in *"does not fit this program"*) ;; *) echo "unclear: $said"; exit 1 ;; esac
