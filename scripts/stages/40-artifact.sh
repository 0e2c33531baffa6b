# The release library: exactly our names, a versioned SONAME, no test symbol; then an installation that
# pkg-config, CMake and a static link can use.
set -euo pipefail
cargo build --quiet --release -p plan-gate-cdylib
library=target/release/libplan_gate.so archive=target/release/libplan_gate.a

nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort >target/exported.txt
LC_ALL=C sort include/plan_gate.sym | diff - target/exported.txt || { echo "exports differ from include/plan_gate.sym"; exit 1; }
readelf -d "$library" | grep 'SONAME.*\[libplan_gate\.so\.1\]' >/dev/null || { echo "no SONAME libplan_gate.so.1"; exit 1; }
readelf -d "$library" | grep NODELETE >/dev/null || { echo "the library may be unloaded"; exit 1; }
for file in "$library" "$archive"; do
  if nm "$file" 2>/dev/null | grep -E 'plan_gate_test_|injected fault'; then echo "$file has the test feature"; exit 1; fi
  if grep -q 'injected fault' "$file"; then echo "$file has the test feature"; exit 1; fi
done

prefix=target/prefix
rm -rf "$prefix"
scripts/install --prefix "$prefix" --no-build
export PKG_CONFIG_PATH=$PWD/$prefix/lib/pkgconfig
cat >target/link.c <<'C'
#include <plan_gate.h>
int main(void) {
  plan_gate *gate = NULL;
  if (plan_gate_abi_version() != PLAN_GATE_ABI_VERSION) return 1;
  if (plan_gate_new(NULL, 0, &gate, NULL) != PLAN_GATE_STATUS_OK) return 2;
  plan_gate_free(gate);
  return 0;
}
C
flags() { sed -n "s|^$1: ||p" "$PKG_CONFIG_PATH/plan_gate.pc" | sed "s|\${libdir}|$PWD/$prefix/lib|;s|\${includedir}|$PWD/$prefix/include|"; }
if command -v pkg-config >/dev/null; then
  cc target/link.c -o target/link-shared $(pkg-config --cflags --libs plan_gate)
else
  cc target/link.c -o target/link-shared $(flags Cflags) $(flags Libs)
fi
LD_LIBRARY_PATH=$prefix/lib target/link-shared
readelf -d target/link-shared | grep 'NEEDED.*libplan_gate\.so\.1' >/dev/null || { echo "not linked by SONAME"; exit 1; }
cc -DPLAN_GATE_STATIC target/link.c -o target/link-static $(flags Cflags) "$prefix/lib/libplan_gate.a" $(flags Libs.private)
target/link-static

# The recipe of docs/embedding.md for an archive whose other names are local.
sed -n '/^```sh$/,/^```$/p' docs/embedding.md | sed '1d;$d' >target/localise.sh
mkdir -p target/local && cp "$archive" target/local/ && ln -sfn "$PWD/include" target/local/include
(cd target/local && bash -e ../localise.sh)
nm -g --defined-only target/local/plan_gate.o | awk '{ print $3 }' | LC_ALL=C sort >target/local/exported.txt
LC_ALL=C sort include/plan_gate.sym | diff - target/local/exported.txt || { echo "the localised archive has other names"; exit 1; }
cc -DPLAN_GATE_STATIC -Iinclude target/link.c target/local/plan_gate.o -o target/link-local $(flags Libs.private)
target/link-local
if command -v cmake >/dev/null; then
  rm -rf target/cmake-example && mkdir -p target/cmake-example
  # The snippet of docs/embedding.md, as it stands there.
  sed -n '/^```cmake$/,/^```$/p' docs/embedding.md | sed '1d;$d' >target/cmake-example/CMakeLists.txt
  cp target/link.c target/cmake-example/host.c
  cmake -S target/cmake-example -B target/cmake-example/build -DCMAKE_PREFIX_PATH="$PWD/$prefix" >/dev/null
  cmake --build target/cmake-example/build >/dev/null
  target/cmake-example/build/host
fi
strip -o target/stripped.so "$library"
echo "note: libplan_gate.so $(stat -c %s "$library") bytes, stripped $(stat -c %s target/stripped.so), archive $(stat -c %s "$archive")"
